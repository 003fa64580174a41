import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isWholeAdministrator, type RoleAssignment, roles as wireRoles } from '../../../src/schemas/define/access.ts'
import { sameValue } from '../../../src/schemas/define/values.ts'
import {
  teamEndpoints as endpoints,
  type Team,
  type TeamRole,
} from '../../../src/schemas/endpoints/roleAndTeamEndpoints.ts'
import { server } from '../../../src/schemas/server.ts'
import type { OwnedRecords } from '../../api/ownedRecords.ts'
import { entityTable } from '../../entities/entityTable.ts'
import { addAuditDetails, auditNames, route } from '../../http/routes/route.ts'
import { isAdmin, isOwner, ownerOfTeam, type Person, personOf } from '../../person.ts'
import { ApiError, bodyReader } from '../../wire/apiCall.ts'
import type { Auth } from '../auth.ts'
import { createRoleScopes, rolesInWords } from '../roles/roleScopes.ts'
import type { TeamValues } from '../teams/teams.ts'
import { mayGiveRoles } from './roleRoutes.ts'

/** Teams, and their roles. What people get or lose by a team is for those to decide who could give and take it. */
export function registerTeams(
  app: FastifyInstance,
  { store, users, roles, teams }: Auth,
  owned: Pick<OwnedRecords, 'counts'>,
): void {
  const { checkScope, ofPresent } = createRoleScopes(store)
  const servers = entityTable(store, server)

  /** Without what was deleted. */
  const present = (team: Team): Team => ({
    ...team,
    servers: team.servers.filter((id) => servers.get(id)),
    roles: team.roles.flatMap(ofPresent),
  })

  /** Who asks, if they may give roles at all. @throws ApiError */
  function giverOf(request: FastifyRequest): Person {
    const person = personOf(request)
    if (!mayGiveRoles(roles, person)) throw new ApiError('permission denied')
    return person
  }

  /** @throws ApiError that names what does not exist */
  function checkNamed(given: TeamValues, before?: TeamValues): void {
    const user = given.users.find((id) => !before?.users.includes(id) && !users.get(id))
    if (user !== undefined) throw new ApiError(`users: user id ${user} does not exist`)
    const single = given.servers.find((id) => !before?.servers.includes(id) && !servers.get(id))
    if (single !== undefined) throw new ApiError(`servers: server id ${single} does not exist`)
  }

  /** What a role of a team is to who gives it: its servers are named one by one. */
  const asGiven = ({ role, scope }: TeamRole, teamServers: readonly number[]): RoleAssignment =>
    scope === 'team' ? { role, scope: { groups: [], servers: [...teamServers] } } : { role, scope }

  /** Whether somebody has all these roles wherever a team has them, and may give them there. */
  const mayGiveAll = (giver: Person, given: readonly TeamRole[], teamServers: readonly number[]) =>
    given.every((one) => roles.mayGive(giver.id, asGiven(one, teamServers)))

  /**
   * Nobody gives or takes what they do not have, changes what they have themselves, or what an administrator has.
   * @throws ApiError
   */
  function checkGiver(giver: Person, changed: readonly number[], isGiven: boolean): void {
    if (isAdmin(giver)) return
    if (changed.includes(giver.id)) {
      throw new ApiError('this is about your own roles: somebody else has to change them')
    }
    if (!isGiven || changed.some((id) => users.get(id)?.role === wireRoles.admin)) {
      throw new ApiError('permission denied: you give and take only what you have yourself')
    }
  }

  /**
   * Whether somebody may give all that a team gives. One without roles is for administrators: it may be meant to get some
   * that nobody else could give.
   * @param teamServers where the team has them, before and after
   */
  const mayGiveTeam = (giver: Person, given: readonly TeamRole[], teamServers: readonly number[]) =>
    given.length > 0 &&
    mayGiveAll(giver, given, teamServers) &&
    (teamServers.length === 0 || mayGiveAll(giver, [seesServers], teamServers))

  /** How many records belong to a team. */
  const recordsOf = (team: number) => Object.values(owned.counts(ownerOfTeam(team))).reduce((sum, one) => sum + one, 0)

  /** Whether what belongs to a team is somebody's, too: who is in the team gets or loses it. */
  const hasRecordsOf = (giver: Person, team: number) => isOwner(giver, ownerOfTeam(team)) || recordsOf(team) === 0

  /** @throws ApiError that names what does not exist, or says what a team cannot be */
  function checkRoles(given: readonly TeamRole[]): void {
    if (given.some(isWholeAdministrator)) {
      throw new ApiError(
        'who is an administrator of everything is one by name: give this role to people, not to a team',
      )
    }
    for (const one of given) {
      checkScope(one)
      if (typeof one.role === 'number' && !roles.all().some(({ id }) => id === one.role)) {
        throw new ApiError(`role id ${one.role} does not exist`)
      }
    }
  }

  const shownTo = (person: Person | undefined) =>
    (mayGiveRoles(roles, person) ? teams.all() : teams.of(person?.id ?? 0)).map(present)

  route(app, 'teams', endpoints.teams, ({ person }) => shownTo(person))
  app.entityHooks.set('team', {
    records: {
      list: shownTo,
      visibility(person, id) {
        if (!teams.has(id)) return 'missing'
        return isAdmin(person) || isOwner(person, ownerOfTeam(id)) ? 'visible' : 'hidden'
      },
      create: () => Promise.reject(unmade()),
      remove() {
        throw unmade()
      },
    },
  })
  route(
    app,
    { name: 'createTeam', audit: 'team.create' },
    endpoints.createTeam,
    bodyReader(endpoints.createTeam),
    (request) => {
      const { roles: given, ...values } = request.body
      const giver = giverOf(request)
      checkGiver(giver, values.users, mayGiveTeam(giver, given, values.servers))
      checkNamed(values)
      checkRoles(given)
      const id = store.transaction(() => {
        const made = teams.create(values)
        teams.setRoles(made, unique(given))
        return made
      })
      addAuditDetails(request, { target: `team ${id}`, detail: { ...inWords(values), roles: rolesInWords(given) } })
      return { id }
    },
  )
  route(
    app,
    { name: 'updateTeam', audit: 'team.update' },
    endpoints.updateTeam,
    bodyReader(endpoints.updateTeam),
    (request) => {
      const { params, body } = request
      const giver = giverOf(request)
      const before = present(teams.get(params.id))
      // Another server is for all who are in it.
      const isForAll = !sameValue(before.servers, body.servers)
      const moved = [
        ...body.users.filter((id) => !before.users.includes(id)),
        ...before.users.filter((id) => !body.users.includes(id)),
      ]
      const servers = [...new Set([...before.servers, ...body.servers])]
      const changed = isForAll ? [...membersOf(before), ...moved] : moved
      checkGiver(giver, changed, mayGiveTeam(giver, before.roles, servers) && hasRecordsOf(giver, before.id))
      checkNamed(body, before)
      addAuditDetails(request, { target: `team ${params.id}`, detail: inWords(body) })
      store.urgently(() => teams.update(params.id, body))
    },
  )
  route(app, { name: 'deleteTeam', audit: 'team.delete' }, endpoints.deleteTeam, (request) => {
    const { id } = request.params
    const giver = giverOf(request)
    const before = present(teams.get(id))
    checkGiver(giver, membersOf(before), mayGiveTeam(giver, before.roles, before.servers) && hasRecordsOf(giver, id))
    const count = recordsOf(id)
    if (count > 0) {
      throw new ApiError(
        `${count} records belong to the team "${before.name}": take them from the team, or delete them, before you delete it`,
      )
    }
    addAuditDetails(request, { target: `team ${id}`, detail: inWords(before) })
    store.urgently(() => teams.remove(id))
  })
  route(
    app,
    { name: 'setTeamRoles', audit: 'team.roles' },
    endpoints.setTeamRoles,
    bodyReader(endpoints.setTeamRoles),
    (request) => {
      const { params, body } = request
      const giver = giverOf(request)
      const before = present(teams.get(params.id))
      const given = unique(body.roles)
      const changed = [
        ...given.filter((one) => !before.roles.some((other) => sameValue(one, other))),
        ...before.roles.filter((one) => !given.some((other) => sameValue(one, other))),
      ]
      const mayChange = before.roles.length > 0 && mayGiveAll(giver, changed, before.servers)
      checkGiver(giver, membersOf(before), mayChange)
      checkRoles(given)
      addAuditDetails(request, {
        target: `team ${params.id}`,
        detail: { ...auditNames([before.name]), roles: rolesInWords(given) },
      })
      store.urgently(() => teams.setRoles(params.id, given))
    },
  )
}

const unmade = () => new ApiError('teams are made and deleted by calls of their own')

/** What naming a server in a team takes, whatever roles the team has. */
const seesServers: TeamRole = { role: 'viewer', scope: 'team' }

/** Each once, whatever was sent. */
const unique = (given: readonly TeamRole[]) =>
  given.filter((one, at) => given.findIndex((other) => sameValue(one, other)) === at)

const membersOf = ({ users, signed_in_users }: Team) => [...new Set([...users, ...signed_in_users])]

/** A team as a detail of the audit log. */
const inWords = ({ name, users, servers }: TeamValues) => ({
  ...auditNames([name]),
  users: users.join(' ').slice(0, maxWords),
  servers: servers.join(' ').slice(0, maxWords),
})

/** Characters of a list of ids in a line of the audit log. */
const maxWords = 256
