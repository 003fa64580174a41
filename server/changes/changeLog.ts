import { describeFields, type FieldDescription, isConcealed } from '../../src/schemas/define/describe.ts'
import { type Entity, recordName } from '../../src/schemas/define/entity.ts'
import { withoutSecrets } from '../../src/schemas/define/innerSecrets.ts'
import { sameValue } from '../../src/schemas/define/values.ts'
import { type ChangedField, settingsRecordId } from '../../src/schemas/endpoints/changeEndpoints.ts'
import type { Store } from '../db/store.ts'
import type { ResidentTable, Table, Where } from '../db/table.ts'
import { isAdmin, makerOf } from '../person.ts'
import { isEmpty } from '../wire/apiCall.ts'
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
  /** Deletes those that are too old. @param retentionNow the time by which they are, in milliseconds since 1970 */
  removeOld(retentionNow: number): void
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
      const characters = JSON.stringify(row).length
      if (!isAdmin(person)) grow(row.user_id, characters, limits.member)
      grow('all', characters, limits.all)
    },
    page(filter, offset, limit) {
      return { rows: table.latest(filter, offset, limit), total: table.count(filter) }
    },
    after: (id, limit) => table.after(id, limit),
    latestId: () => table.latest({}, 0, 1)[0]?.id ?? 0,
    removeOld(retentionNow) {
      if (table.removeBelow('at', retentionNow - limits.ageMs) > 0) sizes.clear()
    },
    since(id, filter, userId) {
      const latest = table.latest(filter, 0, mostSince)
      return latest.filter((row) => row.id > id && row.user_id !== userId)
    },
  }
}

/**
 * Records the changes of a table, in the transaction of each write: whoever writes, and for whatever reason. Writes to
 * fields that no person changes, such as the last run of a task, cost nothing more.
 * @param ownerOf whose record it is
 */
export function recordChanges<Row extends { id: number }>(
  store: Store,
  entity: Entity,
  table: ResidentTable<Row>,
  ownerOf: (row: Row) => number,
): void {
  const fields = recordedFields(entity)
  if (fields.length === 0) return
  const log = changeLogOf(store)
  const names = fields.map(({ name }) => name)
  table.onChange(names, ({ before, after }) => {
    const record = after ?? before
    const changed = changedFields(fields, before, after)
    if (!record || (before && after && changed.length === 0)) return
    const action = !before ? 'created' : after ? 'updated' : 'deleted'
    log.add(entity, { action, record, ownerId: ownerOf(record), fields: changed })
  })
}

/** Records what changed in the settings, which are no row of a table. To be called in the transaction of the write. */
export function recordSettings(store: Store, entity: Entity, before: object, after: object): void {
  const changed = changedFields(recordedFields(entity), before, after)
  if (changed.length === 0) return
  const record = { ...after, id: settingsRecordId }
  changeLogOf(store).add(entity, { action: 'updated', record, ownerId: 0, fields: changed })
}

/** Characters of a value as JSON that is recorded whole, and of all values of a change together. */
export const valueLimits = { value: 65_536, change: 262_144, beginning: 256 } as const

/** A field whose changes are recorded. */
export interface RecordedField {
  name: string
  /** Whether its values are never recorded. */
  isSecret: boolean
  /** The ways to secrets within its value. */
  secrets?: FieldDescription['secrets']
}

/** The owner of a record is a column of its table, and no field of its entity. */
const owner: RecordedField = { name: 'user_id', isSecret: false }

const recorded = new WeakMap<Entity, readonly RecordedField[]>()

/**
 * The fields of an entity whose changes are recorded: those that people edit, what else the schema marks with
 * `recorded`, secrets, and the owner. None where people change nothing, as in logs.
 */
function recordedFields(entity: Entity): readonly RecordedField[] {
  let fields = recorded.get(entity)
  if (!fields) {
    const isEdited = entity.api.paging === 'whole' && entity.api.verbs.length > 0
    fields = isEdited ? [...describeFields(entity).filter(isRecorded).map(toRecorded), owner] : []
    recorded.set(entity, fields)
  }
  return fields
}

const isRecorded = (field: FieldDescription) =>
  !field.transient && (field.editable || field.recorded === true || isConcealed(field))

const toRecorded = (field: FieldDescription): RecordedField => ({
  name: field.name,
  isSecret: isConcealed(field),
  secrets: field.secrets,
})

/**
 * What differs between two states of a record. A missing state is that of a record that does not exist: its empty
 * values are left out. Secrets are named, and never shown. Of a value that is too long there is the beginning.
 */
function changedFields(
  fields: readonly RecordedField[],
  before: object | undefined,
  after: object | undefined,
): ChangedField[] {
  let left: number = valueLimits.change
  return fields.flatMap(({ name, isSecret, secrets = [] }): ChangedField[] => {
    const [stored, saved] = [valueAt(before, name), valueAt(after, name)]
    const [from, to] = [withoutSecrets(stored, secrets), withoutSecrets(saved, secrets)]
    if (sameValue(from, to) && !sameValue(stored, saved)) return [{ name, secret: true }]
    // A setting that was never made is the same as one that is off.
    if (sameValue(from, to) || (isEmpty(from) && isEmpty(to))) return []
    if (isSecret) return [{ name, secret: true }]
    const values = { ...(before && { from: from ?? null }), ...(after && { to: to ?? null }) }
    const lengths = Object.values(values).map(jsonLength)
    const length = lengths.reduce((sum, one) => sum + one, 0)
    if (lengths.every((one) => one <= valueLimits.value) && length <= left) {
      left -= length
      return [{ name, ...values }]
    }
    const cut = Object.entries(values).map(([key, value]) => [key, beginningOf(value)])
    return [{ name, ...Object.fromEntries(cut), cut: true }]
  })
}

/** Of the owner, the person: to which team a record belongs is a field. */
function valueAt(state: object | undefined, name: string): unknown {
  const value: unknown = state && Reflect.get(state, name)
  if (name !== owner.name || !state || typeof value !== 'number') return value
  return makerOf({ user_id: value, made_by: Number(Reflect.get(state, 'made_by') ?? 0) })
}

/** Characters as JSON; of a text that is too long anyway, its own. */
const jsonLength = (value: unknown): number =>
  typeof value === 'string' && value.length > valueLimits.value ? value.length : JSON.stringify(value).length

/** A value that is short, or of a longer one the first characters of its text. */
function beginningOf<Value>(value: Value): Value | string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= valueLimits.beginning ? value : text.slice(0, valueLimits.beginning).toWellFormed()
}
