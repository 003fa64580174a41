import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Connection, ConnectionEvents } from '../../../src/api/sessionConnection.ts'
import { handleSocketRequests, type SocketMessage } from '../../../src/custom/terminal/socket/handleSocketRequests.ts'

beforeEach(() => void vi.useFakeTimers())

/** The worker's side of a session, between a page and a server that the test plays. */
function worker(flowWindow?: number, lines = 100) {
  const posted: SocketMessage[] = []
  const sent: (string | Uint8Array)[] = []
  let far: ConnectionEvents | undefined
  const connection: Connection & { buffered: number } = {
    buffered: 0,
    send: async (message) => void sent.push(message),
    close: () => {},
  }
  const { receive } = handleSocketRequests(
    (message) => posted.push(message),
    (_url, events) => {
      far = events
      return connection
    },
  )
  receive({ type: 'open', url: 'ws://x', flowWindow, lines })
  const server = far as unknown as ConnectionEvents
  server.onOpen()
  const outputs = () => posted.flatMap((message) => (message.type === 'output' ? [message.piece] : []))
  return { receive, server, posted, sent, connection, outputs }
}

const hex = (data: string | Uint8Array) => (typeof data === 'string' ? data : Buffer.from(data).toString('hex'))

describe('The socket of a terminal', () => {
  it('passes output on as the screen has room, and what comes meanwhile together', () => {
    const { receive, server, outputs } = worker()
    for (const text of ['a', 'b', 'c']) void server.onMessage(new Uint8Array(Buffer.from(text)))
    expect(outputs().map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['a'])
    receive({ type: 'more' })
    expect(outputs().map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['a', 'bc'])
  })

  it('reads on while the screen has no room, and leaves out what it will never show', () => {
    const { receive, server, outputs } = worker()
    for (let index = 0; index < 100; index += 1) void server.onMessage(new Uint8Array(Buffer.from('y\n'.repeat(100))))
    for (let count = 0; count < 10; count += 1) {
      vi.advanceTimersByTime(100)
      receive({ type: 'more' })
    }
    const skipped = outputs().reduce((sum, piece) => sum + (piece.skipped?.bytes ?? 0), 0)
    const shown = outputs().reduce((sum, { bytes }) => sum + bytes.length, 0)
    expect(skipped).toBeGreaterThan(15_000)
    expect(skipped + shown).toBe(20_000)
  })

  it('says that output is missing between what came before and what comes after it', () => {
    const { receive, server, posted } = worker()
    for (const text of ['a', 'b']) void server.onMessage(new Uint8Array(Buffer.from(text)))
    for (const from of [10, 20]) {
      server.onText?.(JSON.stringify({ from, to: 99, modes: '' }))
      void server.onMessage(new Uint8Array(Buffer.from(`from ${from}`)))
    }
    for (let count = 0; count < 3; count += 1) receive({ type: 'more' })
    const came = posted.flatMap((message): (string | number)[] => {
      if (message.type === 'output') return [Buffer.from(message.piece.bytes).toString()]
      return message.type === 'past' ? [message.word.from] : []
    })
    expect(came).toEqual(['a', 'b', 20, 'from 20'])
  })

  it('gives the page little while it leaves output out, and the rest a moment later', () => {
    const { receive, server, outputs } = worker()
    const flood = new Uint8Array(Buffer.from('y\n'.repeat(5000)))
    for (let ms = 0; ms < 1000; ms += 1) {
      void server.onMessage(flood.slice())
      receive({ type: 'more' })
      vi.advanceTimersByTime(1)
    }
    const bytes = () => outputs().reduce((sum, piece) => sum + piece.bytes.length, 0)
    expect(outputs().length).toBeGreaterThanOrEqual(5)
    expect(bytes()).toBeLessThan(100_000)
    void server.onMessage(new Uint8Array(Buffer.from('$ ')))
    for (let count = 0; count < 5; count += 1) {
      receive({ type: 'more' })
      vi.advanceTimersByTime(25)
    }
    expect(Buffer.from(outputs().at(-1)?.bytes ?? []).toString()).toMatch(/\$ $/)
  })

  it('keeps a thousand lines of a flood that Ctrl-C has ended, and all history of the output after it', () => {
    const { receive, server, outputs } = worker(undefined, 10_000)
    const lines = () =>
      outputs().reduce((sum, { bytes }) => sum + Buffer.from(bytes).toString().split('\n').length - 1, 0)
    const flood = (ms: number) => {
      for (let passed = 0; passed < ms; passed += 1) {
        void server.onMessage(new Uint8Array(Buffer.from('y\n'.repeat(5000))))
        vi.advanceTimersByTime(1)
      }
    }
    const readAll = () => {
      const before = lines()
      for (let count = 0; count < 10; count += 1) {
        receive({ type: 'more' })
        vi.advanceTimersByTime(200)
      }
      return lines() - before
    }
    flood(50)
    receive({ type: 'send', message: '\x03' })
    flood(5)
    const drawn = lines()
    for (let count = 0; count < 3; count += 1) {
      receive({ type: 'more' })
      vi.advanceTimersByTime(20)
    }
    expect(lines() - drawn).toBeGreaterThanOrEqual(1000)
    expect(readAll()).toBeLessThan(10_000)
    flood(50)
    vi.advanceTimersByTime(200)
    expect(readAll()).toBeGreaterThanOrEqual(10_000)
  })

  it('draws the prompt at once when the terminal has printed ^C: the flood before it is over', () => {
    const { receive, server, outputs } = worker(undefined, 10_000)
    const end = () =>
      outputs()
        .reduce((text, { bytes }) => text + Buffer.from(bytes).toString(), '')
        .slice(-6)
    for (let count = 0; count < 50; count += 1) void server.onMessage(new Uint8Array(Buffer.from('y\n'.repeat(1000))))
    receive({ type: 'send', message: '\x03' })
    receive({ type: 'more' })
    void server.onMessage(new Uint8Array(Buffer.from('y\ny\n^C\r\n')))
    for (let count = 0; count < 5; count += 1) receive({ type: 'more' })
    expect(end()).toBe('y\n^C\r\n')
    void server.onMessage(new Uint8Array(Buffer.from('$ ')))
    expect(end()).toBe('^C\r\n$ ')
  })

  it('does not hold back the output of a session that has ended', () => {
    const { receive, server, posted } = worker()
    for (let index = 0; index < 3; index += 1) void server.onMessage(new Uint8Array(Buffer.from('y\n'.repeat(1000))))
    server.onClose(1006)
    for (let count = 0; count < 10; count += 1) receive({ type: 'more' })
    expect(posted.at(-1)).toEqual({ type: 'closed', code: 1006 })
  })

  it('reports the end after all output', () => {
    const { receive, server, posted } = worker()
    void server.onMessage(new Uint8Array(Buffer.from('first')))
    void server.onMessage(new Uint8Array(Buffer.from('last')))
    server.onClose(1000)
    expect(posted.map(({ type }) => type)).toEqual(['opened', 'output'])
    receive({ type: 'more' })
    receive({ type: 'more' })
    expect(posted.map(({ type }) => type)).toEqual(['opened', 'output', 'output', 'closed'])
  })

  it('acknowledges what it has received where the server waits for it', () => {
    const { server, sent } = worker(262_144)
    for (let frame = 0; frame < 4; frame += 1) void server.onMessage(new Uint8Array(20_000))
    expect(sent.map(hex)).toEqual(['0200000000', '0200013880'])
  })

  it('acknowledges often enough for a small window, and not at all elsewhere', () => {
    const small = worker(16_384)
    void small.server.onMessage(new Uint8Array(16_384))
    expect(small.sent.map(hex)).toEqual(['0200000000', '0200004000'])
    const none = worker()
    void none.server.onMessage(new Uint8Array(500_000))
    expect(none.sent).toEqual([])
  })

  it('says that a message has left when the network is not behind any more', async () => {
    const { receive, posted, connection } = worker()
    connection.buffered = 1_000_000
    receive({ type: 'send', message: 'ls\r' })
    await vi.advanceTimersByTimeAsync(100)
    expect(posted.map(({ type }) => type)).toEqual(['opened'])
    connection.buffered = 0
    await vi.advanceTimersByTimeAsync(20)
    expect(posted.at(-1)).toEqual({ type: 'sent', bytes: 3 })
  })
})
