import { sessionToken } from './token.ts'

/**
 * When this browser received its token. A token says when it ends by the server's clock; its age is counted from the
 * receipt, so that a wrong clock here does no harm.
 */
interface Receipt {
  /** The token's `exp`, in seconds by the server's clock: identifies a token without storing any part of it. */
  end: number
  /** ms since 1970 by the browser's clock. */
  at: number
}

const storageKey = 'wheelhouse.session'
/** For browsers without local storage. */
let receiptInMemory: Receipt | undefined
/** Lifetime of a token that does not say it. */
const defaultLifeMs = 60 * 60_000
/** Two tabs may read slightly different clocks. */
const clockToleranceMs = 60_000

/** Must be called whenever a token was received. */
export function recordTokenReceipt(): void {
  const token = sessionToken()
  if (!token) return
  receiptInMemory = { end: claimsOf(token).end, at: Date.now() }
  try {
    localStorage.setItem(storageKey, JSON.stringify(receiptInMemory))
  } catch {
    // Other tabs then count the token as old.
  }
}

/**
 * Age and lifetime of this browser's token, both in ms; `undefined` without a token. A token without a recorded receipt,
 * or with one in the future, counts as old.
 */
export function tokenAge(): { age: number; life: number } | undefined {
  const token = sessionToken()
  if (!token) return undefined
  const { end, life } = claimsOf(token)
  const receipt = readReceipt()
  const age = receipt?.end === end ? Date.now() - receipt.at : Number.POSITIVE_INFINITY
  return { age: age < -clockToleranceMs ? Number.POSITIVE_INFINITY : Math.max(0, age), life }
}

/** The times in a token. All are by the server's clock, so that their difference is right by any clock. */
function claimsOf(token: string): { end: number; life: number } {
  try {
    const [, payload = ''] = token.split('.')
    const { exp, iat, orig_iat } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    const life = (exp - (iat ?? orig_iat)) * 1000
    return { end: Number(exp) || 0, life: life > 0 ? life : defaultLifeMs }
  } catch {
    return { end: 0, life: defaultLifeMs }
  }
}

function readReceipt(): Receipt | undefined {
  try {
    return (JSON.parse(localStorage.getItem(storageKey) ?? 'null') as Receipt | null) ?? receiptInMemory
  } catch {
    return receiptInMemory
  }
}
