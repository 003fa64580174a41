import { signInLimits } from '../../../src/schemas/account/signInProvider.ts'
import { roles as wireRoles } from '../../../src/schemas/define/access.ts'
import { timestamp } from '../../wire/timestamp.ts'
import { addressGroup } from '../addresses/canonicalAddress.ts'
import { generatePassword } from '../passwords/generatePassword.ts'
import { hashPassword } from '../passwords/password.ts'
import { checkNoLookAlike, checkUsername } from '../users/credentialRules.ts'
import { addUser, type User } from '../users/users.ts'
import { applyGroups } from './applyGroups.ts'
import type { OutsidePerson, OutsideServices } from './outsidePerson.ts'

/**
 * Why nobody is signed in: `unbound`: no account is bound; `taken`: somebody has a name that looks like theirs;
 * `bad_name`: the provider gives no name that an account could have.
 */
export type OutsideRefusal = 'unbound' | 'disabled' | 'taken' | 'bad_name'

/** @returns the user to sign in, who may still have to give a second factor */
export type SignInFromOutside = (person: OutsidePerson) => Promise<{ user: User } | { refusal: OutsideRefusal }>

/**
 * Makes the one function that finds or makes the account of somebody whom a provider has identified, and gives them the
 * roles that follow from their groups.
 */
export function createSignInFromOutside(services: OutsideServices): SignInFromOutside {
  const { auth, audit, now } = services
  const { store, users, bindings } = auth

  const boundUser = ({ provider, subject }: OutsidePerson) => users.get(bindings.userOf(provider.name, subject) ?? 0)

  /** Whether its provider makes no more accounts. */
  const isFull = ({ provider }: OutsidePerson) =>
    provider.create_accounts && bindings.usersOf(provider.name).length >= signInLimits.people

  function nameProblem(username: string): OutsideRefusal | undefined {
    try {
      checkUsername(username)
    } catch {
      return 'bad_name'
    }
    try {
      checkNoLookAlike(users, username)
    } catch {
      return 'taken'
    }
    return users.find({ username }).length > 0 ? 'taken' : undefined
  }

  /** Makes an account that only providers sign in. */
  async function make(person: OutsidePerson): Promise<User | OutsideRefusal> {
    const { provider, subject, address } = person
    if (!provider.create_accounts || isFull(person)) return 'unbound'
    const username = person.username?.trim() ?? ''
    const problem = nameProblem(username)
    if (problem) return problem
    const hash = () => hashPassword(generatePassword(), auth.passwordCost)
    const password = await auth.hashQueue.run(addressGroup(address), hash)
    return store.transaction(() => {
      // Hashing takes long: another sign-in may have made it, or taken the name.
      const made = boundUser(person)
      if (made) return made
      const problem = nameProblem(username)
      if (problem) return problem
      const id = addUser(users, { username, password, role: wireRoles.user, now: now() })
      users.update(id, { reject_password: true, updated_at: timestamp(now()) })
      bindings.bind(id, provider.name, subject)
      audit.write({
        action: 'user.create',
        person: { id, username },
        address,
        target: `user ${id}`,
        detail: { name: username, by: provider.name },
      })
      return users.get(id) ?? 'unbound'
    })
  }

  return async (person) => {
    const { provider, address } = person
    const found = boundUser(person) ?? (await make(person))
    const refusal = typeof found === 'string' ? found : found.disabled ? 'disabled' : undefined
    if (typeof found === 'string' || refusal) {
      const target = typeof found !== 'string' && { target: `user ${found.id}` }
      const isOver = refusal !== 'disabled' && isFull(person)
      const detail = { by: provider.name, outcome: refusal ?? 'unbound', ...(isOver && { most: signInLimits.people }) }
      audit.write({ action: 'session.sign-in-failed', address, ...target, detail })
      return { refusal: refusal ?? 'unbound' }
    }
    applyGroups(services, found, person)
    return { user: users.get(found.id) ?? found }
  }
}
