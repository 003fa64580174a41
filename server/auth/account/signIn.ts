import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { fieldsIn } from '../../../src/schemas/define/values.ts'
import { directoryPasswordExpired, providerUnusable } from '../../../src/schemas/define/wireNames.ts'
import { directoryEndpoints as endpoints } from '../../../src/schemas/endpoints/directoryEndpoints.ts'
import type { AuditLog } from '../../audit/auditLog.ts'
import { unrecorded } from '../../changes/changeOrigin.ts'
import { createPlaceQueue, waitForPlace } from '../../concurrency/placeQueue.ts'
import { ifWritable } from '../../db/storeError.ts'
import type { WarnRarely } from '../../http/rareWarning.ts'
import { route } from '../../http/routes/route.ts'
import { personOf } from '../../person.ts'
import { ApiError, bodyReader } from '../../wire/apiCall.ts'
import { addressGroup } from '../addresses/clientAddress.ts'
import type { Auth } from '../auth.ts'
import type { Account } from '../blocking/blockRules.ts'
import type { Directory, DirectoryPerson } from '../ldap/directory.ts'
import { bindAccount, type OutsideRefusal, type SignInFromOutside } from '../outside/signInFromOutside.ts'
import { hashPassword, isOutdated, verifyPassword } from '../passwords/password.ts'
import { identityOf, type SignInProvider } from '../providers/kinds.ts'
import { bindingName } from '../users/oauth2Bindings.ts'
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
type CheckedSignIn =
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

/** Names and passwords that directories check. */
export interface DirectorySignIn {
  /** Whether there are any. */
  areAsked(): boolean
  /** Whether what a user types may be the password of one of them. */
  mayKnow(user: User): boolean
  /**
   * Asks the directories, each of them whoever it is about: one that cannot know somebody is asked for nobody instead, so
   * that the steps do not say which names are of this server. A failure counts as one of a password, unless nobody could
   * say that it is wrong.
   * @param takeBack makes a failure none that is counted already
   * @throws BlockedError
   */
  signIn(credentials: Credentials, client: Client, takeBack?: () => void): Promise<CheckedSignIn>
  /**
   * Asks one directory who somebody there is, for a person who is signed in. A wrong password counts as at the sign-in.
   * @returns `unusable` when the directory does not say; `expired` when the password must be changed there first
   * @throws BlockedError
   */
  identify(
    provider: LdapProvider,
    credentials: Credentials,
    client: Client,
  ): Promise<DirectoryPerson | 'refused' | 'expired' | 'unusable'>
  /** The directories by name, when they are enabled. */
  enabled(): LdapProvider[]
  /** Waits until the sign-ins of an address are over that are at a directory now. */
  waitForOthers(address: string): Promise<void>
  /**
   * Waits until a refusal may be sent, where there are directories: the time must not say which of them was asked.
   * @param startedAt by `performance.now()`
   */
  delayRefusal(startedAt: number): Promise<void>
}

interface DirectoryServices {
  auth: Auth
  signInFromOutside: SignInFromOutside
  warnRarely: WarnRarely
}

/** Sign-ins that are at directories at a time: one of an address, so that a burst of guesses runs into the block of the first. */
const places = { perKey: 1, total: 20, waiting: 1000, waitMs: 20_000 } as const

/** Refusals are sent at whole multiples of these milliseconds. */
const refusalStepMs = 1000

export type LdapProvider = Extract<SignInProvider, { kind: 'ldap' }>

