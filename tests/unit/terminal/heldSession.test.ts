import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { shellEndedCode, takenOverCode } from '../../../src/schemas/frames/terminal.ts'
import { prompt, terminalSession } from '../../support/fakes/terminalSession.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const features = async () => ({ holdMinutes: 10 })
const bytes = (text: string) => ({ bytes: new TextEncoder().encode(text) })
const settle = () => vi.advanceTimersByTimeAsync(0)

describe('A session whose connection is lost', () => {
  it('comes back to the same shell with what it has, where the server holds it', async () => {
    const { open, server, seen, states, drawn } = terminalSession({ services: { features } })
    await open()
    void server().onOutput(prompt)
    server().onClose(1006)
    expect(states.at(-1)).toEqual({ phase: 'lost' })
    await settle()
    expect(seen).toMatchObject({ opened: 'abc', options: { offset: prompt.bytes.length } })
    server().onOpen()
    server().onPast?.({ from: prompt.bytes.length, to: prompt.bytes.length + 4, modes: '' })
    void server().onOutput(bytes('more'))
    expect(states.at(-1)).toEqual({ phase: 'open' })
    expect(seen.returned).toEqual(['same'])
    expect(Buffer.concat(drawn as Uint8Array[]).toString()).toBe('root@vm:~# more')
  })

  it('is connected again at once after the computer has slept, though the browser has not noticed', async () => {
    const { open, server, seen, states } = terminalSession({ services: { features } })
    await open()
    void server().onOutput(prompt)
    // As in a hidden tab, whose timers come once a minute.
    vi.setSystemTime(Date.now() + 60_000)
    await vi.advanceTimersByTimeAsync(5_000)
    expect([seen.dropped, states.at(-1)]).toEqual([false, { phase: 'open' }])
    vi.setSystemTime(Date.now() + 300_000)
    await vi.advanceTimersByTimeAsync(5_001)
    // To close it, where the server has it still, would end the shell.
    expect(seen).toMatchObject({ dropped: true, closed: false, options: { offset: prompt.bytes.length } })
    server().onOpen()
    expect(states.at(-1)).toEqual({ phase: 'open' })
  })

  it('sends what is typed right after a sleep when it is connected again', async () => {
    const { tested, open, server, sent } = terminalSession({ services: { features } })
    await open()
    vi.setSystemTime(Date.now() + 300_000)
    tested.type('ls\r')
    expect(sent).toEqual([])
    await settle()
    server().onOpen()
    expect(sent).toEqual(['ls\r'])
  })

  it('is left alone after a sleep in front of a server that holds none: it may still be there', async () => {
    const { open, seen, states } = terminalSession()
    await open()
    vi.setSystemTime(Date.now() + 300_000)
    await vi.advanceTimersByTimeAsync(5_000)
    expect([seen.closed, states.at(-1)]).toEqual([false, { phase: 'open' }])
  })

  it('ends as before in front of a server that holds none', async () => {
    const { open, server, end } = terminalSession()
    await open()
    void server().onOutput(prompt)
    server().onClose(1006)
    await settle()
    expect(end()).toEqual({ reason: 'completed', hadShell: true })
  })

  it.each([
    [shellEndedCode, 'completed'],
    [takenOverCode, 'taken'],
    [4004, 'offline'],
    [1009, 'tooLarge'],
  ])('ends with code %i, which says that it is not only the connection', async (code, reason) => {
    const { open, server, end, seen } = terminalSession({ services: { features } })
    await open()
    void server().onOutput(prompt)
    server().onClose(code)
    await settle()
    expect(end()).toMatchObject({ reason })
    expect(seen.options).toEqual({ holdMinutes: 10, offset: 0 })
  })

  it('tries again while the server cannot be reached, until it holds the shell no more', async () => {
    const services = { features, probe: () => Promise.reject(new Error('away')) }
    const { open, server, end, tested } = terminalSession({ services })
    await open()
    vi.advanceTimersByTime(20_000)
    server().onClose(1006)
    for (let minute = 0; minute < 12; minute += 1) {
      await vi.advanceTimersByTimeAsync(60_000)
      server().onClose(1006)
      await settle()
    }
    expect(end()).toMatchObject({ reason: 'away' })
    expect(tested.held).toMatchObject({ sessionId: 'abc' })
  })

  it('says when the shell has ended meanwhile', async () => {
    const { open, server, end } = terminalSession({ services: { features } })
    await open()
    void server().onOutput(prompt)
    server().onClose(1006)
    await settle()
    server().onClose(1006)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(end()).toBeUndefined()
    server().onClose(1006)
    await settle()
    expect(end()).toEqual({ reason: 'gone', hadShell: true })
  })

  it('comes back to its shell when only the first connection after the loss failed', async () => {
    const { open, server, end, states } = terminalSession({ services: { features } })
    await open()
    server().onClose(1006)
    await settle()
    server().onClose(1006)
    await vi.advanceTimersByTimeAsync(1_000)
    server().onOpen()
    server().onPast?.({ from: 0, to: 0, modes: '' })
    expect([end(), states.at(-1)]).toEqual([undefined, { phase: 'open' }])
  })

  it('names what the server has dropped, with the modes that it had set', async () => {
    const { open, server, drawn } = terminalSession({ services: { features } })
    await open()
    server().onClose(1006)
    await settle()
    server().onOpen()
    server().onPast?.({ from: 7, to: 7, modes: '\x1b[?25l' })
    void server().onOutput(bytes('next'))
    expect(Buffer.concat(drawn as Uint8Array[]).toString()).toBe('\x18\x1b[0m\r\n[7]\r\n\x1b[?25lnext')
  })
})

describe('A session of a page that was loaded again', () => {
  const held = { sessionId: 'held', offset: 0 }

  it('asks for its shell from the beginning, and creates none', async () => {
    const create = vi.fn()
    const { open, seen } = terminalSession({ services: { features, create }, held })
    await open()
    expect(seen).toMatchObject({ opened: 'held', options: { offset: 0 } })
    expect(create).not.toHaveBeenCalled()
  })

  it('gets a new shell, and says so, where its own has ended', async () => {
    const { tested, server, seen } = terminalSession({ services: { features }, held })
    await tested.start()
    server().onClose(1006)
    await settle()
    expect(seen).toMatchObject({ opened: 'abc', returned: ['new'] })
  })

  it('gets a new shell where the server has stopped to hold any', async () => {
    const { tested, seen } = terminalSession({ held })
    expect(tested.held).toEqual(held)
    await tested.start()
    await settle()
    expect(seen).toMatchObject({ opened: 'abc', options: { offset: 0 }, returned: ['new'] })
    expect(tested.held).toBeUndefined()
  })

  it('does not answer again what programs had asked the terminal', async () => {
    const { tested, open, server, sent } = terminalSession({ services: { features }, held })
    await open()
    server().onPast?.({ from: 0, to: 6, modes: '' })
    sent.length = 0
    tested.type('\x1b[?1;2c')
    void server().onOutput(bytes('\x1b[c$ x'))
    tested.type('\x1b[?1;2c')
    expect(sent).toEqual(['\x1b[?1;2c'])
    tested.type('ls')
    expect(sent).toEqual(['\x1b[?1;2c', 'ls'])
  })
})
