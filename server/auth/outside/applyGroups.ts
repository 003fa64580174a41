import { isWholeAdministrator, type RoleAssignment, roles as wireRoles } from '../../../src/schemas/define/access.ts'
import { auditNames } from '../../http/routes/route.ts'
import { timestamp } from '../../wire/timestamp.ts'
import type { Auth } from '../auth.ts'
import { rolesInWords } from '../roles/roleWords.ts'
import type { User } from '../users/users.ts'
import type { OutsidePerson, OutsideProvider, OutsideServices } from './outsidePerson.ts'

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
export function applyGroups(
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
