import { stateOfAlarm } from '../../src/schemas/alarm.ts'
import { server } from '../../src/schemas/server.ts'
import type { Context, EntityHooks } from '../api/entityHooks.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { ResponseRow } from '../entities/row.ts'
import type { Snapshots } from '../inspect/snapshots/snapshots.ts'
import { isAdmin, isOwner, may } from '../person.ts'
import { timestamp } from '../wire/timestamp.ts'
import { withoutEmpty } from '../wire/withoutEmpty.ts'
import type { Alarm, Alarms } from './alarms.ts'

/**
 * What fired, for those whose rule or server it is; nobody can change it. It is read-only for those who may not mute it,
 * and has a snapshot for those who may look into the server.
 */
export function alarmHooks(alarms: Pick<Alarms, 'all'>, snapshots: Pick<Snapshots, 'has'>): EntityHooks {
  function rowsFor(context: Context): readonly ResponseRow[] {
    const { store, person } = context
    const servers = entityTable(store, server)
    return visibleTo(alarms.all(), context).map((alarm) => {
      const { id, owner_id, server_id } = alarm
      const row = servers.get(server_id)
      const mayAct = row !== undefined && may(person, 'act', row, [server_id])
      // Whose server it is does not mute the rules of others: see `mayName` of mutes.
      const isMutable =
        isAdmin(person) || (mayAct && (isOwner(person, owner_id) || person?.grants?.has('act', [server_id]) === true))
      return {
        ...toWire(alarm, mayAct && snapshots.has(id)),
        ...(!isMutable && { read_only: true, rights: ['see'] }),
      }
    })
  }
  return { pagedRows: { all: rowsFor, filters: { state: (row, state) => stateOfAlarm(row) === state } } }
}

/** Those whose rule or server is the person's own, or whose server a role shows; administrators see all. */
export function visibleTo(
  alarms: readonly Alarm[],
  { store, person }: Pick<Context, 'store' | 'person'>,
): readonly Alarm[] {
  if (isAdmin(person)) return alarms
  const own = entityTable(store, server)
    .all()
    .filter((row) => isOwner(person, row.user_id) || may(person, 'see', row, [row.id]))
  const ownIds = new Set(own.map(({ id }) => id))
  return alarms.filter(({ owner_id, server_id }) => isOwner(person, owner_id) || ownIds.has(server_id))
}

const toWire = (
  { id, started_at, ended_at, withdrawn, paused, notified, silenced, ...alarm }: Alarm,
  snapshot: boolean,
): ResponseRow => ({
  id,
  rule_id: alarm.rule_id,
  rule_name: alarm.rule_name,
  server_id: alarm.server_id,
  server_name: alarm.server_name,
  causes: alarm.causes,
  started_at: timestamp(started_at),
  ...(ended_at !== null && { ended_at: timestamp(ended_at) }),
  ...withoutEmpty({ withdrawn, paused, notified, silenced, snapshot }),
})
