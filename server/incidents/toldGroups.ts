import type { Store } from '../db/store.ts'
import { type WriteBehind, writeBehind } from '../db/writeBehind.ts'

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