export function createDirectorySignIn({ auth, signInFromOutside, warnRarely }: DirectoryServices): DirectorySignIn {
  const queue = createPlaceQueue(places)
  const enabled = (): LdapProvider[] =>
    auth.signInProviders.stored().flatMap((one) => (one.kind === 'ldap' && one.enabled ? [one] : []))

  /** Those that may know somebody: of a person with a password here only the ones where they have an account. */
  function directoriesOf(user: User | undefined): LdapProvider[] {
    if (!user || user.reject_password) return enabled()
    const bound = auth.bindings.ofUser(user.id)
    return enabled().filter(({ name }) => Object.hasOwn(bound, bindingName(name)))
  }

  async function attemptBy({ username }: Credentials, { browserOf }: Client) {
    const [user] = auth.users.find({ username })
    const account = auth.waf.accountOf(user, username)
    return { user, attempt: { kind: 'sign-in', account, browser: await browserOf?.(account) } as const }
  }

  /**
   * @param isKnown whether the directory may know them; else it takes the same steps for nobody
   * @returns `undefined` when the directory cannot be used, which is no failure of a person
   */
  async function ask(provider: LdapProvider, credentials: Credentials, isKnown: boolean) {
    const { DirectoryError } = await import('../ldap/connection.ts')
    const { signInAtDirectory, tryNobody } = await import('../ldap/directory.ts')
    try {
      return await (isKnown ? signInAtDirectory : tryNobody)(directoryOf(provider), credentials)
    } catch (error) {
      if (!(error instanceof DirectoryError)) throw error
      warnRarely(`The directory "${provider.name}" could not be used: ${error.message}`, `ldap ${provider.id}`)
      return undefined
    }
  }

  async function admit(provider: LdapProvider, person: DirectoryPerson, address: string): Promise<CheckedSignIn> {
    const { username, groups } = person
    const subject = identityOf(provider) + person.subject
    const result = await signInFromOutside({ provider, subject, username, groups, address })
    return 'refusal' in result
      ? { result: 'outside', refusal: result.refusal }
      : { result: 'good', user: result.user, by: provider.name }
  }

  async function askInTurn(
    credentials: Credentials,
    client: Client,
    takeBack: (() => void) | undefined,
  ): Promise<CheckedSignIn> {
    const { address, isAborted } = client
    const { user, attempt } = await attemptBy(credentials, client)
    if (!takeBack) auth.waf.check(address, attempt)
    if (isAborted?.()) return { result: 'aborted' }
    const known = new Set(directoriesOf(user).map(({ id }) => id))
    let isWrong = false
    for (const provider of enabled()) {
      const isKnown = known.has(provider.id)
      const answer = await ask(provider, credentials, isKnown)
      if (answer?.result === 'good') {
        takeBack?.()
        return admit(provider, answer.person, address)
      }
      if (answer?.result === 'expired') {
        takeBack?.()
        return { result: 'expired', by: provider.name }
      }
      isWrong ||= isKnown && answer !== undefined
    }
    if (isWrong && !takeBack) auth.waf.recordFailure(address, attempt)
    return { result: 'refused', userId: user?.id }
  }

  /** @returns `undefined` when too many are at directories: nobody has been asked */
  async function inTurn<T>(address: string, work: () => Promise<T>): Promise<T | undefined> {
    const leave = await waitForPlace(queue, addressGroup(address))
    if (!leave) return undefined
    try {
      return await work()
    } finally {
      leave()
    }
  }

  return {
    areAsked: () => enabled().length > 0,
    mayKnow: (user) => directoriesOf(user).length > 0,
    enabled,
    async signIn(credentials, client, takeBack) {
      const outcome = await inTurn(client.address, () => askInTurn(credentials, client, takeBack))
      return outcome ?? { result: 'refused', userId: auth.users.find({ username: credentials.username })[0]?.id }
    },
    async identify(provider, credentials, client) {
      const person = await inTurn(client.address, async () => {
        const { attempt } = await attemptBy(credentials, client)
        auth.waf.check(client.address, attempt)
        const answer = await ask(provider, credentials, true)
        if (answer?.result === 'refused') auth.waf.recordFailure(client.address, attempt)
        return answer?.result === 'good' ? answer.person : answer?.result
      })
      return person ?? 'unusable'
    },
    async waitForOthers(address) {
      if (enabled().length > 0) await inTurn(address, async () => {})
    },
    async delayRefusal(startedAt) {
      if (enabled().length === 0) return
      await wait(refusalStepMs - ((performance.now() - startedAt) % refusalStepMs))
    },
  }
}

/** A directory, as its administrator described it. */
export const directoryOf = ({ settings, secret }: LdapProvider): Directory => ({ ...settings, secret })

interface BindingServices {
  auth: Auth
  audit: AuditLog
  directories: DirectorySignIn
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** Binding an account of a directory, by its name and password, to one's own account here. */
export function registerDirectoryBinding(
  app: FastifyInstance,
  { auth, audit, directories, now }: BindingServices,
): void {
  route(app, 'bindDirectory', endpoints.bindDirectory, bodyReader(endpoints.bindDirectory), async (request) => {
    const { provider: name, ...credentials } = request.body
    const { address } = request
    const { id, username } = personOf(request)
    const provider = directories.enabled().find((one) => one.name === name)
    if (!provider) throw new ApiError('provider not found')
    const browserOf = (account: number | string) => auth.knownBrowsers.keyOf(request, account)
    const found = await directories.identify(provider, credentials, { address, browserOf })
    if (found === 'unusable') throw new ApiError(providerUnusable)
    if (found === 'expired') throw new ApiError(directoryPasswordExpired)
    if (found === 'refused') {
      const detail = { by: provider.name }
      audit.write({ action: 'user.wrong-password', person: { id, username }, address, target: `user ${id}`, detail })
      throw new ApiError(`"${provider.name}" does not accept this user name and password`)
    }
    // Their account or their session may have ended while the directory was asked.
    request.judgeAgain?.()
    bindAccount(
      { auth, audit, now },
      { id, username },
      { provider, subject: identityOf(provider) + found.subject, address },
    )
  })
}
