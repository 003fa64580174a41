import { signInLimits } from '../../../src/schemas/account/signInProvider.ts'
import { isWholeAdministrator, type RoleAssignment, roles as wireRoles } from '../../../src/schemas/define/access.ts'
import type { OwnedRecords } from '../../api/ownedRecords.ts'
import type { AuditLog } from '../../audit/auditLog.ts'
import { auditNames } from '../../http/routes/route.ts'
import { timestamp } from '../../wire/apiCall.ts'
import { addressGroup } from '../addresses/clientAddress.ts'
import type { Auth } from '../auth.ts'
import { generatePassword, hashPassword } from '../passwords/password.ts'
import type { SignInProvider } from '../providers/kinds.ts'
import { rolesInWords } from '../roles/roleScopes.ts'
import { addUser, checkNoLookAlike, checkUsername, type User } from '../users/users.ts'

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

/** Characters of the teams in a line of the audit log. */
const maxTeamWords = 512

/** What gives somebody the teams that the rules of a provider name. */
const teamSource = (provider: number) => `sign-in provider ${provider}`

/** What the rules of a provider give to somebody in these groups. */
function givenBy({ groups: rules }: OutsideProvider, groups: readonly string[]) {
  const isIn = new Set(groups)
  const matching = rules.filter(({ group }) => isIn.has(group))
  const roles = matching.flatMap((rule): RoleAssignment[] => rule.roles)
  return {
    administrator: matching.some((rule) => rule.administrator) || roles.some(isWholeAdministrator),
    roles: roles.filter((role) => !isWholeAdministrator(role)),
    teams: matching.map(({ team }) => team),
  }
}

/**
 * Makes the roles that a provider gave to a user what their groups say now. What was given by hand, or by another
 * provider, stays. A provider that says nothing about groups changes nothing.
 */
function applyGroups(
  { auth: { store, users, roles, teams, administrators }, audit, owned, now }: OutsideServices,
  { id, username }: User,
  { provider, groups, address }: Pick<OutsidePerson, 'provider' | 'groups' | 'address'>,
): void {
  if (!groups || provider.id === 0) return
  const given = givenBy(provider, groups)
  const write = (outcome: string, inTeams: readonly string[] = []) =>
    audit.write({
      action: 'user.roles',
      person: { id, username },
      address,
      target: `user ${id}`,
      detail: {
        ...auditNames([username]),
        by: provider.name,
        roles: outcome,
        ...(inTeams.length > 0 && { teams: inTeams.join(', ').slice(0, maxTeamWords) }),
      },
    })

  // On a full disk too: what is taken away ends at once.
  store.urgently(() => {
    const user = users.get(id)
    if (!user) return
    const isAdministrator = user.role === wireRoles.admin
    const isTaken = isAdministrator && user.administrator_by === provider.id && !given.administrator
    const isLast = isTaken && !administrators.staysOne({ users: [id] })
    let changed = roles.assignBy(provider.id, id, given.roles, timestamp(now()))
    if (teams.setFrom(teamSource(provider.id), id, given.teams)) changed = true
    if (given.administrator && !isAdministrator) {
      // Nothing that they made as a member reaches further of itself.
      owned.limit(id)
      const at = timestamp(now())
      users.update(id, {
        role: wireRoles.admin,
        administrator_by: provider.id,
        role_given_by: 0,
        role_given_at: at,
        updated_at: at,
      })
      changed = true
    }
    if (isTaken && !isLast) {
      users.update(id, { role: wireRoles.user, administrator_by: 0, updated_at: timestamp(now()) })
      changed = true
    }
    if (isLast) write('the last administrator stays one')
    else if (changed) {
      const names = teams
        .all()
        .filter((team) => given.teams.includes(team.id))
        .map(({ name }) => name)
      write(given.administrator ? 'administrator for all' : rolesInWords(given.roles), names)
    }
  })
}

/** Makes an administrator a member; the last one stays one, and nobody's rules make them another. */
function demote(
  { users, administrators, now }: Pick<Auth, 'users' | 'administrators'> & Pick<OutsideServices, 'now'>,
  id: number,
): void {
  const role = administrators.staysOne({ users: [id] }) ? wireRoles.user : wireRoles.admin
  users.update(id, { role, administrator_by: 0, updated_at: timestamp(now()) })
}

/** Takes all that the rules of a provider gave, as when it is deleted. The last administrator stays. */
export function takeAllOf(
  { auth: { users, roles, teams, administrators }, now }: Pick<OutsideServices, 'auth' | 'now'>,
  provider: number,
): void {
  roles.removeProvider(provider)
  teams.removeSource(teamSource(provider))
  for (const { id } of users.find({ administrator_by: provider })) demote({ users, administrators, now }, id)
}

/**
 * Takes what the rules of a provider gave to somebody who has no account there any more: no sign-in by it would ever take
 * it away. The last administrator stays.
 * @param provider its id; 0, for one of the file, gives nothing
 */
export function takeFrom(
  { auth: { users, roles, teams, administrators }, now }: Pick<OutsideServices, 'auth' | 'now'>,
  provider: number,
  userId: number,
): void {
  if (provider === 0) return
  roles.assignBy(provider, userId, [], timestamp(now()))
  teams.setFrom(teamSource(provider), userId, [])
  if (users.get(userId)?.administrator_by === provider) demote({ users, administrators, now }, userId)
}

/** What of a provider counts for a sign-in. One of `oauth2.json` has the id 0, makes no accounts, and has no rules. */
type OutsideProvider = Pick<SignInProvider, 'id' | 'name' | 'create_accounts' | 'groups'>

/** Somebody whom a provider has identified. */
interface OutsidePerson {
  provider: OutsideProvider
  /** The id of the account, which begins with the identity of the provider where it has one. */
  subject: string
  /** What the provider calls them. */
  username?: string
  /** The groups that they are in now; `undefined` when the provider says nothing about groups. */
  groups?: readonly string[]
  /** The visitor's IP address. */
  address: string
}

interface OutsideServices {
  auth: Auth
  audit: Pick<AuditLog, 'write'>
  owned: Pick<OwnedRecords, 'limit'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

interface OwnAccount extends Pick<OutsidePerson, 'subject' | 'address'> {
  /** Its `id` is that in the database; 0 for one of the file. */
  provider: { id: number; name: string }
}

/**
 * Binds an account at a provider to a person, which takes it from whoever had it.
 * @throws ApiError when that is the last administrator who can sign in
 */
export function bindAccount(
  { auth, audit, now }: Pick<OutsideServices, 'auth' | 'audit' | 'now'>,
  person: { id: number; username: string },
  { provider, subject, address }: OwnAccount,
): void {
  const { bindings, administrators, users } = auth
  const before = bindings.userOf(provider.name, subject)
  const isOther = before !== undefined && before !== person.id
  // Another administrator comes in by it from then on.
  if (isOther && users.get(person.id)?.role !== wireRoles.admin) {
    administrators.checkStaysOne({ binding: { user: before, provider: provider.name } })
  }
  auth.store.urgently(() => {
    bindings.bind(person.id, provider.name, subject)
    if (before === person.id) return
    // What the account gave that they had, and what this one gave to whom it is taken from.
    for (const id of [person.id, before]) if (id !== undefined) takeFrom({ auth, now }, provider.id, id)
  })
  audit.write({ action: 'oauth2.bind', person, address, target: provider.name })
}
