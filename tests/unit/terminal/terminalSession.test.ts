import { HttpError } from 'ra-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import recorded from '../../../docs/contract/recordings/ws-terminal-session.json' with { type: 'json' }
import {
  type SessionServices,
  type SessionState,
  TerminalSession,
} from '../../../src/custom/terminal/session/terminalSession.ts'
import type { TerminalSocket, TerminalSocketEvents } from '../../../src/custom/terminal/socket/terminalSocket.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const prompt = { bytes: new Uint8Array(new TextEncoder().encode('root@vm:~# ')) }

/** A session whose server and screen are played by the test. */
function session({
  services = {},
  size = { rows: 40, cols: 120 },
}: {
  services?: Partial<SessionServices>
  size?: object
} = {}) {
  const sent: (string | Uint8Array)[] = []
  const drawn: (Uint8Array | string)[] = []
  const states: SessionState[] = []
  const seen = {
    errors: 0,
    name: '',
    opened: '',
    flowWindow: undefined as number | undefined,
    closed: false,
    skipped: [] as number[],
  }
  const connection: TerminalSocket & { buffered: number } = {
    buffered: 0,
    send: (message) => void sent.push(message),
    close: () => {
      seen.closed = true
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
      flowWindow: async () => undefined,
      open: (id, flowWindow, events) => {
        Object.assign(seen, { opened: id, flowWindow })
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
      onSkipped: (bytes) => seen.skipped.push(bytes),
    },
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

const hex = (data: string | Uint8Array) => (typeof data === 'string' ? data : Buffer.from(data).toString('hex'))

describe('A terminal session', () => {
  it('is requested, opens, and gets the server’s name', async () => {
    const { open, states, seen } = session()
    await open()
    expect(states.map(({ phase }) => phase)).toEqual(['starting', 'open'])
    expect(seen).toMatchObject({ opened: 'abc', flowWindow: undefined, name: 'web-1' })
  })

  it('connects as the server says how much it sends before it waits', async () => {
    const { open, seen } = session({ services: { flowWindow: async () => 262_144 } })
    await open()
    expect(seen.flowWindow).toBe(262_144)
  })

  it('sends, frame by frame, what a recorded session has sent', async () => {
    const { tested, open, sent } = session()
    await open()
    vi.advanceTimersByTime(1_500)
    for (const text of ['stty size\r', 'echo hi\r', 'exit\r']) tested.type(text)
    const real = recorded
      .filter(({ dir, opcode, hex: bytes }) => dir === 'out' && (opcode === 'text' || bytes?.startsWith('01')))
      .map(({ text, hex: bytes }) => text ?? bytes)
    expect(sent.map(hex)).toEqual(real)
  })

  it('sends its size 1.5 s after it opened and not before, then on every resize, once the window rests', async () => {
    const size = { rows: 40, cols: 120 }
    const { tested, open, sent } = session({ size })
    await open()
    tested.resized()
    vi.advanceTimersByTime(1_499)
    expect(sent).toEqual([])
    vi.advanceTimersByTime(1)
    expect(sent.map(hex)).toEqual([`01${Buffer.from('{"Rows":40,"Cols":120}').toString('hex')}`])
    for (let step = 0; step < 5; step += 1) {
      size.cols += 1
      tested.resized()
      vi.advanceTimersByTime(50)
    }
    vi.advanceTimersByTime(100)
    expect(sent.slice(1).map(hex)).toEqual([`01${Buffer.from('{"Rows":40,"Cols":125}').toString('hex')}`])
  })

  it('reports skipped output once for a whole flood, and at the latest with its end', async () => {
    const { open, server, seen } = session()
    await open()
    for (let piece = 0; piece < 5; piece += 1) {
      void server().onOutput({ ...prompt, skipped: { bytes: 100, modes: '' } })
      vi.advanceTimersByTime(900)
    }
    expect(seen.skipped).toEqual([])
    void server().onOutput(prompt)
    vi.advanceTimersByTime(100)
    expect(seen.skipped).toEqual([500])
    void server().onOutput({ ...prompt, skipped: { bytes: 7, modes: '' } })
    server().onClose(1006)
    vi.advanceTimersByTime(2000)
    expect(seen.skipped).toEqual([500, 7])
  })

  it('keeps what is typed before it is open, and sends it then', async () => {
    const { tested, server, sent } = session()
    await tested.start()
    tested.type('ls\r')
    expect(sent).toEqual([])
    server().onOpen()
    expect(sent).toEqual(['ls\r'])
  })

  it('sends a long paste in several messages and waits while the network is behind', async () => {
    const { tested, open, connection, sent } = session()
    await open()
    connection.buffered = 2_000_000
    const paste = `\x1b[200~${'語'.repeat(300_000)}\x1b[201~`
    tested.type(paste)
    expect(sent).toEqual([])
    connection.buffered = 0
    vi.advanceTimersByTime(20)
    expect(sent.join('')).toBe(paste)
    expect(Math.max(...sent.map((part) => Buffer.byteLength(part as string)))).toBeLessThanOrEqual(256 * 1024)
  })

  it('sends Ctrl-C at once: the rest of a paste is left out, the mark at its end is not', async () => {
    const { tested, open, connection, sent } = session()
    await open()
    connection.buffered = 2_000_000
    tested.type(`\x1b[200~${'x'.repeat(1_000_000)}\x1b[201~`)
    tested.type('\x03')
    connection.buffered = 0
    vi.advanceTimersByTime(20)
    expect(sent).toEqual(['\x1b[201~', '\x03'])
  })

  it('sends reports that are no text as bytes of input', async () => {
    const { tested, open, sent } = session()
    await open()
    tested.typeBytes('\x1b[M \xff')
    expect(sent.map(hex)).toEqual(['001b5b4d20ff'])
  })

  it('draws bytes as they come: a character cut in two stays whole', async () => {
    const { open, server, drawn } = session()
    await open()
    const bytes = new Uint8Array(new TextEncoder().encode('語'))
    void server().onOutput({ bytes: bytes.slice(0, 2) })
    void server().onOutput({ bytes: bytes.slice(2) })
    expect(Buffer.concat(drawn as Uint8Array[]).toString()).toBe('語')
  })
})

describe('The end of a session', () => {
  const refusal = (text: string, status = 200) => ({
    create: () => Promise.reject(new HttpError(text, status)),
  })

  it.each([
    ['server not found or not connected', 200, 'offline'],
    ['too many concurrent streams for this user', 200, 'tooMany'],
    ['too many concurrent streams for this server', 200, 'tooMany'],
    ['permission denied', 200, 'failed'],
    ['ApiErrorUnauthorized', 401, 'signedOut'],
    ['app.error.unreachable', 0, 'away'],
  ])('is told by a refused call: %s', async (text, status, reason) => {
    const { tested, end } = session({ services: refusal(text, status) })
    await tested.start()
    expect(end()).toEqual({ reason, message: text, hadShell: false })
  })

  it('that follows a shell is one that completed', async () => {
    const { open, server, end, seen } = session()
    await open()
    void server().onOutput(prompt)
    server().onClose(1006)
    await vi.runAllTimersAsync()
    expect(end()).toEqual({ reason: 'completed', hadShell: true })
    expect(seen).toMatchObject({ closed: true, errors: 0 })
  })

  it('after ten silent seconds means that the machine takes no commands', async () => {
    const { open, server, end, seen } = session()
    await open()
    vi.advanceTimersByTime(10_012)
    server().onClose(1006)
    await vi.runAllTimersAsync()
    expect(end()).toEqual({ reason: 'silent', hadShell: false })
    expect(seen.errors).toBe(1)
  })

  it.each([
    [4001, 'disabled'],
    [4002, 'silent'],
    [4003, 'tooMany'],
    [4004, 'offline'],
  ])('with the code %i of this server says why the machine opened none: %s', async (code, reason) => {
    const { open, server, end, seen } = session()
    await open()
    server().onClose(code)
    await vi.runAllTimersAsync()
    expect(end()).toEqual({ reason, hadShell: false })
    expect(seen.errors).toBe(0)
  })

  it('before it opened is a refused upgrade, when the server answers all else', async () => {
    const { tested, server, end, seen } = session()
    await tested.start()
    server().onError?.()
    server().onClose(1006)
    await vi.runAllTimersAsync()
    expect(end()).toEqual({ reason: 'refused', hadShell: false })
    expect(seen.errors).toBe(1)
  })

  it('is the server’s, when it cannot be reached any more', async () => {
    const { open, server, end } = session({ services: { probe: () => Promise.reject(new HttpError('', 0)) } })
    await open()
    void server().onOutput(prompt)
    server().onClose(1006)
    await vi.runAllTimersAsync()
    expect(end()).toEqual({ reason: 'away', hadShell: true })
  })

  it('is that of the user’s session, when the server no longer accepts it', async () => {
    const { open, server, end } = session({ services: { probe: async () => false } })
    await open()
    server().onClose(1006)
    await vi.runAllTimersAsync()
    expect(end()?.reason).toBe('signedOut')
  })

  it('with the person’s session closes the connection, even while it is asked why the connection broke', async () => {
    const one = session()
    await one.open()
    one.tested.signOut()
    expect(one.end()).toEqual({ reason: 'signedOut', hadShell: false })
    expect(one.seen.closed).toBe(true)
    const other = session({ services: { probe: () => new Promise(() => {}) } })
    await other.open()
    void other.server().onOutput(prompt)
    other.server().onClose(1006)
    other.tested.signOut()
    expect(other.end()).toEqual({ reason: 'signedOut', hadShell: true })
  })

  it('by a message that was too large has that reason', async () => {
    const { open, server, end } = session()
    await open()
    server().onClose(1009)
    await vi.runAllTimersAsync()
    expect(end()?.reason).toBe('tooLarge')
  })

  it('that the user asked for reports nothing, also while the call is under way', async () => {
    const { tested, states, seen } = session()
    const started = tested.start()
    tested.close()
    await started
    expect(states.map(({ phase }) => phase)).toEqual(['starting'])
    expect(seen.opened).toBe('')
  })
})
