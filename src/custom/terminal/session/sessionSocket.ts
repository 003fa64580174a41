import { historyLines } from '../screen/screen.ts'
import { openTerminalSocket, type TerminalSocket, type TerminalSocketEvents } from '../socket/terminalSocket.ts'

/** What a server of terminals can do beyond the contract. */
export interface TerminalFeatures {
  /** Bytes that it sends before it waits for an acknowledgement; absent where it never waits. */
  flowWindow?: number
  /** Minutes for which it holds a shell whose connection was lost; absent where it holds none. */
  holdMinutes?: number
}

export interface SocketOptions extends TerminalFeatures {
  /** Bytes of the shell's output that are on the screen already. */
  offset: number
}

/** Opens the socket of a session. */
export function openSessionSocket(
  sessionId: string,
  { flowWindow, holdMinutes, offset }: SocketOptions,
  events: TerminalSocketEvents,
  kind: 'terminal' | 'shared-terminal' = 'terminal',
): TerminalSocket {
  // A server that has flow control takes further names, and says who is in the terminal.
  const query = [...(holdMinutes ? [`offset=${offset}`] : []), ...(flowWindow === undefined ? [] : ['state=1'])]
  const path = `/api/v1/ws/${kind}/${encodeURIComponent(sessionId)}${query.length > 0 ? `?${query.join('&')}` : ''}`
  const url = new URL(path, location.href.replace(/^http/, 'ws')).href
  return openTerminalSocket({ url, flowWindow, lines: historyLines }, events)
}

/** Milliseconds between two looks at the clock, and by how many one has to be late: timers of hidden tabs come once a minute. */
const sleep = { lookMs: 5_000, lateMs: 90_000 }

/**
 * Calls back when the computer has slept for so long that a server may have given up its connections, of which browsers may
 * not learn. A page that stood still for as long (a tab that was frozen, an open dialog for printing), or a clock that was
 * set forward, looks the same, and its connection may be there.
 * @returns how to look at once, and how to stop
 */
export function onWake(listener: () => void): { look(): void; stop(): void } {
  let lookedAt = Date.now()
  const look = () => {
    const before = lookedAt
    lookedAt = Date.now()
    if (lookedAt - before > sleep.lateMs) listener()
  }
  const timer = setInterval(look, sleep.lookMs)
  return { look, stop: () => clearInterval(timer) }
}

/** Milliseconds between two attempts to connect again; the last one is repeated. */
const delaysMs = [0, 1_000, 2_000, 4_000, 8_000]

/** When a lost connection is tried again, and for how long. */
export class RetryPace {
  #attempts = 0
  #until = 0

  /** The connection was lost now. @param minutes for which the server holds the shell */
  begin(minutes = 0): void {
    this.#attempts = 0
    this.#until = performance.now() + minutes * 60_000
  }

  isOver(): boolean {
    return performance.now() > this.#until
  }

  /** Milliseconds until the next attempt. */
  nextDelay(): number {
    this.#attempts += 1
    return delaysMs[Math.min(this.#attempts, delaysMs.length) - 1] as number
  }
}
