import { stateOfAlarm } from '../../src/schemas/alarm.ts'
import type { AlarmCause } from '../../src/schemas/alerts/alarmCause.ts'
import { server } from '../../src/schemas/server.ts'
import type { Context, EntityHooks } from '../api/entityHooks.ts'
import type { Store } from '../db/store.ts'
import { entityTable, type ResponseRow } from '../entities/entityTable.ts'
import type { Snapshots } from '../inspect/snapshots/snapshots.ts'
import type { Silence } from '../maintenance/silence.ts'
import { isAdmin, isOwner, may } from '../person.ts'
import { timestamp, withoutEmpty } from '../wire/apiCall.ts'

/** An alert that fired on a server. Times are milliseconds since 1970. */
export interface Alarm {
  id: number
  rule_id: number
  /** Owner of the rule. */
  owner_id: number
  /** Version of the rule when it fired; see `CompiledAlert.version`. */
  rule_version: string
  rule_name: string
  server_id: number
  server_name: string
  causes: AlarmCause[]
  started_at: number
  /** `null` while it is running. */
  ended_at: number | null
  withdrawn: boolean
  /** Whether nothing is measured on its server now. */
  paused: boolean
  notified: boolean
  /** Why nobody has been notified of it so far; '' once everything was done that its rule says. */
  silenced: Silence | ''
}

type NewAlarm = Omit<Alarm, 'id' | 'ended_at' | 'withdrawn' | 'paused' | 'silenced'> & Partial<Pick<Alarm, 'silenced'>>

/** All alarms. Ended ones are deleted after a while (docs/decisions/alarms.md). */
export interface Alarms {
  open(alarm: NewAlarm): Alarm
  /** @param withdrawn whether it ended without recovery: its rule was changed or deleted, or its server was deleted */
  close(alarm: Alarm, at: number, withdrawn: boolean): void
  /** The running alarm of a rule on a server. */
  runningOf(ruleId: number, serverId: number): Alarm | undefined
  /** Changes whether people were notified of a running alarm. */
  setNotified(alarm: Alarm, values: Pick<Alarm, 'notified' | 'silenced'>): void
  setPaused(alarm: Alarm, paused: boolean): void
  /** Those that have not ended, paused ones too. */
  running(): Iterable<Alarm>
  /** Running alarms first, each part with the latest first. */
  all(): Alarm[]
  /** Deletes ended alarms that are too old or too many. */
  removeOld(now: number): void
}

/** For ended alarms; running ones have no limit. */
export const alarmLimits = { count: 5_000, ageMs: 90 * 86_400_000 } as const

/**
 * @param onFailure called when an alarm cannot be saved. It counts as running all the same, so that it does not fire
 * again at every check while the disk is full
 */
export function openAlarms(store: Store, onFailure: (error: unknown) => void): Alarms {
  const table = store.table<Alarm>({
    name: 'alarm',
    columns: [
      { name: 'rule_id', type: 'INTEGER' },
      { name: 'owner_id', type: 'INTEGER' },
      { name: 'rule_version', type: 'TEXT' },
      { name: 'rule_name', type: 'TEXT' },
      { name: 'server_id', type: 'INTEGER' },
      { name: 'server_name', type: 'TEXT' },
      { name: 'causes', type: 'JSON' },
      { name: 'started_at', type: 'INTEGER' },
      { name: 'ended_at', type: 'INTEGER' },
      { name: 'withdrawn', type: 'FLAG' },
      { name: 'paused', type: 'FLAG', initial: false },
      { name: 'notified', type: 'FLAG' },
      { name: 'silenced', type: 'TEXT', initial: '' },
    ],
  })
  // In memory, because every check asks whether an alarm is running.
  /** By id, in the order in which they began. */
  const ended = new Map<number, Alarm>()
  /** By rule id, then by server id. */
  const running = new Map<number, Map<number, Alarm>>()
  for (const alarm of table.all()) {
    if (alarm.ended_at === null) addRunning(alarm)
    else ended.set(alarm.id, alarm)
  }
  let lastTemporaryId = 0

  function addRunning(alarm: Alarm): void {
    const byServer = running.get(alarm.rule_id) ?? new Map<number, Alarm>()
    running.set(alarm.rule_id, byServer.set(alarm.server_id, alarm))
  }

  function* allRunning() {
    for (const byServer of running.values()) yield* byServer.values()
  }

  function tryWrite<T>(write: () => T): T | undefined {
    try {
      return write()
    } catch (error) {
      onFailure(error)
      return undefined
    }
  }

  return {
    open(values) {
      const alarm: Alarm = { silenced: '', ...values, id: 0, ended_at: null, withdrawn: false, paused: false }
      const { id: _, ...row } = alarm
      alarm.id = tryWrite(() => table.insert(row)) ?? --lastTemporaryId
      addRunning(alarm)
      return alarm
    },
    close(alarm, at, withdrawn) {
      const values = { ended_at: at, withdrawn, paused: false }
      tryWrite(() => table.update(alarm.id, values))
      Object.assign(alarm, values)
      running.get(alarm.rule_id)?.delete(alarm.server_id)
      ended.set(alarm.id, alarm)
    },
    setNotified(alarm, values) {
      tryWrite(() => table.update(alarm.id, values))
      Object.assign(alarm, values)
    },
    setPaused(alarm, paused) {
      tryWrite(() => table.update(alarm.id, { paused }))
      alarm.paused = paused
    },
    runningOf: (ruleId, serverId) => running.get(ruleId)?.get(serverId),
    running: allRunning,
    all: () => [...latestFirst(allRunning()), ...latestFirst(ended.values())],
    removeOld(now) {
      const tooOld = [...ended.values()].filter(({ ended_at }) => (ended_at ?? now) < now - alarmLimits.ageMs)
      for (const { id } of tooOld) ended.delete(id)
      const expired = [...tooOld, ...tooMany([...ended.values()])].map(({ id }) => id)
      if (expired.length === 0) return
      tryWrite(() => table.remove(expired))
      for (const id of expired) ended.delete(id)
    },
  }
}

/** The oldest ones of the person with the most, so that one person's alarms do not push out those of others. */
function tooMany(alarms: readonly Alarm[]): Alarm[] {
  const excess = alarms.length - alarmLimits.count
  if (excess <= 0) return []
  const byOwner = [...Map.groupBy(alarms, ({ owner_id }) => owner_id).values()]
  const removed: Alarm[] = []
  while (removed.length < excess) {
    const longest = byOwner.reduce((one, other) => (other.length > one.length ? other : one))
    removed.push(longest.shift() as Alarm)
  }
  return removed
}

const latestFirst = (alarms: Iterable<Alarm>) => [...alarms].sort((one, other) => other.id - one.id)

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
