import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Shift, shiftAt, shiftsBetween } from '../../src/domain/rota/rotaShifts.ts'
import { roles } from '../../src/schemas/define/access.ts'
import { notification } from '../../src/schemas/notification.ts'
import { rota as rotaEntity } from '../../src/schemas/rota.ts'
import { createTeams } from '../auth/teams/teams.ts'
import { usersIn } from '../auth/users/users.ts'
import type { Store } from '../db/store.ts'
import { entityTable, type Row } from '../entities/entityTable.ts'
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

/** Below the address of this server. */
export const feedStart = '/api/rota/'

/**
 * The addresses at which calendar programs read a rota without a sign-in. Each person has one of their own: it leads
 * nowhere from the moment on in which they may not see the rota any more, and comes back with the right.
 */
export interface RotaAddresses {
  /** The path of a person's address; `undefined` while the rota has none. */
  pathOf(rota: RotaRow, userId: number): string | undefined
  /** The rota of an address, by what stands behind `feedStart`; `undefined` for one that is of no use. */
  read(token: string): { rota: RotaRow; userId: number } | undefined
  /** Gives the rota addresses, in place of all that people have. To be called by who may see it. */
  renew(rotaId: number): void
}

/** Bytes: 192 bits, which nobody guesses. */
const secretLength = 24

export function createRotaAddresses(store: Store): RotaAddresses {
  const rotas = entityTable(store, rotaEntity)
  const users = usersIn(store)
  const teams = createTeams(store)

  /** Not the secret itself: whoever has left a team would know the address of a colleague. */
  function tokenOf({ id, feed_path: secret }: RotaRow, userId: number): string | undefined {
    // The one address of former days is no secret: all who could see the rota had it, and would know those of others.
    if (!secret || secret.startsWith(feedStart)) return undefined
    const facts = `${id}-${userId}`
    const signature = createHmac('sha256', secret).update(facts).digest().subarray(0, secretLength)
    return `${facts}-${signature.toString('base64url')}.ics`
  }

  function maySee(userId: number, { user_id: ownerId }: RotaRow): boolean {
    const user = users.get(userId)
    if (!user || user.disabled) return false
    if (user.role === roles.admin || user.id === ownerId) return true
    const team = teamOfOwner(ownerId)
    return team > 0 && teams.of(user.id).some(({ id }) => id === team)
  }

  return {
    pathOf(rota, userId) {
      const token = tokenOf(rota, userId)
      return token && feedStart + token
    },
    read(token) {
      const [, rotaId, userId] = /^(\d{1,15})-(\d{1,15})-[\w-]{32}\.ics$/.exec(token)?.map(Number) ?? []
      const rota = rotas.get(rotaId ?? 0)
      if (!rota || userId === undefined || !maySee(userId, rota)) return undefined
      const right = tokenOf(rota, userId)
      if (right?.length !== token.length || !timingSafeEqual(Buffer.from(right), Buffer.from(token))) return undefined
      return { rota, userId }
    },
    renew: (rotaId) => void rotas.update(rotaId, { feed_path: randomBytes(secretLength).toString('base64url') }),
  }
}
