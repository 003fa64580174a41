import type { AlarmCause } from '../../src/schemas/alarm.ts'
import type { Store } from '../db/store.ts'

/** An alert that fired on a server, and how long it lasted. Times are milliseconds since 1970. */
export interface Alarm {
  id: number
  rule_id: number
  /** Whose rule it is. */
  owner_id: number
  /** The rule as it was saved when it fired; see `Alert.version`. */
  rule_version: string
  rule_name: string
  server_id: number
  server_name: string
  causes: AlarmCause[]
  started_at: number
  /** `null` while it is running. */
  ended_at: number | null
  withdrawn: boolean
  notified: boolean
}

/** What fired, and when. What is over goes by itself after a while (docs/decisions/alarms.md). */
export interface Alarms {
  open(alarm: Omit<Alarm, 'id' | 'ended_at' | 'withdrawn'>): Alarm
  /** @param withdrawn it did not recover: its rule was changed or is gone, or its server is */
  close(alarm: Alarm, at: number, withdrawn: boolean): void
  /** The running alarm of a rule on a server. */
  runningOf(ruleId: number, serverId: number): Alarm | undefined
  running(): Iterable<Alarm>
  /** The running ones first, and the latest of each first. */
  all(): Alarm[]
  /** Lets go what is too old, or too much. */
  tidy(now: number): void
}

/** Of alarms that are over; the running ones stay whatever there are. */
export const alarmLimits = { count: 5_000, ageMs: 90 * 86_400_000 } as const

/**
 * @param onFailure told of an alarm that could not be written down; it is running all the same, because nobody must
 * be told of it again and again while the disk is full
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
      { name: 'notified', type: 'FLAG' },
    ],
  })
  // In memory, because every check asks whether an alarm is running. By id, so in the order in which they began.
  const ended = new Map<number, Alarm>()
  /** By rule, then by server. */
  const running = new Map<number, Map<number, Alarm>>()
  for (const alarm of table.all()) {
    if (alarm.ended_at === null) begin(alarm)
    else ended.set(alarm.id, alarm)
  }
  let unwritten = 0

  function begin(alarm: Alarm): void {
    const ofRule = running.get(alarm.rule_id) ?? new Map<number, Alarm>()
    running.set(alarm.rule_id, ofRule.set(alarm.server_id, alarm))
  }

  function* allRunning() {
    for (const ofRule of running.values()) yield* ofRule.values()
  }

  function written<T>(write: () => T): T | undefined {
    try {
      return write()
    } catch (error) {
      onFailure(error)
      return undefined
    }
  }

  return {
    open(fired) {
      const alarm: Alarm = { ...fired, id: 0, ended_at: null, withdrawn: false }
      const { id: _, ...row } = alarm
      alarm.id = written(() => table.insert(row)) ?? --unwritten
      begin(alarm)
      return alarm
    },
    close(alarm, at, withdrawn) {
      written(() => table.update(alarm.id, { ended_at: at, withdrawn }))
      Object.assign(alarm, { ended_at: at, withdrawn })
      running.get(alarm.rule_id)?.delete(alarm.server_id)
      ended.set(alarm.id, alarm)
    },
    runningOf: (ruleId, serverId) => running.get(ruleId)?.get(serverId),
    running: allRunning,
    all: () => [...latestFirst(allRunning()), ...latestFirst(ended.values())],
    tidy(now) {
      const tooMany = ended.size - alarmLimits.count
      const gone: number[] = []
      for (const { id, ended_at } of ended.values()) {
        if (gone.length < tooMany || (ended_at ?? now) < now - alarmLimits.ageMs) gone.push(id)
      }
      if (gone.length === 0) return
      written(() => table.remove(gone))
      for (const id of gone) ended.delete(id)
    },
  }
}

const latestFirst = (alarms: Iterable<Alarm>) => [...alarms].sort((one, other) => other.id - one.id)
