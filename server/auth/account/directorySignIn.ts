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
  /** Whether a directory may know somebody: a name that is none of ours, or a person of a directory. */
  mayKnow(user: User | undefined): boolean
  /**
   * Asks the directories. A failure counts as one of a password, unless nobody could say that it is wrong.
   * @throws BlockedError
   */
  signIn(credentials: Credentials, client: Client): Promise<CheckedSignIn>
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

type LdapProvider = Extract<SignInProvider, { kind: 'ldap' }>

export function createDirectorySignIn({ auth, signInFromOutside, warnRarely }: DirectoryServices): DirectorySignIn {
  const queue = createPlaceQueue(places)
  const enabled = (): LdapProvider[] =>
    auth.signInProviders.stored().flatMap((one) => (one.kind === 'ldap' && one.enabled ? [one] : []))

  /** Those that may know somebody: of a person here only the ones where they have an account. */
  function directoriesOf(user: User | undefined): LdapProvider[] {
    if (!user) return enabled()
    const bound = auth.bindings.ofUser(user.id)
    return enabled().filter(({ name }) => Object.hasOwn(bound, bindingName(name)))
  }

  /** @returns `undefined` when the directory cannot be used, which is no failure of a person */
  async function ask(provider: LdapProvider, credentials: Credentials) {
    const { DirectoryError } = await import('../ldap/connection.ts')
    const { signInAtDirectory } = await import('../ldap/directory.ts')
    try {
      return await signInAtDirectory(directoryOf(provider), credentials)
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

  async function askInTurn(user: User | undefined, credentials: Credentials, client: Client): Promise<CheckedSignIn> {
    const { address, browserOf, isAborted } = client
    const account = auth.waf.accountOf(user, credentials.username)
    const attempt = { kind: 'sign-in', account, browser: await browserOf?.(account) } as const
    auth.waf.check(address, attempt)
    if (isAborted?.()) return { result: 'aborted' }
    // The password here was wrong, where there is one.
    let isWrong = user !== undefined && !user.reject_password
    for (const provider of directoriesOf(user)) {
      const answer = await ask(provider, credentials)
      if (answer?.result === 'good') return admit(provider, answer.person, address)
      isWrong ||= answer !== undefined
    }
    if (isWrong) auth.waf.recordFailure(address, attempt)
    return { result: 'refused', userId: user?.id }
  }

  return {
    mayKnow: (user) => directoriesOf(user).length > 0,
    async signIn(credentials, client) {
      const [user] = auth.users.find({ username: credentials.username })
      const leave = await waitForPlace(queue, addressGroup(client.address))
      // Too many at once: nobody has been asked.
      if (!leave) return { result: 'refused', userId: user?.id }
      try {
        return await askInTurn(user, credentials, client)
      } finally {
        leave()
      }
    },
    async delayRefusal(startedAt) {
      if (enabled().length === 0) return
      await wait(refusalStepMs - ((performance.now() - startedAt) % refusalStepMs))
    },
  }
}

/** A directory, as its administrator described it. */
export const directoryOf = ({ settings, secret }: LdapProvider): Directory => ({ ...settings, secret })
