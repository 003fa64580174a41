import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startEarly, withEarlySession } from '../../../src/custom/terminal/session/earlySession.ts'
import type { SessionServices } from '../../../src/custom/terminal/session/terminalSession.ts'
import type { TerminalSocket, TerminalSocketEvents } from '../../../src/custom/terminal/socket/terminalSocket.ts'

const early = 4
const other = 5
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
  const services: SessionServices = {
    create: create ?? (async () => ({ session_id: `s-${++asked.sessions}` })),
    flowWindow: async () => 100,
    open: (_id, _flowWindow, events): TerminalSocket => {
      far.push(events)
      return { send: () => {}, buffered: 0, close: () => void asked.closed++ }
    },
    probe: async () => true,
    skippedNotice: () => '',
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
    page.open(session_id, 100, events)
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
    page.open('s-2', 100, recordEvents().events)
    expect(await page.create(early)).toEqual({ session_id: 's-1' })
    page.open('s-1', 100, recordEvents().events)
    expect(await page.create(early)).toEqual({ session_id: 's-3' })
    page.open('s-3', 100, recordEvents().events)
    expect([asked.sessions, far.length]).toEqual([3, 3])
  })

  it('is connected by the session that takes it before the server has answered', async () => {
    const { far, services } = countingServices()
    startEarly(early, services)
    const page = withEarlySession(services)
    const { session_id } = await page.create(early)
    const { received, events } = recordEvents()
    page.open(session_id, 100, events)
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
    page.open('s-3', 100, recordEvents().events)
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
