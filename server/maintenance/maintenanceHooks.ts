import { alertRule } from '../../src/schemas/alertRule.ts'
import { maintenanceWindow } from '../../src/schemas/maintenanceWindow.ts'
import type { mute } from '../../src/schemas/mute.ts'
import { server } from '../../src/schemas/server.ts'
import { service } from '../../src/schemas/service.ts'
import type { EntityHooks } from '../api/entityHooks.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { isAdmin, isOwner, makerOf, type Person, teamOfOwner } from '../person.ts'
import { ApiError } from '../wire/apiError.ts'
import { timestamp } from '../wire/timestamp.ts'
import { withoutEmpty } from '../wire/withoutEmpty.ts'
import type { CoveredRecords } from './coveredRecords.ts'
import type { Mutes, MuteTarget } from './mutes.ts'
import { endOf } from './mutes.ts'
import { currentOccurrence, nextOccurrence } from './openWindows.ts'

/** @param now milliseconds since 1970 @param zone the zone of windows that name none */
export const maintenanceWindowHooks = (
  covered: CoveredRecords,
  { now, zone }: { now: () => number; zone: string },
): EntityHooks<typeof maintenanceWindow> => ({
  notFoundError: (id) => `${maintenanceWindow.name} id ${id} does not exist`,
  present(encoded, row) {
    const open = currentOccurrence(row, now(), zone)
    const next = nextOccurrence(row, now(), zone)
    return {
      ...encoded,
      ...(open && { open_until: timestamp(open.to) }),
      ...(next && { opens_at: timestamp(next.from) }),
    }
  },
  // The member did not choose servers that join a group or get a tag later.
  narrowed: (row) => ({ servers: [...covered.serversOf(row)], server_groups: [], tags: '' }),
})

/** @param now milliseconds since 1970 */
export const muteHooks = (
  mutes: Mutes,
  { now, usernameOf }: { now: () => number; usernameOf: (id: number) => string | undefined },
): EntityHooks<typeof mute> => ({
  namesWith: 'act',
  // An alarm: on a server of theirs, whoever made the rule.
  mayName: (field, { server_id }, { person }) =>
    field === 'rule_id' && server_id > 0 && person?.grants?.has('act', [server_id]) === true,
  validate(form) {
    const { server_id, rule_id, service_id } = form
    if (!server_id && !rule_id && !service_id) throw new ApiError('server_id: choose a server, a rule or a service')
    if (form.ends_at && endOf(form) <= now()) throw new ApiError('ends_at: choose a time that is still to come')
    if (!form.ends_at && !mutes.hasTrouble({ server_id, rule_id, service_id })) {
      throw new ApiError('ends_at: nothing is wrong that could recover: choose when the mute ends')
    }
    return form
  },
  teamOf: (form, { store, person }) => teamOfMuted(form, store, person),
  present: (encoded, row) => ({ ...encoded, ...withoutEmpty({ username: usernameOf(makerOf(row)) }) }),
})

/**
 * The team that all of what is muted belongs to, for somebody in it; else 0. So it is silent for the whole team, and each
 * of them can lift the mute.
 */
function teamOfMuted(target: MuteTarget, store: Store, person: Person | undefined): number {
  if (isAdmin(person)) return 0
  const named = [
    entityTable(store, server).get(target.server_id),
    entityTable(store, alertRule).get(target.rule_id),
    entityTable(store, service).get(target.service_id),
  ]
  const [owner = 0, ...others] = new Set(named.flatMap((row) => row?.user_id ?? []))
  return others.length === 0 && isOwner(person, owner) ? teamOfOwner(owner) : 0
}
