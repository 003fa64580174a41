/**
 * Counts wrong codes of each user, whatever address they come from: six digits could be guessed by somebody who knows the
 * password and has many addresses.
 */
export interface WrongCodes {
  /** Whether codes of the app are refused for now. Recovery codes and passkeys cannot be guessed, and go on. */
  areTooMany(userId: number): boolean
  record(userId: number): void
  clear(userId: number): void
}

const maxWrongCodes = 20
const hourMs = 3_600_000

/** @param now the clock, in milliseconds since 1970 */
export function createWrongCodes(now: () => number): WrongCodes {
  /** Only people who know a password get here: there are no more of them than users. */
  const byUser = new Map<number, { count: number; since: number }>()
  const current = (userId: number) => {
    const entry = byUser.get(userId)
    return entry && now() - entry.since < hourMs ? entry : undefined
  }
  return {
    areTooMany: (userId) => (current(userId)?.count ?? 0) >= maxWrongCodes,
    record(userId) {
      const entry = current(userId)
      if (entry) entry.count++
      else byUser.set(userId, { count: 1, since: now() })
    },
    clear: (userId) => void byUser.delete(userId),
  }
}
