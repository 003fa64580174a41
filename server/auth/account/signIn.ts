import type { Auth } from '../auth.ts'
import { blockIdentifiers, blockReasons } from '../blocking/blockedAddresses.ts'
import { hashPassword, isOutdated, verifyPassword } from '../passwords/password.ts'
import type { User } from '../users/users.ts'

export interface Credentials {
  username: string
  password: string
}

export type SignIn = { result: 'good'; user: User } | { result: 'refused'; userId?: number } | { result: 'blocked' }

/** Hash of a password that nobody has: names that do not exist take as long to refuse as those that do. */
let nobodysHash: Promise<string> | undefined

/**
 * Judges a name and a password. A failure is an offence of the address; a success forgives its earlier ones.
 * Attempts from one address are judged one after the other, so a burst of guesses meets the block of the first.
 * @param isGone whether nobody waits for the answer any more: then no password is looked at
 */
export function signIn(
  auth: Auth,
  { username, password }: Credentials,
  address: string,
  isGone = () => false,
): Promise<SignIn> {
  const judge = async (): Promise<SignIn> => {
    if (auth.waf.isBlocked(address) || isGone()) return { result: 'blocked' }
    const [user] = auth.users.find({ username })
    nobodysHash ??= hashPassword('')
    const isRight = await verifyPassword(password, user?.password ?? (await nobodysHash))
    if (!user || !isRight || user.reject_password) {
      auth.waf.offend(address, user?.id ?? blockIdentifiers.unknownUser, blockReasons.loginFailed)
      return { result: 'refused', userId: user?.id }
    }
    auth.waf.forgive(address, user.id)
    if (isOutdated(user.password)) auth.users.update(user.id, { password: await hashPassword(password) })
    return { result: 'good', user }
  }
  return auth.hashQueue.run(address, judge, auth.sessions.isKnown(address))
}

/** Reads a login body; `undefined` for whatever is not a name and a password, which is no offence. */
export function readCredentials(body: unknown): Credentials | undefined {
  if (typeof body !== 'string') return undefined
  try {
    const value: unknown = JSON.parse(body)
    if (typeof value !== 'object' || value === null) return undefined
    const { username, password } = value as Partial<Record<keyof Credentials, unknown>>
    const isComplete =
      typeof username === 'string' && typeof password === 'string' && username !== '' && password !== ''
    return isComplete ? { username, password } : undefined
  } catch {
    // Not JSON: refused like every other sign-in that fails.
    return undefined
  }
}
