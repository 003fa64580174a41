import type { Store } from '../db/store.ts'
import { keyedTable, type WriteBehind, writeBehind } from '../db/writeBehind.ts'

/** A part of an incident, as a notifier group knows it. Times are milliseconds since 1970. */
export interface ToldPart {
  /** That of the part; see `keyOf`. */
  key: string
  name: string
  started_at: number
  /** `null` while it lasts. */
  ended_at: number | null
  withdrawn: boolean
  is_told: boolean
  /** What is told when it is the only part. */
  message: string
  /** What it is about, for the placeholders and the delivery log; 0 for none. */
  server_id: number
  service_id: number
}

/** What a notifier group was told of an incident, and what it is to be told. */
export interface ToldGroup {
  id: number
  incident_id: number
  group_id: number
  /** When what waits is told; `null` while nothing waits. */
  due_at: number | null
  /** When the last message was sent; `null` before the first. */
  told_at: number | null
  parts: ToldPart[]
  /** What is told at the end when there is only one part; '' where nobody has said it. */
  end_message: string
}

/** All of them, in memory and on the disk. */
export interface ToldGroups {
  all(): Iterable<ToldGroup>
  has(told: ToldGroup): boolean
  /** What a group knows of an incident. */
  of(incidentId: number, groupId: number): ToldGroup | undefined
  /** Those that know of a part which lasts. */
  withPart(key: string): readonly ToldGroup[]
  add(values: Omit<ToldGroup, 'id'>): ToldGroup
  /** To be called after each change. It is written a little later, or with the next `flush`. */
  changed(told: ToldGroup): void
  /** Everything is told. */
  remove(told: ToldGroup): void
  /** Writes all changes now. @throws when they cannot be written; then they are tried again later */
  write(): void
  flush(): void
}

/** @param before called before each write, for what the rows refer to */
export function openToldGroups(
  store: Store,
  { onFailure, before }: { onFailure: (error: unknown) => void; before: () => void },
): ToldGroups {
  const table = store.table<ToldGroup>({
    name: 'told_group',
    columns: [
      { name: 'incident_id', type: 'INTEGER' },
      { name: 'group_id', type: 'INTEGER' },
      { name: 'due_at', type: 'INTEGER' },
      { name: 'told_at', type: 'INTEGER' },
      { name: 'parts', type: 'JSON' },
      { name: 'end_message', type: 'TEXT', initial: '' },
    ],
  })
  const byId = new Map<number, ToldGroup>()
  const byPart = new Map<string, Set<ToldGroup>>()
  const stored = new Set<number>()
  const changed = new Set<ToldGroup>()
  const removed = new Set<number>()
  let lastId = 0
  for (const row of table.all()) {
    stored.add(row.id)
    keep(row)
  }
  const writer: WriteBehind = writeBehind(write, onFailure, { retry: true })

  function keep(told: ToldGroup): void {
    byId.set(told.id, told)
    lastId = Math.max(lastId, told.id)
    for (const { key, ended_at } of told.parts) {
      if (ended_at === null) byPart.set(key, (byPart.get(key) ?? new Set()).add(told))
      else forget(key, told)
    }
  }

  function forget(key: string, told: ToldGroup): void {
    const known = byPart.get(key)
    known?.delete(told)
    if (known?.size === 0) byPart.delete(key)
  }

  function write(): void {
    if (changed.size + removed.size === 0) return
    before()
    const added: number[] = []
    store.transaction(() => {
      table.remove([...removed])
      for (const told of changed) {
        const { id, ...values } = told
        if (stored.has(id)) table.update(id, values)
        else added.push(table.insert(told))
      }
    })
    for (const id of added) stored.add(id)
    for (const id of removed) stored.delete(id)
    changed.clear()
    removed.clear()
  }

  function markChanged(told: ToldGroup): void {
    keep(told)
    changed.add(told)
    writer.schedule()
  }

  return {
    all: () => byId.values(),
    has: ({ id }) => byId.has(id),
    of: (incidentId, groupId) =>
      [...byId.values()].find(({ incident_id, group_id }) => incident_id === incidentId && group_id === groupId),
    withPart: (key) => [...(byPart.get(key) ?? [])],
    add(values) {
      const told = { ...values, id: ++lastId }
      markChanged(told)
      return told
    },
    changed: markChanged,
    remove(told) {
      for (const { key } of told.parts) forget(key, told)
      byId.delete(told.id)
      changed.delete(told)
      if (stored.has(told.id)) removed.add(told.id)
      writer.schedule()
    },
    write,
    flush: writer.flush,
  }
}

