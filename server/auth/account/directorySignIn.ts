import { setTimeout as wait } from 'node:timers/promises'
import { createPlaceQueue, waitForPlace } from '../../concurrency/placeQueue.ts'
import type { WarnRarely } from '../../http/rareWarning.ts'
import { addressGroup } from '../addresses/canonicalAddress.ts'
import type { Auth } from '../auth.ts'
import type { Directory, DirectoryPerson } from '../ldap/directory.ts'
import type { SignInFromOutside } from '../outside/signInFromOutside.ts'
import type { SignInProvider } from '../providers/kinds.ts'
import { identityOf } from '../providers/kinds.ts'
import { bindingName } from '../users/oauth2Bindings.ts'
import type { User } from '../users/users.ts'
import type { CheckedSignIn, Client, Credentials } from './signIn.ts'

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
