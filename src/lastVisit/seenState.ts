import type { CurrentUser } from '../session/currentUser.ts'
import type { SeenList } from './listDifference.ts'

/** What an account has seen in this browser, of the server at this address. */
export interface SeenState {
  /** A random text, for the hashes. */
  salt: string
  /** Milliseconds since 1970. */
  savedAt: number
  /** The latest change, where the server records them. */
  changeId?: number
  /** By entity, where it does not. */
  lists: Record<string, SeenList>
}

const prefix = 'wheelhouse.seen.'
/** Accounts whose state is kept; that of the one whose last visit is the longest ago goes. */
const mostAccounts = 3

const keyOf = ({ id, fullName }: Pick<CurrentUser, 'id' | 'fullName'>) => `${prefix}${id}.${fullName}`

/** @returns an empty state for a first visit, or where the browser forbids its store */
export function readSeen(user: Pick<CurrentUser, 'id' | 'fullName'>): SeenState {
  try {
    const state = JSON.parse(localStorage.getItem(keyOf(user)) ?? 'null') as SeenState | null
    if (state?.salt && state.lists) return state
  } catch {
    // What cannot be read counts as a first visit.
  }
  return { salt: crypto.getRandomValues(new Uint32Array(4)).join(), savedAt: 0, lists: {} }
}

export function writeSeen(user: Pick<CurrentUser, 'id' | 'fullName'>, state: SeenState): void {
  const key = keyOf(user)
  try {
    localStorage.setItem(key, JSON.stringify({ ...state, savedAt: Date.now() }))
    const others = Object.keys(localStorage).filter((one) => one.startsWith(prefix) && one !== key)
    const savedAt = (one: string) => (JSON.parse(localStorage.getItem(one) ?? '{}') as Partial<SeenState>).savedAt ?? 0
    const dated = others.map((one) => ({ one, at: savedAt(one) })).sort((a, b) => b.at - a.at)
    for (const { one } of dated.slice(mostAccounts - 1)) localStorage.removeItem(one)
  } catch {
    // Storage is full or forbidden: the next visit compares with an older one, or with none.
  }
}
