import { roles } from '../../../src/schemas/define/access.ts'
import { type Team, type TeamRole, teamLimits, teamRole } from '../../../src/schemas/endpoints/roleAndTeamEndpoints.ts'
import { createSelector } from '../../db/selector.ts'
import type { Store } from '../../db/store.ts'
import { isAdmin, type Person, teamOfOwner } from '../../person.ts'
import { ApiError } from '../../wire/apiCall.ts'
import { usersIn } from '../users/users.ts'

/** A team as stored. */
interface TeamRow {
  id: number
  name: string
  servers: readonly number[]
  roles: readonly unknown[]
}

/** That somebody is in a team. A person may be in it by hand and by a source. */
interface MemberRow {
  id: number
  team_id: number
  user_id: number
  /** '' where somebody put them into it by hand; else what did it, such as a provider of sign-ins. */
  source: string
}

/** What people enter of a team. */
export type TeamValues = Pick<Team, 'name' | 'users' | 'servers'>

/**
 * People and servers under a name. Who is in a team has its roles while they are in it. Servers that were deleted stay
 * named until the team is saved.
 */
export interface Teams {
  all(): readonly Team[]
  /** @throws ApiError when there is none */
  get(id: number): Team
  /** The teams that somebody is in. */
  of(userId: number): readonly Team[]
  has(id: number): boolean
  /** To be called in a transaction, as all that writes. @throws ApiError when its name is taken, or there are too many */
  create(values: TeamValues): number
  /** Who is in it by a source stays. @throws ApiError */
  update(id: number, values: TeamValues): void
  /** @throws ApiError when there is none */
  setRoles(id: number, roles: readonly TeamRole[]): void
  /** @throws ApiError when there is none */
  remove(id: number): void
  /** Puts somebody into a team by hand. Nothing where the team is gone. */
  add(id: number, userId: number): void
  /**
   * Sets the teams that a source gives a person, such as the groups of their sign-in: they leave those that it gave
   * before. What was done by hand, or by another source, stays.
   * @param source a name that stays the same, as `oidc:company`
   * @param ids unknown ones are ignored
   * @returns whether that changed anything
   */
  setFrom(source: string, userId: number, ids: readonly number[]): boolean
  /** Takes all out of their teams whom a source put in, as when it is deleted. */
  removeSource(source: string): void
  removeUsers(userIds: readonly number[]): void
}

/** What teams are kept in; whatever is computed of them depends on both. */
export const teamTables = (store: Store) => ({
  teams: store.resident<TeamRow>({
    name: 'team',
    columns: [
      { name: 'name', type: 'TEXT' },
      { name: 'servers', type: 'JSON' },
      { name: 'roles', type: 'JSON' },
    ],
  }),
  members: store.resident<MemberRow>({
    name: 'team_member',
    columns: [
      { name: 'team_id', type: 'INTEGER', indexed: true },
      { name: 'user_id', type: 'INTEGER', indexed: true },
      { name: 'source', type: 'TEXT' },
    ],
  }),
})

const byHand = ''

/** Whether somebody has to do with teams: only they are told, and asked, to which one a record belongs. */
export const hasTeams = (person: Person | undefined, teams: Pick<Teams, 'all' | 'of'>): boolean =>
  person !== undefined && (isAdmin(person) ? teams.all().length > 0 : teams.of(person.id).length > 0)

/**
 * Gives the role of whom a record belongs to: that of a user, and for a team that of a member, whoever is in it;
 * `undefined` where they no longer exist.
 */
export function ownerRolesIn(store: Store): (ownerId: number) => number | undefined {
  const users = usersIn(store)
  const { teams } = teamTables(store)
  return (ownerId) => {
    const team = teamOfOwner(ownerId)
    if (team === 0) return users.get(ownerId)?.role
    return teams.get(team) && roles.user
  }
}

/** Without what another version made. */
const rolesOf = ({ roles }: TeamRow): TeamRole[] =>
  roles.flatMap((one) => {
    const read = teamRole.safeParse(one)
    return read.success ? [read.data] : []
  })

