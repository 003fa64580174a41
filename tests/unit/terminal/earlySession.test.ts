import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EarlyScreen } from '../../../src/custom/terminal/screen/earlyScreen.ts'
import type { Screen, ScreenAppearance, ScreenEvents } from '../../../src/custom/terminal/screen/screen.ts'
import { startEarly, takeEarlyScreen, withEarlySession } from '../../../src/custom/terminal/session/earlySession.ts'
import type { SessionServices } from '../../../src/custom/terminal/session/terminalSession.ts'
import type { TerminalSocket, TerminalSocketEvents } from '../../../src/custom/terminal/socket/terminalSocket.ts'

const early = 4
const other = 5
const options = { flowWindow: 100, offset: 0 }
const piece = { bytes: new TextEncoder().encode('root@vm:~# ') }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  // What a test has left waiting belongs to that test.
  vi.runAllTimers()
  vi.useRealTimers()
})

/** Services that count what is asked of them; the far ends of their sockets are played by the test. */
function countingServices(create?: SessionServices['create']) {
  const asked = { sessions: 0, closed: 0 }
  const far: TerminalSocketEvents[] = []
  const services: SessionServices & Pick<Parameters<typeof startEarly>[1], 'loadScreen'> = {
    create: create ?? (async () => ({ session_id: `s-${++asked.sessions}` })),
    features: async () => ({ flowWindow: 100 }),
    open: (_id, _options, events): TerminalSocket => {
      far.push(events)
      return { send: () => {}, buffered: 0, close: () => void asked.closed++, drop: () => {} }
    },
    probe: async () => true,
    skippedNotice: () => '',
    loadScreen: () => Promise.reject(new Error('there is no code for a screen')),
  }
  return { asked, far, services }
}

function recordEvents() {
  const received: string[] = []
  const events: TerminalSocketEvents = {
    onOpen: () => void received.push('open'),
    onOutput: async ({ bytes }) => void received.push(new TextDecoder().decode(bytes)),
    onClose: (code) => void received.push(`closed ${code}`),
  }
  return { received, events }
}

const settle = () => vi.advanceTimersByTimeAsync(0)

describe('A shell that was started before its page was drawn', () => {
  it('goes to the first session on its server, with all of its output', async () => {
    const { asked, far, services } = countingServices()
    startEarly(early, services)
    await settle()
    far[0]?.onOpen()
    const drawn = far[0]?.onOutput(piece)

    const page = withEarlySession(services)
    const { session_id } = await page.create(early)
    const { received, events } = recordEvents()
    page.open(session_id, options, events)
    await drawn
    far[0]?.onClose(1000)
    await settle()
    expect(received).toEqual(['open', 'root@vm:~# ', 'closed 1000'])
    expect([asked.sessions, far.length, asked.closed]).toEqual([1, 1, 0])
  })

  it('takes no more output than one piece until a session shows it', async () => {
    const { far, services } = countingServices()
    startEarly(early, services)
    await settle()
    let isTaken = false
    void Promise.resolve(far[0]?.onOutput(piece)).then(() => {
      isTaken = true
    })
    await settle()
    expect(isTaken).toBe(false)
  })

  it('is not given to a second session, nor to one on another server', async () => {
    const { asked, far, services } = countingServices()
    startEarly(early, services)
    await settle()
    const page = withEarlySession(services)
    expect(await page.create(other)).toEqual({ session_id: 's-2' })
    page.open('s-2', options, recordEvents().events)
    expect(await page.create(early)).toEqual({ session_id: 's-1' })
    page.open('s-1', options, recordEvents().events)
    expect(await page.create(early)).toEqual({ session_id: 's-3' })
    page.open('s-3', options, recordEvents().events)
    expect([asked.sessions, far.length]).toEqual([3, 3])
  })

  it('is connected by the session that takes it before the server has answered', async () => {
    const { far, services } = countingServices()
    startEarly(early, services)
    const page = withEarlySession(services)
    const { session_id } = await page.create(early)
    const { received, events } = recordEvents()
    page.open(session_id, options, events)
    await settle()
    expect(far).toHaveLength(1)
    far[0]?.onOpen()
    expect(received).toEqual(['open'])
  })

  it('that was refused is asked for again by the session that takes it, and refused to that', async () => {
    const create = vi.fn<SessionServices['create']>().mockRejectedValueOnce(new Error('the session has ended'))
    create.mockRejectedValueOnce(new Error('the server is offline')).mockResolvedValueOnce({ session_id: 's-3' })
    const { far, services } = countingServices(create)
    startEarly(early, services)
    await settle()
    const page = withEarlySession(services)
    await expect(page.create(early)).rejects.toThrow('the server is offline')
    expect(await page.create(early)).toEqual({ session_id: 's-3' })
    page.open('s-3', options, recordEvents().events)
    expect(far).toHaveLength(1)
  })

  it('is ended when nobody takes it in thirty seconds', async () => {
    const { asked, services } = countingServices()
    startEarly(early, services)
    await vi.advanceTimersByTimeAsync(30_001)
    expect(asked.closed).toBe(1)
    expect(await withEarlySession(services).create(early)).toEqual({ session_id: 's-2' })
  })
})

