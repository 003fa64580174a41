import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import recorded from '../../../docs/contract/recordings/ws-terminal-session.json' with { type: 'json' }
import { hex, prompt, terminalSession } from '../../support/fakes/terminalSession.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('A terminal session', () => {
  it('is requested, opens, and gets the server’s name', async () => {
    const { open, states, seen } = terminalSession()
    await open()
    expect(states.map(({ phase }) => phase)).toEqual(['starting', 'open'])
    expect(seen).toMatchObject({ opened: 'abc', options: { offset: 0 }, name: 'web-1' })
  })

  it('connects as the server says how much it sends before it waits', async () => {
    const { open, seen } = terminalSession({ services: { features: async () => ({ flowWindow: 262_144 }) } })
    await open()
    expect(seen.options).toEqual({ flowWindow: 262_144, offset: 0 })
  })

  it('sends, frame by frame, what a recorded session has sent', async () => {
    const { tested, open, sent } = terminalSession()
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
    const { tested, open, sent } = terminalSession({ size })
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
    const { open, server, seen } = terminalSession()
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
    const { tested, server, sent } = terminalSession()
    await tested.start()
    tested.type('ls\r')
    expect(sent).toEqual([])
    server().onOpen()
    expect(sent).toEqual(['ls\r'])
  })

  it('sends a long paste in several messages and waits while the network is behind', async () => {
    const { tested, open, connection, sent } = terminalSession()
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
    const { tested, open, connection, sent } = terminalSession()
    await open()
    connection.buffered = 2_000_000
    tested.type(`\x1b[200~${'x'.repeat(1_000_000)}\x1b[201~`)
    tested.type('\x03')
    connection.buffered = 0
    vi.advanceTimersByTime(20)
    expect(sent).toEqual(['\x1b[201~', '\x03'])
  })

  it('sends reports that are no text as bytes of input', async () => {
    const { tested, open, sent } = terminalSession()
    await open()
    tested.typeBytes('\x1b[M \xff')
    expect(sent.map(hex)).toEqual(['001b5b4d20ff'])
  })

  it('draws bytes as they come: a character cut in two stays whole', async () => {
    const { open, server, drawn } = terminalSession()
    await open()
    const bytes = new Uint8Array(new TextEncoder().encode('語'))
    void server().onOutput({ bytes: bytes.slice(0, 2) })
    void server().onOutput({ bytes: bytes.slice(2) })
    expect(Buffer.concat(drawn as Uint8Array[]).toString()).toBe('語')
  })
})
