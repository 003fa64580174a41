// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { clearSessionCookies } from '../../../src/session/token.ts'
import { receiveToken } from '../../support/console/sessionToken.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** A tab of its own: modules that remember things are new in it, cookies and store are the browser's. */
async function openTab() {
  vi.resetModules()
  const { keepRenewing, renewAfterCall } = await import('../../../src/session/renewal.ts')
  const { recordTokenReceipt } = await import('../../../src/session/tokenAge.ts')
  return { keepRenewing, renewAfterCall, recordTokenReceipt }
}

/** Answers a renewal with the next token. */
const renewing = (life = 3600) => {
  let issued = 1_800_000_000
  return vi.fn(async () => {
    issued += life / 2
    receiveToken({ life, issued })
  })
}

/** The browser's locks, shared by all tabs. */
function stubLocks() {
  const held = new Set<string>()
  const request = async (name: string, _options: unknown, work: (lock: unknown) => unknown) => {
    if (held.has(name)) return work(null)
    held.add(name)
    try {
      return await work({ name })
    } finally {
      held.delete(name)
    }
  }
  vi.stubGlobal('navigator', { locks: { request } })
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
let stops: (() => void)[] = []

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-21T00:00:00Z') })
  stubLocks()
  stops = []
})

afterEach(() => {
  for (const stop of stops) stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  clearSessionCookies()
  localStorage.clear()
})

/** A tab in which somebody has just signed in, and that renews by itself. */
async function signedInTab(life = 3600, renew = renewing(life)) {
  const tab = await openTab()
  receiveToken({ life })
  tab.recordTokenReceipt()
  stops.push(tab.keepRenewing(renew))
  return { ...tab, renew }
}

describe('A session', () => {
  it('of a tab that nobody uses is renewed when three quarters of its life are over, and again after that', async () => {
    const { renew } = await signedInTab()
    await pass(44 * minute)
    expect(renew).not.toHaveBeenCalled()
    await pass(2 * minute)
    expect(renew).toHaveBeenCalledTimes(1)
    await pass(43 * minute)
    expect(renew).toHaveBeenCalledTimes(1)
    await pass(2 * minute)
    expect(renew).toHaveBeenCalledTimes(2)
  })

  it('that lives a day is renewed once an hour while it is in use, and after 18 hours when it is not', async () => {
    const { renew, renewAfterCall } = await signedInTab(24 * 3600)
    await pass(59 * minute)
    renewAfterCall(renew)
    expect(renew).not.toHaveBeenCalled()
    await pass(2 * minute)
    for (let call = 0; call < 5; call++) renewAfterCall(renew)
    await pass(0)
    expect(renew).toHaveBeenCalledTimes(1)
    await pass(17 * 60 * minute)
    expect(renew).toHaveBeenCalledTimes(1)
    await pass(61 * minute)
    expect(renew).toHaveBeenCalledTimes(2)
  })

  it('is checked when somebody comes back to a tab whose timers slept', async () => {
    const { renew } = await signedInTab()
    vi.setSystemTime(Date.now() + 50 * minute)
    document.dispatchEvent(new Event('visibilitychange'))
    await pass(0)
    expect(renew).toHaveBeenCalledTimes(1)
  })

  it.each([
    ['a day behind', -day],
    ['a day ahead', day],
  ])('lasts as long as ever by a clock that is %s', async (_, wrong) => {
    vi.setSystemTime(Date.now() + wrong)
    const { renew } = await signedInTab()
    await pass(44 * minute)
    expect(renew).not.toHaveBeenCalled()
    await pass(2 * minute)
    expect(renew).toHaveBeenCalledTimes(1)
  })

  it('is renewed once when the clock is put right, not over and over', async () => {
    const { renew, renewAfterCall } = await signedInTab()
    vi.setSystemTime(Date.now() - day)
    for (let call = 0; call < 5; call++) {
      renewAfterCall(renew)
      await pass(1000)
    }
    expect(renew).toHaveBeenCalledTimes(1)
  })

  it('whose age nobody knows is renewed with the first call', async () => {
    const { renewAfterCall } = await openTab()
    const renew = renewing()
    receiveToken()
    renewAfterCall(renew)
    renewAfterCall(renew)
    await pass(0)
    expect(renew).toHaveBeenCalledTimes(1)
  })

  it('is renewed by one of two tabs', async () => {
    const renew = renewing()
    await signedInTab(3600, renew)
    const other = await openTab()
    stops.push(other.keepRenewing(renew))
    await pass(50 * minute)
    other.renewAfterCall(renew)
    await pass(minute)
    expect(renew).toHaveBeenCalledTimes(1)
  })

  it('is not renewed again by a tab that sees the new token before the time it was received', async () => {
    const { renew } = await signedInTab()
    const other = await openTab()
    await pass(45 * minute)
    expect(renew).toHaveBeenCalledTimes(1)
    const receipt = localStorage.getItem('wheelhouse.session') as string
    localStorage.removeItem('wheelhouse.session')
    vi.setSystemTime(Date.now() - 50)
    other.renewAfterCall(renew)
    localStorage.setItem('wheelhouse.session', receipt)
    await pass(10)
    other.renewAfterCall(renew)
    await pass(minute)
    expect(renew).toHaveBeenCalledTimes(1)
  })

  it('that could not be renewed is tried again a minute later, and nobody is signed out', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const renew = renewing().mockRejectedValueOnce(new Error('the server is away'))
    const { renewAfterCall } = await signedInTab(3600, renew)
    await pass(45 * minute)
    renewAfterCall(renew)
    expect(renew).toHaveBeenCalledTimes(1)
    expect(warned).toHaveBeenCalledOnce()
    expect(document.cookie).toContain('nz-jwt')
    await pass(minute)
    expect(renew).toHaveBeenCalledTimes(2)
  })

  it('leaves nothing of its token in the store', async () => {
    await signedInTab()
    const stored = JSON.stringify(Object.values(localStorage))
    const parts = document.cookie.replace('nz-jwt=', '').split('.')
    expect(parts.filter((part) => stored.includes(part))).toEqual([])
  })
})
