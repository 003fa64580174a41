import {
  builtInRoles,
  type Right,
  type RoleAssignment,
  type RoleId,
  rights,
  roleId,
  roleLimits,
} from '../../../src/schemas/define/access.ts'
import { sameValue } from '../../../src/schemas/define/values.ts'
import type { Team } from '../../../src/schemas/endpoints/roleAndTeamEndpoints.ts'
import { server } from '../../../src/schemas/server.ts'
import { serverGroup } from '../../../src/schemas/serverGroup.ts'
import { createSelector } from '../../db/selector.ts'
import type { Store } from '../../db/store.ts'
import type { ResidentTable } from '../../db/table.ts'
import { entityTable } from '../../entities/entityTable.ts'
import type { Grants } from '../../person.ts'
import { ApiError } from '../../wire/apiCall.ts'
import { createTeams, type Teams, teamTables } from '../teams/teams.ts'
import type { User } from '../users/users.ts'
import { type AssignmentRow, type RoleRow, roleTables } from './roleTables.ts'

/** Who gives a role by hand, and when. */
type Gift = Pick<AssignmentRow, 'given_by' | 'given_at'>

/** A role of a user, and who gave it. */
export type GivenRole = RoleAssignment & Pick<AssignmentRow, 'provider' | keyof Gift>

type RoleForm = Pick<RoleRow, 'name'> & { rights: readonly Right[] }

/** Roles beyond those of the wire, and who has which. */
export interface Roles {
  /** The built-in ones, and then the own ones. */
  all(): (RoleForm & { id: RoleId })[]
  /** @throws ApiError when its name is taken, or there are too many */
  create(form: RoleForm): number
  /** @throws ApiError */
  update(id: number, form: RoleForm): void
  /**
   * Removes it from all who have it as well.
   * @throws ApiError when there is none
   */
  remove(id: number): RoleForm
  /** The further roles of a user. */
  of(userId: number): RoleAssignment[]
  /** The same with who gave each. */
  given(userId: number): GivenRole[]
  /** What the roles of a user let them do: nothing when they are gone or disabled. */
  grantsOf(userId: number): Grants
  /** Whether somebody may give any role at all to others. */
  givesAny(userId: number): boolean
  /** Whether somebody has a role wherever it would be given, and the right to give it there. */
  mayGive(userId: number, assignment: RoleAssignment): boolean
  /**
   * Replaces the roles of a user. What a provider gave and is kept stays the provider's, and what somebody gave before is
   * theirs.
   * @param gift default: not known
   * @throws ApiError when one of them does not exist
   */
  assign(userId: number, assignments: readonly RoleAssignment[], gift?: Gift): void
  /**
   * Replaces the roles that the rules of a provider gave to a user; roles that were deleted are left out.
   * @param at RFC 3339
   * @returns whether that changed anything
   */
  assignBy(provider: number, userId: number, assignments: readonly RoleAssignment[], at: string): boolean
  /** Takes all roles that the rules of a provider gave. */
  removeProvider(provider: number): void
  /** To be called in the transaction that deletes the users. */
  removeUsers(userIds: readonly number[]): void
}

/** Where somebody has a right. */
interface Reach {
  isAll: boolean
  groups: Set<number>
  /** Those that a role names itself. */
  named: Set<number>
  /** These, and those of the groups at the moment. */
  servers: Set<number>
  /** Those of teams that have a role for their servers; people in the same teams share the set. */
  ofTeams: ReadonlySet<number>
}

const none: ReadonlySet<number> = new Set()

/** Each once. */
const distinct = (given: readonly RoleAssignment[]) =>
  given.filter((one, at) => given.findIndex((other) => sameValue(one, other)) === at)