/** Whether a team has a role for a group of servers. */
export const isGroupOfTeam = (store: Store, group: number): boolean =>
  teamTables(store)
    .teams.all()
    .some((row) => rolesOf(row).some(({ scope }) => typeof scope === 'object' && scope.groups.includes(group)))

export function createTeams(store: Store): Teams {
  const { teams, members } = teamTables(store)
  // Not of the servers: these are written all the time, and whoever shows a team leaves out those that were deleted.
  const all = createSelector([teams, members], (rows, memberRows): readonly Team[] => {
    const byTeam = Map.groupBy(memberRows, ({ team_id }) => team_id)
    return rows.map((row) => {
      const [manual, others] = [new Set<number>(), new Set<number>()]
      for (const { source, user_id } of byTeam.get(row.id) ?? []) (source === byHand ? manual : others).add(user_id)
      return {
        id: row.id,
        name: row.name,
        users: [...manual].sort((one, other) => one - other),
        signed_in_users: [...others].sort((one, other) => one - other),
        servers: [...row.servers],
        roles: rolesOf(row),
      }
    })
  })
  const byUser = createSelector([teams, members], () => {
    const found = new Map<number, Team[]>()
    for (const team of all()) {
      for (const id of new Set([...team.users, ...team.signed_in_users])) {
        const ofUser = found.get(id) ?? []
        ofUser.push(team)
        found.set(id, ofUser)
      }
    }
    return found
  })

  /** @throws ApiError */
  function get(id: number): Team {
    const team = all().find((one) => one.id === id)
    if (!team) throw new ApiError(`team id ${id} does not exist`)
    return team
  }

  /** @throws ApiError */
  function checkName(given: string, id?: number): void {
    const compared = given.toLowerCase()
    if (teams.all().some((row) => row.id !== id && row.name.toLowerCase() === compared)) {
      throw new ApiError('name: there is a team with this name: choose another')
    }
  }

  const remove = (rows: readonly MemberRow[]) => members.remove(rows.map(({ id }) => id))

  function setMembers(id: number, users: readonly number[]): void {
    const present = members.find({ team_id: id, source: byHand })
    const [before, wanted] = [new Set(present.map(({ user_id }) => user_id)), new Set(users)]
    remove(present.filter(({ user_id }) => !wanted.has(user_id)))
    for (const user_id of wanted) {
      if (!before.has(user_id)) members.insert({ team_id: id, user_id, source: byHand })
    }
  }

  return {
    all,
    get,
    of: (userId) => byUser().get(userId) ?? [],
    has: (id) => teams.get(id) !== undefined,
    create({ name, users, servers }) {
      checkName(name)
      if (teams.all().length >= teamLimits.teams) {
        throw new ApiError(`there are ${teamLimits.teams} teams already: delete those that nobody needs first`)
      }
      const id = teams.insert({ name, servers, roles: [] })
      setMembers(id, users)
      return id
    },
    update(id, { name, users, servers }) {
      get(id)
      checkName(name, id)
      teams.update(id, { name, servers })
      setMembers(id, users)
    },
    setRoles(id, roles) {
      get(id)
      teams.update(id, { roles })
    },
    remove(id) {
      get(id)
      teams.remove([id])
      remove(members.find({ team_id: id }))
    },
    add(id, userId) {
      if (!teams.get(id) || members.find({ team_id: id, user_id: userId, source: byHand }).length > 0) return
      members.insert({ team_id: id, user_id: userId, source: byHand })
    },
    setFrom(source, userId, ids) {
      if (source === byHand) throw new Error('A source has a name.')
      const present = members.find({ user_id: userId, source })
      const gone = present.filter(({ team_id }) => !ids.includes(team_id))
      const added = [...new Set(ids)].filter((id) => teams.get(id) && !present.some(({ team_id }) => team_id === id))
      remove(gone)
      for (const team_id of added) members.insert({ team_id, user_id: userId, source })
      return gone.length + added.length > 0
    },
    removeSource: (source) => remove(members.find({ source })),
    removeUsers: (userIds) => void remove(userIds.flatMap((user_id) => members.find({ user_id }))),
  }
}
