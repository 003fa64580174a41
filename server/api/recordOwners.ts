import { roles } from '../../src/schemas/define/access.ts'
import { server } from '../../src/schemas/server.ts'
import { createTeams, hasTeams, ownerRolesIn } from '../auth/teams/teams.ts'
import { usersIn } from '../auth/users/users.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Owned, Row } from '../entities/row.ts'
import { isAdmin, isOwner, makerOf, ownerOfTeam, type Person, teamOfOwner } from '../person.ts'
import { ApiError } from '../wire/apiError.ts'
import type { EntityHooks } from './entityHooks.ts'

/** Whose a record is, as its table has it. */
export type Ownership = Required<Pick<Owned, 'user_id' | 'made_by'>>

/** Decides whose a record is that somebody makes, and who may give it to a team or take it back. */
export interface RecordOwners {
  /** An owner's role; `undefined` when the user or the team no longer exists. */
  roleOf(ownerId: number): number | undefined
  /**
   * Whether somebody is told to which team a record belongs, or that it belongs to none: people who have to do with teams
   * are, but of a team that they are not in.
   */
  tellsTeam(person: Person | undefined, row: Pick<Owned, 'user_id'>): boolean
  /**
   * @param team to which it shall belong; 0: to a person
   * @throws ApiError when this person may not decide so
   */
  ofNew(person: Person | undefined, team: number): Ownership
  /**
   * The same of a record that is saved. It belongs to whom it did where `team` is that of the record.
   * @throws ApiError
   */
  ofSaved(person: Person | undefined, row: Row, team: number): Ownership
  /**
   * What changes in a record that belonged to a team, so that it reaches no more than before: everybody in the team could
   * write it, and give it to a person who has servers of their own, or is an administrator.
   */
  narrowed(row: Row, to: number, hooks: Pick<EntityHooks, 'narrowed'>): Partial<Row>
}

export function createRecordOwners(store: Store): RecordOwners {
  const users = usersIn(store)
  const teams = createTeams(store)
  const servers = entityTable(store, server)

  const roleOf = ownerRolesIn(store)

  /** @throws ApiError, the same for a team that does not exist and for one that is not theirs */
  function checkTeam(person: Person | undefined, team: number): void {
    const isTheirs = isAdmin(person) || isOwner(person, ownerOfTeam(team))
    if (!teams.has(team) || !isTheirs) throw new ApiError(`team: team id ${team} does not exist, or you are not in it`)
  }

  /**
   * Who gets a record that leaves its team: the person who made it or gave it. Nobody else in the team takes it from there,
   * neither for themselves nor for that person: what these have besides may use it, as everybody in the team could write it.
   * @throws ApiError
   */
  function receiverOf(person: Person | undefined, row: Row): number {
    const maker = users.get(makerOf(row))
    if (person && isAdmin(person)) return maker?.id ?? person.id
    if (person && person.id === maker?.id) return person.id
    throw new ApiError(
      'team: only the person who gave this to the team, while they are in it, and administrators take it from the team',
    )
  }

  return {
    roleOf,
    tellsTeam: (person, { user_id }) =>
      hasTeams(person, teams) && (isAdmin(person) || teamOfOwner(user_id) === 0 || isOwner(person, user_id)),
    ofNew(person, team) {
      const maker = person?.id ?? 0
      if (team === 0) return { user_id: maker, made_by: 0 }
      checkTeam(person, team)
      return { user_id: ownerOfTeam(team), made_by: maker }
    },
    ofSaved(person, row, team) {
      const present = teamOfOwner(row.user_id)
      if (team === present) return { user_id: row.user_id, made_by: row.made_by ?? 0 }
      if (!isAdmin(person) && !isOwner(person, row.user_id)) {
        throw new ApiError('team: only its owner and administrators give this to a team')
      }
      if (team === 0) return { user_id: receiverOf(person, row), made_by: 0 }
      if (present > 0 && !isAdmin(person)) {
        throw new ApiError('team: this belongs to another team: only an administrator gives it to a second one')
      }
      checkTeam(person, team)
      return { user_id: ownerOfTeam(team), made_by: makerOf(row) }
    },
    narrowed(row, to, hooks) {
      if (teamOfOwner(row.user_id) === 0) return {}
      const ofTeam = new Set(servers.find({ user_id: row.user_id }).map(({ id }) => id))
      return { ...hooks.narrowed?.(row, ofTeam), has_member_rights: roleOf(to) === roles.admin }
    },
  }
}
