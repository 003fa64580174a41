import { fieldsIn } from '../../../src/schemas/define/values.ts'
import { unrecorded } from '../../changes/changeOrigin.ts'
import { ifWritable } from '../../db/ifWritable.ts'
import { addressGroup } from '../addresses/canonicalAddress.ts'
import type { Auth } from '../auth.ts'
import type { Account } from '../blocking/blockRules.ts'
import type { OutsideRefusal } from '../outside/signInFromOutside.ts'
import { hashPassword, isOutdated, verifyPassword } from '../passwords/password.ts'
import type { User } from '../users/users.ts'

export interface Credentials {
  username: string
  password: string
}

export interface Client {
  address: string
  /** What stands for its browser, when that is known for the account. */
  browserOf?(account: Account): Promise<string | undefined>
  /** Whether it has disconnected: then no password is hashed. */
  isAborted?(): boolean
  /** The directories that may know whom this server does not let in. Default: there are none. */
  directories?: { areAsked(): boolean; mayKnow(user: User): boolean }
}

/** What comes of a name and a password, wherever they were checked. */
export type CheckedSignIn =
  /** `by`: the name of the provider that knows them. Default: this server. */
  | { result: 'good'; user: User; by?: string }
  /** A directory knows them, and there is no account for them. */
  | { result: 'outside'; refusal: OutsideRefusal }
  /** The password is right at the directory `by`, and must be changed there first. */
  | { result: 'expired'; by: string }
  | { result: 'disabled'; user: User }
  | { result: 'refused'; userId?: number }
  | { result: 'aborted' }

/**
 * `elsewhere`: the directories have to be asked. A password of this server that was wrong is counted already; `takeBack`
 * makes it none, for when it is that of a directory.
 */
export type SignIn = CheckedSignIn | { result: 'elsewhere'; takeBack?: () => void }

/**
 * Checks a name and a password. A failure counts against the address and the account, in a known browser against that
 * alone; `SignIns.open` clears them. Attempts from one address, or one IPv6 network, are checked one after the other, so
 * that a burst of guesses runs into the block of the first.
 * @throws BlockedError
 */
export function signIn(
  auth: Auth,
  { username, password }: Credentials,
  { address, browserOf, isAborted, directories }: Client,
): Promise<SignIn> {
  const check = async (): Promise<SignIn> => {
    const [user] = auth.users.find({ username })
    const account = auth.waf.accountOf(user, username)
    const attempt = { kind: 'sign-in', account, browser: await browserOf?.(account) } as const
    auth.waf.check(address, attempt)
    if (isAborted?.()) return { result: 'aborted' }
    const isRight = await verifyPassword(password, user?.password ?? (await auth.unknownUserHash()))
    if (!user || !isRight || user.reject_password || !auth.needsNoProvider(user)) {
      const isAsked = directories?.areAsked() === true
      // At once: else many passwords of this server could be tried while a directory takes its time.
      const isWrong = !isAsked || (user && !(user.reject_password && directories.mayKnow(user)))
      const takeBack = isWrong ? auth.waf.recordFailure(address, attempt) : undefined
      return isAsked ? { result: 'elsewhere', takeBack } : { result: 'refused', userId: user?.id }
    }
    const hash = isOutdated(user.password, auth.passwordCost) && (await hashPassword(password, auth.passwordCost))
    // Hashing takes long: a password that was changed meanwhile signs in nobody, and does not come back.
    const current = auth.users.get(user.id)
    if (current?.password !== user.password || current.reject_password) return { result: 'refused', userId: user.id }
    if (current.disabled) return { result: 'disabled', user }
    if (hash) ifWritable(() => unrecorded(() => auth.users.update(user.id, { password: hash })))
    return { result: 'good', user }
  }
  return auth.hashQueue.run(addressGroup(address), check, auth.sessions.hasSignedInFrom(address))
}

/** Reads the body of a sign-in; `undefined` when it has no name or password, which does not count as a failure. */
export function readCredentials(body: unknown): Credentials | undefined {
  if (typeof body !== 'string') return undefined
  try {
    const { username, password } = fieldsIn(JSON.parse(body))
    const isComplete =
      typeof username === 'string' && typeof password === 'string' && username !== '' && password !== ''
    return isComplete ? { username, password } : undefined
  } catch {
    // Not JSON: refused like every other failed sign-in.
    return undefined
  }
}
