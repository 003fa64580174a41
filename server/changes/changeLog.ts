import type { Entity } from '../../src/schemas/define/entity.ts'
import { recordName } from '../../src/schemas/define/entity.ts'
import type { ChangedField } from '../../src/schemas/endpoints/changeEndpoints.ts'
import type { Store } from '../db/store.ts'
import type { Table, Where } from '../db/table.ts'
import { isAdmin } from '../person.ts'
import { beginningOf } from './changedFields.ts'
import { currentOrigin } from './changeOrigin.ts'

export type ChangeAction = 'created' | 'updated' | 'deleted'

/** A change as stored. */
export interface ChangeRow {
  id: number
  /** Milliseconds since 1970. */
  at: number
  entity: string
  record_id: number
  /** Entity and id as one key, so that one index finds the changes of a record. */
  record: string
  /** What the record was called at that time. */
  record_name: string
  action: ChangeAction
  /** 0: an agent, a command, or the server itself. */
  user_id: number
  /** The name at that time. */
  username: string
  address: string
  /** Whose record it is after the change: they may see it. */
  owner_id: number
  fields: ChangedField[]
}

/** See docs/decisions/change-history.md. Changes by one member have a limit of their own, `member`. */
export const changeLimits = {
  ageMs: 365 * 86_400_000,
  all: { rows: 100_000, characters: 64 * 1024 * 1024 },
  member: { rows: 10_000, characters: 8 * 1024 * 1024 },
} as const

type Limits = Readonly<{ rows: number; characters: number }>
type Size = { rows: number; characters: number }

/** Selects changes by equal values: keys with `undefined` do not count. */
export type ChangeFilter = Where<Pick<ChangeRow, 'entity' | 'record' | 'owner_id'>>

interface NewChange {
  action: ChangeAction
  record: object & { readonly id: number }
  ownerId: number
  fields: ChangedField[]
}

/** Every change of the records of a store, the latest first. Old ones are deleted automatically. */
export interface ChangeLog {
  /** Adds a change with the current origin. To be called in the transaction of the write. */
  add(entity: Entity, change: NewChange): void
  page(filter: ChangeFilter, offset: number, limit: number): { rows: ChangeRow[]; total: number }
  /** Those after the change `id` by others than this user, of the latest 1,000. */
  since(id: number, filter: ChangeFilter, userId: number): ChangeRow[]
  /** Those after the change `id`, the oldest first. */
  after(id: number, limit: number): ChangeRow[]
  /** 0 without any. */
  latestId(): number
}

const logs = new WeakMap<Store, ChangeLog>()

/** The one log of a store. */
export function changeLogOf(store: Store): ChangeLog {
  let log = logs.get(store)
  if (!log) {
    log = openChangeLog(store)
    logs.set(store, log)
  }
  return log
}

export const recordKey = (entity: string, id: number) => `${entity} ${id}`

const mostSince = 1_000
const sweepMs = 3_600_000

/** @param now milliseconds since 1970 */
export function openChangeLog(
  store: Store,
  { now = Date.now, limits = changeLimits as { ageMs: number; all: Limits; member: Limits } } = {},
): ChangeLog {
  const table: Table<ChangeRow> = store.table<ChangeRow>({
    name: 'change',
    columns: [
      { name: 'at', type: 'INTEGER', indexed: true },
      { name: 'entity', type: 'TEXT', indexed: true },
      { name: 'record_id', type: 'INTEGER' },
      { name: 'record', type: 'TEXT', indexed: true },
      { name: 'record_name', type: 'TEXT' },
      { name: 'action', type: 'TEXT' },
      { name: 'user_id', type: 'INTEGER', indexed: true },
      { name: 'username', type: 'TEXT' },
      { name: 'address', type: 'TEXT' },
      { name: 'owner_id', type: 'INTEGER', indexed: true },
      { name: 'fields', type: 'JSON' },
    ],
  })
  /** By user, and of everybody under `all`: counted once, and again when there seem to be too many. */
  const sizes = new Map<number | 'all', Size>()
  let sweptAt = 0

  const whereOf = (whose: number | 'all') => (whose === 'all' ? {} : { user_id: whose })
  const count = (whose: number | 'all'): Size => {
    const where = whereOf(whose)
    return { rows: table.count(where), characters: table.textLength(where) }
  }
  const exceeds = (size: Size, most: Limits) => size.rows > most.rows || size.characters > most.characters

  /** Adds a change to the size. Beyond the limit a tenth is deleted at once, so that it is seldom done. */
  function grow(whose: number | 'all', characters: number, most: Limits): void {
    const cached = sizes.get(whose)
    let size = cached ? { rows: cached.rows + 1, characters: cached.characters + characters } : count(whose)
    if (exceeds(size, most)) {
      size = count(whose)
      while (exceeds(size, most)) {
        const excess = Math.max(1, size.rows - most.rows, Math.ceil(size.rows / 10))
        table.remove(table.latest(whereOf(whose), size.rows - excess, excess).map(({ id }) => id))
        size = count(whose)
      }
    }
    sizes.set(whose, size)
  }

  function sweep(): void {
    const time = now()
    if (time - sweptAt < sweepMs) return
    sweptAt = time
    if (table.removeBelow('at', time - limits.ageMs) > 0) sizes.clear()
  }

  return {
    add(entity, { action, record, ownerId, fields }) {
      const origin = currentOrigin()
      if (origin === 'unrecorded') return
      const { person, address = '' } = origin
      const { id } = record
      const row = {
        at: now(),
        entity: entity.name,
        record_id: id,
        record: recordKey(entity.name, id),
        // Names of records that are older than the limit of names may have any length.
        record_name: beginningOf(recordName(entity, { ...record })),
        action,
        owner_id: ownerId,
        fields,
        user_id: person?.id ?? 0,
        username: person?.username ?? '',
        address,
      }
      table.insert(row)
      sweep()
      const characters = JSON.stringify(row).length
      if (!isAdmin(person)) grow(row.user_id, characters, limits.member)
      grow('all', characters, limits.all)
    },
    page(filter, offset, limit) {
      return { rows: table.latest(filter, offset, limit), total: table.count(filter) }
    },
    after: (id, limit) => table.after(id, limit),
    latestId: () => table.latest({}, 0, 1)[0]?.id ?? 0,
    since(id, filter, userId) {
      const latest = table.latest(filter, 0, mostSince)
      return latest.filter((row) => row.id > id && row.user_id !== userId)
    },
  }
}
