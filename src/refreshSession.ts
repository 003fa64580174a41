import { cookies } from './schemas/wireNames.ts'
import { cookie } from './session.ts'

const key = 'wheelhouse.session.renewed'
const refreshAfter = 45 * 60_000

/**
 * Renews the session while it is in use: after a successful call, when the token this browser holds was
 * received more than three quarters of an hour ago (a token lives one hour). The age is counted from receipt,
 * so a wrong clock does no harm. One tab renews for all. A failed renewal is no sign-out: it is tried again
 * with the next call, and the token's own end is what counts.
 */
export function keepSessionFresh(renew: () => Promise<unknown>) {
  const token = cookie(cookies.session)
  if (!token) return
  const known = readReceipt()
  if (known?.token !== fingerprint(token)) return writeReceipt(token)
  if (Date.now() - known.at < refreshAfter) return
  const attempt = async () => {
    if (Date.now() - (readReceipt()?.at ?? 0) < refreshAfter) return
    writeReceipt(token)
    await renew()
    writeReceipt(cookie(cookies.session) ?? token)
  }
  const locked = navigator.locks
    ? navigator.locks.request(key, { ifAvailable: true }, (lock) => lock && attempt())
    : attempt()
  locked.catch((error) => console.warn('The session could not be renewed.', error))
}

interface Receipt {
  token: string
  at: number
}

/** The end of a token's signature tells tokens apart and is worth nothing by itself. */
const fingerprint = (token: string) => token.slice(-8)

function readReceipt(): Receipt | undefined {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

function writeReceipt(token: string) {
  localStorage.setItem(key, JSON.stringify({ token: fingerprint(token), at: Date.now() }))
}
