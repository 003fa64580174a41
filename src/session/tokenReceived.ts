import { sessionToken } from './token.ts'

/**
 * When this browser got the token that it holds. A token says when it ends, but by the server's clock; its age is
 * counted from receipt, so that a wrong clock here does no harm.
 */
interface Receipt {
  /** The token's own end, seconds by the server's clock: tells tokens apart without keeping any part of one. */
  end: number
  /** ms since 1970 by the browser's clock. */
  at: number
}

const storageKey = 'wheelhouse.session'
/** For browsers without a store: this tab remembers for itself. */
let noted: Receipt | undefined
/** What a token lives that does not say how long. */
const usualLife = 60 * 60_000
/** Two tabs may read the clock a little apart, and one of them later than it says. */
const clocksDiffer = 60_000

/** To be called whenever a token has just arrived. */
export function noteReceipt(): void {
  const token = sessionToken()
  if (!token) return
  noted = { end: claimsOf(token).end, at: Date.now() }
  try {
    localStorage.setItem(storageKey, JSON.stringify(noted))
  } catch {
    // Other tabs have to guess then.
  }
}

/**
 * How old the token of this browser is and how long it lives, both in ms; `undefined` without one. A token whose
 * arrival nobody noted, or that came from what is now the future, may be of any age: it counts as old.
 */
export function sessionAge(): { age: number; life: number } | undefined {
  const token = sessionToken()
  if (!token) return undefined
  const { end, life } = claimsOf(token)
  const receipt = readReceipt()
  const age = receipt?.end === end ? Date.now() - receipt.at : Number.POSITIVE_INFINITY
  return { age: age < -clocksDiffer ? Number.POSITIVE_INFINITY : Math.max(0, age), life }
}

/** What a token says about its time: both claims are the server's, so their difference holds by any clock. */
function claimsOf(token: string): { end: number; life: number } {
  try {
    const [, payload = ''] = token.split('.')
    const { exp, iat, orig_iat } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    const life = (exp - (iat ?? orig_iat)) * 1000
    return { end: Number(exp) || 0, life: life > 0 ? life : usualLife }
  } catch {
    return { end: 0, life: usualLife }
  }
}

function readReceipt(): Receipt | undefined {
  try {
    return (JSON.parse(localStorage.getItem(storageKey) ?? 'null') as Receipt | null) ?? noted
  } catch {
    return noted
  }
}
