import { isSessionOver } from './sessionGate.ts'
import { noteReceipt, sessionAge } from './tokenReceived.ts'

type Renew = () => Promise<unknown>

const hour = 60 * 60_000
/** A token is renewed when three quarters of its life are over. */
const share = 0.75
/** How long to wait after a renewal that did not come about: it failed, or another tab is at it. */
const retryAfter = 60_000

/** One renewal at a time in all tabs. */
const lockName = 'wheelhouse.session'
/** The receipt of a new token reaches other tabs later than the token itself, which would count as old there. */
const receiptTravels = 1000
let isRenewing = false
let failedAt = Number.NEGATIVE_INFINITY

/**
 * Renews a session that is in use: after a successful call, hourly, or at 75 % of the token's life if that is
 * sooner. A renewal that fails is no sign-out; the token's own end is what counts.
 */
export function renewAfterCall(renew: Renew): void {
  if (performance.now() - failedAt < retryAfter) return
  void renewIfDue(renew, (life) => Math.min(hour, life * share))
}

/**
 * Renews the session of a tab that nobody uses: at 75 % of the token's life, by timer and on return. Returns how to
 * stop.
 */
export function keepRenewing(renew: Renew): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const plan = () => {
    clearTimeout(timer)
    const known = sessionAge()
    const left = known ? known.life * share - known.age : retryAfter
    timer = setTimeout(check, left > 0 ? left : retryAfter)
  }
  const check = async () => {
    await renewIfDue(renew, (life) => life * share)
    plan()
  }
  const onChange = () => {
    if (!document.hidden) void check()
  }
  document.addEventListener('visibilitychange', onChange)
  plan()
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', onChange)
  }
}

/** @param limit the age in ms from which a token of this life, in ms, is renewed */
async function renewIfDue(renew: Renew, limit: (life: number) => number): Promise<void> {
  const isDue = () => {
    const known = sessionAge()
    return known !== undefined && known.age >= limit(known.life)
  }
  if (isRenewing || isSessionOver() || !isDue()) return
  isRenewing = true
  const attempt = async () => {
    // Another tab may have renewed it while this one was waiting for its turn.
    if (!isDue()) return
    await renew()
    noteReceipt()
    await new Promise((resolve) => setTimeout(resolve, receiptTravels))
  }
  try {
    // Without TLS, and not on this machine, browsers offer no locks: then two tabs may renew at once, which is no harm.
    if (navigator.locks) await navigator.locks.request(lockName, { ifAvailable: true }, (lock) => lock && attempt())
    else await attempt()
  } catch (error) {
    failedAt = performance.now()
    console.warn('The session could not be renewed.', error)
  } finally {
    isRenewing = false
  }
}