/** @param teams whose roles their members have as well */
export function createRoles(
  store: Store,
  users: Pick<ResidentTable<User>, 'get'>,
  teams: Pick<Teams, 'of'> = createTeams(store),
): Roles {
  const { roles, assignments } = roleTables(store)
  const groups = entityTable(store, serverGroup)
  const servers = entityTable(store, server)
  // Every row of a list and of a live frame asks.
  const { teams: teamRows, members } = teamTables(store)
  const sources = [roles, assignments, groups, teamRows, members] as const
  const reaches = createSelector(sources, () => ({
    byUser: new Map<number, ReadonlyMap<Right, Reach>>(),
    /** Of some teams together, by their ids: a set for each person would be thousands of the same. */
    ofTeams: new Map<string, ReadonlySet<number>>(),
    /** The ids of the teams that somebody is in. */
    memberships: new Map<number, ReadonlySet<number>>(),
  }))

  /** What a role gives; nothing when another version made it. */
  function rightsOf(id: RoleId): readonly Right[] {
    if (typeof id !== 'number') return builtInRoles[id]
    const stored = roles.get(id)?.rights ?? []
    return rights.filter((right) => stored.includes(right))
  }

  /** `undefined` when another version made it. */
  function assignmentOf({ role, is_all, server_groups, servers }: AssignmentRow): RoleAssignment | undefined {
    const id = roleId.safeParse(/^\d+$/.test(role) ? Number(role) : role)
    if (!id.success) return undefined
    return { role: id.data, scope: is_all ? 'all' : { groups: [...server_groups], servers: [...servers] } }
  }

  /** What several gave is there once. */
  const of = (userId: number): RoleAssignment[] =>
    distinct(assignments.find({ user_id: userId }).flatMap((row) => assignmentOf(row) ?? []))

  function given(userId: number): GivenRole[] {
    const rows = assignments.find({ user_id: userId })
    return of(userId).flatMap((assignment) => {
      const row = rows.find((one) => sameValue(assignmentOf(one), assignment))
      if (!row) return []
      const { provider, given_by, given_at } = row
      return { ...assignment, provider, given_by, given_at }
    })
  }

  function insert(userId: number, { role, scope }: RoleAssignment, by: Gift & { provider: number }): void {
    const { groups: server_groups, servers } = scope === 'all' ? { groups: [], servers: [] } : scope
    const is_all = scope === 'all'
    assignments.insert({ user_id: userId, role: String(role), is_all, server_groups, servers, ...by })
  }

  /** Makes rows what is given: those that are given already stay as they are. @returns whether that changed anything */
  function replace(
    rows: readonly AssignmentRow[],
    userId: number,
    given: readonly RoleAssignment[],
    by: Gift & { provider: number },
  ): boolean {
    const isGiven = (row: AssignmentRow) => given.some((one) => sameValue(one, assignmentOf(row)))
    const gone = rows.filter((row) => !isGiven(row))
    const added = given.filter((one) => !rows.some((row) => sameValue(one, assignmentOf(row))))
    assignments.remove(gone.map(({ id }) => id))
    for (const one of added) insert(userId, one, by)
    return gone.length + added.length > 0
  }

  /** The servers of some teams. */
  function serversOf(some: readonly Team[]): ReadonlySet<number> {
    const known = reaches().ofTeams
    const key = some.map(({ id }) => id).join()
    const union = known.get(key) ?? new Set(some.flatMap((team) => team.servers))
    known.set(key, union)
    return union
  }

  function computeReaches(userId: number): ReadonlyMap<Right, Reach> {
    const found = new Map<Right, Reach>()
    const reachBy = (right: Right) => {
      const reach = found.get(right) ?? {
        isAll: false,
        groups: new Set<number>(),
        named: new Set<number>(),
        servers: new Set<number>(),
        ofTeams: none,
      }
      found.set(right, reach)
      return reach
    }
    const ofTeams = teams.of(userId).flatMap((team) => team.roles.map((one) => ({ ...one, team })))
    const teamsBy = new Map<Right, Set<Team>>()
    for (const { role, scope, team } of [...of(userId).map((one) => ({ ...one, team: undefined })), ...ofTeams]) {
      for (const right of rightsOf(role)) {
        const reach = reachBy(right)
        if (scope === 'all') {
          reach.isAll = true
          continue
        }
        if (scope === 'team') {
          if (team) teamsBy.set(right, (teamsBy.get(right) ?? new Set()).add(team))
          continue
        }
        for (const id of scope.groups) reach.groups.add(id)
        for (const id of scope.servers) reach.named.add(id)
      }
    }
    for (const [right, some] of teamsBy) reachBy(right).ofTeams = serversOf([...some])
    for (const { groups: ofGroups, named, servers } of found.values()) {
      for (const id of named) servers.add(id)
      for (const group of ofGroups) for (const id of groups.get(group)?.servers ?? []) servers.add(id)
    }
    return found
  }

  function reachOf(userId: number, right: Right): Reach | undefined {
    const user = users.get(userId)
    if (!user || user.disabled) return undefined
    const known = reaches().byUser
    const reach = known.get(userId) ?? computeReaches(userId)
    known.set(userId, reach)
    return reach.get(right)
  }

  function hasAt(userId: number, right: Right, scope: RoleAssignment['scope']): boolean {
    const reach = reachOf(userId, right)
    if (!reach || reach.isAll) return reach !== undefined
    // A group that is given may grow: its servers of today are not enough. And a server that is in a group at the moment
    // may leave it, and those who had it by the group only.
    return (
      scope !== 'all' &&
      scope.groups.every((id) => reach.groups.has(id)) &&
      scope.servers.every((id) => reach.named.has(id))
    )
  }

  /** Every row that belongs to a team asks. */
  function teamsOf(userId: number): ReadonlySet<number> {
    const known = reaches().memberships
    const ids = known.get(userId) ?? new Set(teams.of(userId).map(({ id }) => id))
    known.set(userId, ids)
    return ids
  }

  const hasGroup = (reach: Reach) => [...reach.groups].some((id) => groups.get(id) !== undefined)

  /** @throws ApiError */
  function checkName(given: string, id?: number): void {
    const compared = given.toLowerCase()
    const isTaken = roles.all().some((row) => row.id !== id && row.name.toLowerCase() === compared)
    if (isTaken || Object.hasOwn(builtInRoles, compared)) {
      throw new ApiError('name: there is a role with this name: choose another')
    }
  }

  /** @throws ApiError */
  function stored(id: number): RoleRow {
    const row = roles.get(id)
    if (!row) throw new ApiError(`role id ${id} does not exist`)
    return row
  }

  /** Who may do anything sees as well. */
  const complete = ({ name, rights: given }: RoleForm): RoleForm => ({
    name,
    rights: rights.filter((right) => right === 'see' || given.includes(right)),
  })

  return {
    all: () => [
      ...(['viewer', 'operator', 'administrator'] as const).map((id) => ({ id, name: id, rights: rightsOf(id) })),
      ...roles.all().map(({ id, name }) => ({ id, name, rights: rightsOf(id) })),
    ],
    create(form) {
      checkName(form.name)
      if (roles.all().length >= roleLimits.own) {
        throw new ApiError(`there are ${roleLimits.own} roles already: delete those that nobody needs first`)
      }
      return roles.insert(complete(form))
    },
    update(id, form) {
      stored(id)
      checkName(form.name, id)
      store.urgently(() => roles.update(id, complete(form)))
    },
    remove(id) {
      const { name } = stored(id)
      const removed = { name, rights: rightsOf(id) }
      store.urgently(() => {
        roles.remove([id])
        assignments.remove(assignments.find({ role: String(id) }).map((row) => row.id))
      })
      return removed
    },
    of,
    given,
    grantsOf: (userId) => ({
      has(right, servers) {
        const reach = reachOf(userId, right)
        if (!reach || reach.isAll) return reach !== undefined
        return (
          servers !== 'all' &&
          servers.length > 0 &&
          servers.every((id) => reach.servers.has(id) || reach.ofTeams.has(id))
        )
      },
      teams() {
        const user = users.get(userId)
        return user && !user.disabled ? teamsOf(userId) : none
      },
    }),
    givesAny(userId) {
      const reach = reachOf(userId, 'people')
      if (!reach || reach.isAll) return reach !== undefined
      // What was deleted is nothing that anybody could be given.
      const isPresent = (id: number) => servers.get(id) !== undefined
      return hasGroup(reach) || [reach.servers, reach.ofTeams].some((ids) => [...ids].some(isPresent))
    },
    mayGive: (userId, { role, scope }) =>
      (['people', ...rightsOf(role)] as const).every((right) => hasAt(userId, right, scope)),
    assign(userId, given, gift = { given_by: 0, given_at: '' }) {
      for (const { role } of given) if (typeof role === 'number') stored(role)
      replace(assignments.find({ user_id: userId }), userId, distinct(given), { ...gift, provider: 0 })
    },
    assignBy(provider, userId, given, given_at) {
      const present = distinct(given).filter(({ role }) => typeof role !== 'number' || roles.get(role))
      const rows = assignments.find({ user_id: userId, provider })
      return replace(rows, userId, present, { provider, given_by: 0, given_at })
    },
    removeProvider: (provider) => assignments.remove(assignments.find({ provider }).map(({ id }) => id)),
    removeUsers: (userIds) =>
      assignments.remove(userIds.flatMap((user_id) => assignments.find({ user_id }).map(({ id }) => id))),
  }
}