/** Something that begins and ends, as a notifier group is told of it. Times are milliseconds since 1970. */
export interface Flap {
  /** The group and what changes, such as '4 alarm of rule 7 on server 3'. */
  key: string
  group_id: number
  /** Of what it is about, for the message. */
  name: string
  /** The last changes. */
  changes: number[]
  /** Whether the group was told that it changes too often: nothing more is told until it is quiet. */
  is_flapping: boolean
  /** Of the part that lasts now; '' for none. */
  part_key: string
  /** What it is told with when it lasts. */
  incident_id: number
}

type Begun = Pick<Flap, 'name' | 'part_key' | 'incident_id'>

/** Counts changes, so that what begins and ends again and again is not told each time. */
export interface Flapping {
  /**
   * Takes a change.
   * @param begun what has begun; `undefined` when it has ended
   * @returns what is known by now, and whether it is flapping since this change; `undefined` when nothing had begun
   */
  note(key: string, groupId: number, begun?: Begun): (Flap & { is_new: boolean }) | undefined
  /** Whether a group is not told of something, as it changes too often. */
  isActive(key: string): boolean
  /** Those that were told and have been quiet since; each only once. */
  takeQuiet(): Flap[]
  flush(): void
}

/** More changes than this within the time are flapping, until nothing has changed for the quiet time. Milliseconds. */
export const flapLimits = { changes: 4, withinMs: 30 * 60_000, quietMs: 15 * 60_000 } as const

export function openFlapping(
  store: Store,
  { onFailure, now }: { onFailure: (error: unknown) => void; now: () => number },
): Flapping {
  const columns = [
    { name: 'key', type: 'TEXT', unique: true },
    { name: 'group_id', type: 'INTEGER' },
    { name: 'name', type: 'TEXT' },
    { name: 'changes', type: 'JSON' },
    { name: 'is_flapping', type: 'FLAG' },
    { name: 'part_key', type: 'TEXT' },
    { name: 'incident_id', type: 'INTEGER' },
  ] as const
  const definition = { name: 'flapping', columns }
  const { saved, save } = keyedTable<Flap & { id: number }, string>(store, definition, ({ key }) => key)
  const known = new Map<string, Flap>(saved())
  const changed = new Set<string>()
  const writer = writeBehind(write, onFailure)

  function write(): void {
    for (const [key, flap] of known) if (!flap.is_flapping && recent(flap).length === 0) forget(key)
    save([...changed].map((key) => [key, known.get(key)]))
    changed.clear()
  }

  function forget(key: string): void {
    known.delete(key)
    changed.add(key)
  }

  /** The changes that count; those after the present are from before the clock was set back. */
  const recent = ({ changes }: Flap) => changes.filter((at) => at <= now() && at > now() - flapLimits.withinMs)

  return {
    flush: writer.flush,
    isActive: (key) => known.get(key)?.is_flapping === true,
    note(key, group_id, begun) {
      const before = known.get(key)
      if (!before && !begun) return undefined
      const changes = [...(before ? recent(before) : []), now()].slice(-flapLimits.changes - 1)
      const wasFlapping = before?.is_flapping === true
      const is_flapping = wasFlapping || changes.length > flapLimits.changes
      const none = { name: '', incident_id: 0 }
      const flap = { ...none, ...before, ...(begun ?? { part_key: '' }), key, group_id, changes, is_flapping }
      known.set(key, flap)
      changed.add(key)
      writer.schedule()
      return { ...flap, is_new: is_flapping && !wasFlapping }
    },
    takeQuiet() {
      const quiet = [...known.values()].filter(({ is_flapping, changes }) => {
        const passed = now() - (changes.at(-1) ?? 0)
        return is_flapping && (passed >= flapLimits.quietMs || passed < 0)
      })
      for (const { key } of quiet) forget(key)
      if (quiet.length > 0) writer.schedule()
      return quiet
    },
  }
}

/** @param subject what begins and ends, as its feature names it */
export const flapKey = (groupId: number, subject: string): string => `${groupId} ${subject}`
