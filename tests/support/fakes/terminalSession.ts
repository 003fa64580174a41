import type { SocketOptions } from '../../../src/custom/terminal/session/sessionSocket.ts'
import {
  type HeldShell,
  type SessionServices,
  type SessionState,
  TerminalSession,
} from '../../../src/custom/terminal/session/terminalSession.ts'
import type { TerminalSocket, TerminalSocketEvents } from '../../../src/custom/terminal/socket/terminalSocket.ts'

export const prompt = { bytes: new Uint8Array(new TextEncoder().encode('root@vm:~# ')) }

/** A session whose server and screen are played by the test. */
export function terminalSession({
  services = {},
  size = { rows: 40, cols: 120 },
  held,
}: {
  services?: Partial<SessionServices>
  size?: object
  held?: HeldShell
} = {}) {
  const sent: (string | Uint8Array)[] = []
  const drawn: (Uint8Array | string)[] = []
  const states: SessionState[] = []
  const seen = {
    errors: 0,
    name: '',
    opened: '',
    options: undefined as SocketOptions | undefined,
    returned: [] as ('same' | 'new')[],
    closed: false,
    dropped: false,
    skipped: [] as number[],
  }
  const connection: TerminalSocket & { buffered: number } = {
    buffered: 0,
    send: (message) => void sent.push(message),
    close: () => {
      seen.closed = true
    },
    drop: () => {
      seen.dropped = true
    },
  }
  let far: TerminalSocketEvents | undefined
  const tested = new TerminalSession(
    5,
    {
      size: () => ({ rows: 40, cols: 120, ...size }),
      write: (data, done) => {
        drawn.push(data)
        done()
      },
    },
    {
      create: async () => ({ session_id: 'abc', server_name: 'web-1' }),
      features: async () => ({}),
      open: (id, options, events) => {
        Object.assign(seen, { opened: id, options })
        far = events
        return connection
      },
      probe: async () => true,
      skippedNotice: (skipped) => `[${skipped}]`,
      ...services,
    },
    {
      onState: (state) => states.push(state),
      onSocketError: () => {
        seen.errors += 1
      },
      onServerName: (name) => {
        seen.name = name
      },
      onReturned: (shell) => seen.returned.push(shell),
      onTerminal: () => {},
      onOutput: () => {},
      onSkipped: (bytes) => seen.skipped.push(bytes),
    },
    held,
  )
  /** The server's end of the connection. */
  const server = () => {
    if (!far) throw new Error('No connection was opened.')
    return far
  }
  const open = async () => {
    await tested.start()
    server().onOpen()
  }
  const end = () => {
    const last = states.at(-1)
    return last?.phase === 'ended' ? last.end : undefined
  }
  return { tested, connection, sent, drawn, states, seen, server, open, end }
}

export const hex = (data: string | Uint8Array) => (typeof data === 'string' ? data : Buffer.from(data).toString('hex'))
