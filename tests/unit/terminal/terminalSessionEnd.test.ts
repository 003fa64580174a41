import { HttpError } from 'ra-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { prompt, terminalSession } from '../../support/fakes/terminalSession.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
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
    const { tested, end } = terminalSession({ services: refusal(text, status) })
    await tested.start()
    expect(end()).toEqual({ reason, message: text, hadShell: false })
  })

  it('that follows a shell is one that completed', async () => {
    const { open, server, end, seen } = terminalSession()
    await open()
    void server().onOutput(prompt)
    server().onClose(1006)
    await vi.runAllTimersAsync()
    expect(end()).toEqual({ reason: 'completed', hadShell: true })
    expect(seen).toMatchObject({ closed: true, errors: 0 })
  })

  it('after ten silent seconds means that the machine takes no commands', async () => {
    const { open, server, end, seen } = terminalSession()
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
    const { open, server, end, seen } = terminalSession()
    await open()
    server().onClose(code)
    await vi.runAllTimersAsync()
    expect(end()).toEqual({ reason, hadShell: false })
    expect(seen.errors).toBe(0)
  })

  it('before it opened is a refused upgrade, when the server answers all else', async () => {
    const { tested, server, end, seen } = terminalSession()
    await tested.start()
    server().onError?.()
    server().onClose(1006)
    await vi.runAllTimersAsync()
    expect(end()).toEqual({ reason: 'refused', hadShell: false })
    expect(seen.errors).toBe(1)
  })

  it('is the server’s, when it cannot be reached any more', async () => {
    const { open, server, end } = terminalSession({ services: { probe: () => Promise.reject(new HttpError('', 0)) } })
    await open()
    void server().onOutput(prompt)
    server().onClose(1006)
    await vi.runAllTimersAsync()
    expect(end()).toEqual({ reason: 'away', hadShell: true })
  })

  it('is that of the user’s session, when the server no longer accepts it', async () => {
    const { open, server, end } = terminalSession({ services: { probe: async () => false } })
    await open()
    server().onClose(1006)
    await vi.runAllTimersAsync()
    expect(end()?.reason).toBe('signedOut')
  })

  it('with the person’s session closes the connection, even while it is asked why the connection broke', async () => {
    const one = terminalSession()
    await one.open()
    one.tested.signOut()
    expect(one.end()).toEqual({ reason: 'signedOut', hadShell: false })
    expect(one.seen.closed).toBe(true)
    const other = terminalSession({ services: { probe: () => new Promise(() => {}) } })
    await other.open()
    void other.server().onOutput(prompt)
    other.server().onClose(1006)
    other.tested.signOut()
    expect(other.end()).toEqual({ reason: 'signedOut', hadShell: true })
  })

  it('by a message that was too large has that reason', async () => {
    const { open, server, end } = terminalSession()
    await open()
    server().onClose(1009)
    await vi.runAllTimersAsync()
    expect(end()?.reason).toBe('tooLarge')
  })

  it('that the user asked for reports nothing, also while the call is under way', async () => {
    const { tested, states, seen } = terminalSession()
    const started = tested.start()
    tested.close()
    await started
    expect(states.map(({ phase }) => phase)).toEqual(['starting'])
    expect(seen.opened).toBe('')
  })
})
