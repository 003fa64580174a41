import type { RawData, WebSocket } from 'ws'
import { decodeTerminalFrame, terminalLimits } from '../../src/schemas/frames/terminal.ts'
import type { Log } from '../log.ts'
import { HostUnavailableError, type Shell } from '../machines/hosts/host.ts'
import { createOutputFlow } from './outputFlow.ts'
import { createOutputFrames } from './outputFrames.ts'
import { closeUnavailable, type Serve } from './sessionSocket.ts'
import type { StreamSession } from './sessions.ts'

/** Size until the client has sent its own. */
const initialSize = { rows: 24, cols: 80 }
/** Bytes of input waiting for the program at which the client's socket is paused and resumed. */
const inputLimits = { pause: 1024 * 1024, resume: 256 * 1024 }
/** Milliseconds between two checks whether the program, or the browser, reads again. */
const pollMs = 20
/** Maximum time to send a shell's last output, in milliseconds. */
const maxFlushMs = 5000

/** Connects the sockets of a session with a shell of its own (docs/contract/CONTRACT.md#101-wsterminalsession_id). */
export function serveTerminal(log: Pick<Log, 'error'>): Serve {
  return (session) => {
    const sockets = new Set<WebSocket>()
    const opening = session.host.openShell(initialSize)
    opening.then(
      (shell) => {
        session.onEnd(() => void shell.kill())
      },
      (error: unknown) => {
        if (error instanceof HostUnavailableError) return
        log.error(`A shell on ${session.server.name} cannot be opened:`, error)
      },
    )
    return (socket, stays) => {
      sockets.add(socket)
      // Input typed meanwhile waits in the connection.
      socket.pause()
      opening.then(
        (shell) => {
          const flush = connect(socket, shell, session, stays)
          shell.onExit(() => {
            flush()
            void untilSent(sockets).then(() => session.end('exited'))
          })
        },
        (error: Error) => {
          if (error instanceof HostUnavailableError) closeUnavailable(socket, session, error.reason)
          else sendAndEnd(socket, session, `The shell cannot be started: ${error.message}`)
        },
      )
    }
  }
}

function sendAndEnd(socket: WebSocket, session: StreamSession, text: string): void {
  socket.send(Buffer.from(`${text}\r\n`), () => session.end('no shell'))
}

/** Resolves when the last output was sent, or after a limit. Ending without a close frame drops the rest. */
async function untilSent(sockets: ReadonlySet<WebSocket>): Promise<void> {
  const isSent = () => [...sockets].every(({ bufferedAmount }) => bufferedAmount === 0)
  for (let waited = 0; waited < maxFlushMs && !isSent(); waited += pollMs) await pause(pollMs)
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Output goes to the newest socket; all of them may send input.
 * @returns a function that sends all gathered output at once
 */
function connect(socket: WebSocket, shell: Shell, session: StreamSession, stays: () => boolean): () => void {
  const flow = createOutputFlow({
    pause: shell.pause,
    resume: shell.resume,
    buffered: () => socket.bufferedAmount,
    isInputPaused: () => socket.isPaused,
  })
  const frames = createOutputFrames((frame) => {
    if (socket.readyState !== socket.OPEN) return
    session.count('bytes_out', frame.length)
    socket.send(frame, { binary: true }, () => flow.update())
    flow.sent(frame.length)
  })
  shell.onData(frames.add)

  function type(bytes: Uint8Array): void {
    session.count('bytes_in', bytes.length)
    shell.write(bytes)
    if (shell.pendingInputBytes() > inputLimits.pause) waitForProgram()
  }

  /** Unlimited waiting input would fill the memory. */
  function waitForProgram(): void {
    if (socket.isPaused) return
    socket.pause()
    // The client's acknowledgements now wait behind its input: output must not wait for them.
    flow.update()
    const timer = setInterval(() => {
      if (shell.pendingInputBytes() > inputLimits.resume) return
      clearInterval(timer)
      socket.resume()
    }, pollMs)
    session.onEnd(() => clearInterval(timer))
  }

  socket.on('message', (data: RawData, isBinary) => {
    if (!stays()) return
    const bytes = data as Buffer
    if (bytes.length > terminalLimits.message) {
      socket.close(1009)
      session.end('message too large')
      return
    }
    if (!isBinary) return type(bytes)
    const frame = decodeTerminalFrame(bytes)
    if (frame?.kind === 'input') type(frame.bytes)
    if (frame?.kind === 'resize') shell.resize(frame)
    if (frame?.kind === 'consumed') flow.consumed(frame.bytes)
  })
  socket.resume()
  return frames.flush
}
