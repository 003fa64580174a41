import { type Shift, shiftAt, shiftsBetween } from '../../src/domain/rota/rotaShifts.ts'
import { roles } from '../../src/schemas/define/access.ts'
import { notification } from '../../src/schemas/notification.ts'
import { rota as rotaEntity } from '../../src/schemas/rota.ts'
import { createTeams } from '../auth/teams/teams.ts'
import { usersIn } from '../auth/users/users.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Row } from '../entities/row.ts'
import { teamOfOwner } from '../person.ts'
import { ownTimezone } from '../site/timeZone.ts'

export type RotaRow = Row<typeof rotaEntity>

/** Somebody on duty. */
export interface OnDuty {
  user_id: number
  /** Empty for somebody who was deleted. */
  name: string
  /** Ids of the notifiers by which they are told; none for somebody whose account is disabled, or who left the team. */
  notifiers: readonly number[]
  /** Whether the rota belongs to a team that they are not in: they are told nothing of what the team has. */
  isOutside: boolean
}

export interface Duty {
  /** Who is on duty now; `undefined` for a rota that is gone or incomplete. */
  now(rotaId: number): OnDuty | undefined
  person(rota: RotaRow, userId: number): OnDuty
  /** Milliseconds since 1970. */
  shifts(rota: RotaRow, from: number, to: number): Shift[]
}

export const zoneOf = ({ time_zone }: { time_zone: string }): string => time_zone || ownTimezone()

/** @param now milliseconds since 1970 */
export function createDuty(store: Store, now: () => number): Duty {
  const rotas = entityTable(store, rotaEntity)
  const users = usersIn(store)
  const teams = createTeams(store)
  const notifiers = entityTable(store, notification)

  function person({ user_id: ownerId }: RotaRow, userId: number): OnDuty {
    const user = users.get(userId)
    const team = teamOfOwner(ownerId)
    const isOutside = team > 0 && user?.role !== roles.admin && !teams.of(userId).some(({ id }) => id === team)
    if (!user || user.disabled || isOutside) {
      return { user_id: userId, name: user?.username ?? '', notifiers: [], isOutside }
    }
    // As far as they are there, and still theirs to choose.
    const isTheirs = (id: number) => user.role === roles.admin || notifiers.get(id)?.user_id === userId
    return {
      user_id: userId,
      name: user.username,
      isOutside,
      notifiers: user.notifiers.filter((id) => notifiers.get(id) !== undefined && isTheirs(id)),
    }
  }

  return {
    person,
    now(rotaId) {
      const row = rotas.get(rotaId)
      const shift = row && shiftAt(row, now(), zoneOf(row))
      return row && shift && person(row, shift.user_id)
    },
    shifts: (row, from, to) => shiftsBetween(row, from, to, zoneOf(row)),
  }
}
