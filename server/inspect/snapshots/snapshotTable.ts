import type { Store } from '../../db/store.ts'

/** What is known of a snapshot without reading it. */
interface Entry {
  id: number
  server_id: number
  /** Milliseconds since 1970. */
  taken_at: number
  /** The alarms that it was taken for. */
  alarm_ids: number[]
  /** Characters. */
  size: number
}

interface DataRow {
  /** That of the entry. */
  id: number
  data: string
}

export interface StoredSnapshot {
  server_id: number
  taken_at: number
  /** JSON. */
  data: string
}

/** Snapshots on the disk; only what they are of is in memory. */
export interface SnapshotTable {
  /** @returns its id. @throws when it cannot be saved */
  add(snapshot: StoredSnapshot & { alarm_ids: number[] }): number
  /** One more alarm has the same one. @throws when it cannot be saved */
  share(id: number, alarmId: number): void
  has(alarmId: number): boolean
  of(alarmId: number): StoredSnapshot | undefined
  /** Removes those that are too old, and those of servers that are gone. @throws when they cannot be removed */
  removeOld(): void
}

/**
 * Older ones are removed, and those of the server with the most when all are too many: nobody's alarms drive out what
 * others have.
 */
export const snapshotStoreLimits = {
  ageMs: 31 * 86_400_000,
  /** Characters of all together. */
  size: 64 * 1024 * 1024,
  count: 20_000,
  /** Alarms that share one. */
  alarms: 500,
} as const

/**
 * @param hasServer whether there is a server with this id
 * @param now the time by which they are too old, in milliseconds since 1970
 */
export function openSnapshotTable(
  store: Store,
  { hasServer, now }: { hasServer: (id: number) => boolean; now: () => number },
): SnapshotTable {
  const entries = store.table<Entry>({
    name: 'alarm_snapshot',
    columns: [
      { name: 'server_id', type: 'INTEGER' },
      { name: 'taken_at', type: 'INTEGER' },
      { name: 'alarm_ids', type: 'JSON' },
      { name: 'size', type: 'INTEGER' },
    ],
  })
  const contents = store.table<DataRow>({ name: 'alarm_snapshot_data', columns: [{ name: 'data', type: 'TEXT' }] })
  /** By id, the oldest first. */
  const known = new Map<number, Entry>()
  const byAlarm = new Map<number, Entry>()
  let size = 0
  for (const entry of entries.all()) keep(entry)

  function keep(entry: Entry): void {
    known.set(entry.id, entry)
    size += entry.size
    for (const id of entry.alarm_ids) byAlarm.set(id, entry)
  }

  function remove(removed: readonly Entry[]): void {
    const ids = removed.map(({ id }) => id)
    store.transaction(() => {
      entries.remove(ids)
      contents.remove(ids)
    })
    for (const entry of removed) {
      known.delete(entry.id)
      size -= entry.size
      for (const id of entry.alarm_ids) byAlarm.delete(id)
    }
  }

  const isTooOld = ({ taken_at }: Entry) => taken_at < now() - snapshotStoreLimits.ageMs

  function makeRoom(): void {
    while (size > snapshotStoreLimits.size || known.size > snapshotStoreLimits.count) remove(oldestOfLargest())
  }

  /** The older half of what the server has that takes most: all have to be looked at for it. */
  function oldestOfLargest(): Entry[] {
    const byServer = [...Map.groupBy(known.values(), ({ server_id }) => server_id).values()]
    const sizeOf = (list: readonly Entry[]) => list.reduce((sum, entry) => sum + entry.size, 0)
    const sized = byServer.map((list) => ({ list, size: sizeOf(list) }))
    const { list } = sized.reduce((one, other) => (other.size > one.size ? other : one))
    return list.slice(0, Math.ceil(list.length / 2))
  }

  return {
    add({ data, ...values }) {
      const entry = { ...values, size: data.length }
      const id = store.transaction(() => {
        const given = entries.insert(entry)
        contents.insert({ id: given, data })
        return given
      })
      keep({ ...entry, id })
      makeRoom()
      return id
    },
    share(id, alarmId) {
      const entry = known.get(id)
      if (!entry || entry.alarm_ids.length >= snapshotStoreLimits.alarms) return
      const alarm_ids = [...entry.alarm_ids, alarmId]
      entries.update(id, { alarm_ids })
      entry.alarm_ids = alarm_ids
      byAlarm.set(alarmId, entry)
    },
    has(alarmId) {
      const entry = byAlarm.get(alarmId)
      return entry !== undefined && !isTooOld(entry)
    },
    of(alarmId) {
      const entry = byAlarm.get(alarmId)
      const row = entry && !isTooOld(entry) ? contents.get(entry.id) : undefined
      return row && entry && { server_id: entry.server_id, taken_at: entry.taken_at, data: row.data }
    },
    removeOld() {
      const old = [...known.values()].filter((entry) => isTooOld(entry) || !hasServer(entry.server_id))
      if (old.length > 0) remove(old)
    },
  }
}