/** A screen that remembers what it showed and what became of it. */
function recordScreen() {
  const happened: string[] = []
  const { promise: loaded, resolve: load } = Promise.withResolvers<void>()
  const screen: EarlyScreen = {
    show: (output) => void happened.push(new TextDecoder().decode(output)),
    take: () => {
      happened.push('taken')
      return {} as Screen
    },
    dispose: () => void happened.push('disposed'),
  }
  const loadScreen = async () => {
    await loaded
    return () => screen
  }
  return { happened, load, loadScreen }
}

const look = [{} as ScreenAppearance, {} as ScreenEvents] as const

describe('The screen of such a shell', () => {
  it.each(['before', 'after'] as const)('shows the first output when its code has come %s that', async (order) => {
    const { far, services } = countingServices()
    const { happened, load, loadScreen } = recordScreen()
    startEarly(early, { ...services, loadScreen })
    await settle()
    if (order === 'before') load()
    await settle()
    void far[0]?.onOutput(piece)
    load()
    await settle()
    expect(happened).toEqual(['root@vm:~# '])
  })

  it('goes to the page, which is told what is on it already', async () => {
    const { far, services } = countingServices()
    const { happened, load, loadScreen } = recordScreen()
    startEarly(early, { ...services, loadScreen })
    load()
    await settle()
    // Shells switch modes on first, and write their prompt after that.
    const modes = { bytes: new TextEncoder().encode('\x1b[?2004h') }
    await far[0]?.onOutput(modes)
    await far[0]?.onOutput(piece)
    expect(takeEarlyScreen(other, ...look)).toBeUndefined()
    expect(takeEarlyScreen(early, ...look)).toBeDefined()
    const page = withEarlySession(services)
    const { session_id } = await page.create(early)
    const onOutput = vi.fn<TerminalSocketEvents['onOutput']>()
    page.open(session_id, options, { ...recordEvents().events, onOutput })
    await settle()
    void far[0]?.onOutput(piece)
    await settle()
    expect(onOutput.mock.calls).toEqual([[{ ...modes, isShown: true }], [{ ...piece, isShown: true }], [piece]])
    expect(happened).toEqual(['\x1b[?2004h', 'root@vm:~# ', 'taken'])
    expect(takeEarlyScreen(early, ...look)).toBeUndefined()
  })

  it('is not made when its code comes after the page, which is given all output', async () => {
    const { far, services } = countingServices()
    const { happened, load, loadScreen } = recordScreen()
    startEarly(early, { ...services, loadScreen })
    await settle()
    void far[0]?.onOutput(piece)
    expect(takeEarlyScreen(early, ...look)).toBeUndefined()
    const page = withEarlySession(services)
    const { session_id } = await page.create(early)
    load()
    const { received, events } = recordEvents()
    page.open(session_id, options, events)
    await settle()
    expect([happened, received]).toEqual([[], ['root@vm:~# ']])
  })

  it('shows no flood: the server keeps what is more than a prompt', async () => {
    const { far, services } = countingServices()
    const { happened, load, loadScreen } = recordScreen()
    startEarly(early, { ...services, loadScreen })
    load()
    await settle()
    const line = { bytes: new TextEncoder().encode(`${'x'.repeat(32 * 1024 - 1)}\n`) }
    let read = 0
    const flood = async () => {
      for (; read < 10; read += 1) await far[0]?.onOutput(line)
    }
    void flood()
    await settle()
    expect([read, happened.length]).toEqual([3, 3])
  })

  it('shows no output in front of which something was left out: the page says so', async () => {
    const { far, services } = countingServices()
    const { happened, load, loadScreen } = recordScreen()
    startEarly(early, { ...services, loadScreen })
    load()
    await settle()
    void far[0]?.onOutput({ ...piece, skipped: { bytes: 10, modes: '' } })
    await settle()
    expect(happened).toEqual([])
  })

  it.each([
    ['the server refuses a shell', { create: () => Promise.reject(new Error('offline')) }],
    ['nobody is signed in', { features: () => Promise.reject(new Error('Nobody is signed in.')) }],
  ])('is not there when %s', async (_reason, refusal) => {
    const { services } = countingServices()
    const { happened, load, loadScreen } = recordScreen()
    startEarly(early, { ...services, ...refusal, loadScreen })
    load()
    await settle()
    expect(takeEarlyScreen(early, ...look)).toBeUndefined()
    expect(happened).toEqual([])
  })

  it('goes with the shell that nobody has taken in thirty seconds', async () => {
    const { far, services } = countingServices()
    const { happened, load, loadScreen } = recordScreen()
    startEarly(early, { ...services, loadScreen })
    load()
    await settle()
    void far[0]?.onOutput(piece)
    await vi.advanceTimersByTimeAsync(30_001)
    expect(happened).toEqual(['root@vm:~# ', 'disposed'])
    expect(takeEarlyScreen(early, ...look)).toBeUndefined()
  })
})
