import { hasSessionEnded } from './sessionGate.ts'
import { recordTokenReceipt, tokenAge } from './tokenAge.ts'

type Renew = () => Promise<unknown>

const hourMs = 60 * 60_000
/** A token is renewed after three quarters of its lifetime. */
const renewalShare = 0.75
/** Pause after a renewal that failed, or that another tab is doing. */
const retryAfterMs = 60_000

/** One renewal at a time in all tabs. */
const lockName = 'wheelhouse.session'
/** Local storage reaches other tabs later than cookies: until then they would count the new token as old. */
const receiptDelayMs = 1000
let isRenewing = false
let failedAt = Number.NEGATIVE_INFINITY

/**
 * Renews a session in use: after a successful call, every hour, or at 75 % of the token's lifetime if that is sooner. A
 * failed renewal does not sign out; only the token's end does.
 */
export function renewAfterCall(renew: Renew): void {
  if (performance.now() - failedAt < retryAfterMs) return
  void renewIfDue(renew, (life) => Math.min(hourMs, life * renewalShare))
}

/**
 * Renews the session of an idle tab at 75 % of the token's lifetime, by timer and when the tab becomes visible. Returns
 * how to stop.
 */
export function keepRenewing(renew: Renew): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const plan = () => {
    clearTimeout(timer)
    const token = tokenAge()
    const left = token ? token.life * renewalShare - token.age : retryAfterMs
    timer = setTimeout(check, left > 0 ? left : retryAfterMs)
  }
  const check = async () => {
    await renewIfDue(renew, (life) => life * renewalShare)
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
    const token = tokenAge()
    return token !== undefined && token.age >= limit(token.life)
  }
  if (isRenewing || hasSessionEnded() || !isDue()) return
  isRenewing = true
  const attempt = async () => {
    // Another tab may have renewed it while this one waited for the lock.
    if (!isDue()) return
    await renew()
    recordTokenReceipt()
    await new Promise((resolve) => setTimeout(resolve, receiptDelayMs))
  }
  try {
    // Without TLS browsers offer no locks except on localhost: two tabs may then renew at once, which does no harm.
    if (navigator.locks) await navigator.locks.request(lockName, { ifAvailable: true }, (lock) => lock && attempt())
    else await attempt()
  } catch (error) {
    failedAt = performance.now()
    console.warn('The session could not be renewed.', error)
  } finally {
    isRenewing = false
  }
}
