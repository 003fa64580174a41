import type { Row } from '../records/queryRows.ts'
import { isReadOnly, mayOn } from '../schemas/define/access.ts'
import { describeField, emptyValue, referencedIds, referencesOf } from '../schemas/define/describe.ts'
import { type Entity, recordName } from '../schemas/define/entity.ts'
import { sameValue, type Values } from '../schemas/define/values.ts'
import type { ChangeAction, StoredChange } from './changeDatabase.ts'
import { type FormerReference, formerValue } from './recordChange.ts'
import { type DeadReference, type NewId, withNewIds, withoutDead } from './relink.ts'
import { restorableFields, secretFields } from './restorable.ts'
import { changesToVersion } from './restoreVersion.ts'

type Id = number | string

/** A field that an undo would change. */
export interface FieldUndo {
  field: string
  now: unknown
  before: unknown
  /** Whether somebody has changed it since the action: a person has to choose. */
  isConflict: boolean
}

/** A record that will point at a restored one again. */
export interface Link extends FormerReference {
  /** What the record is called. */
  name: string
}

/**
 * What an undo does to one record.
 *
 * - `ready`: it will be changed or restored, as the other properties say
 * - `same`: it already is as it was before
 * - `undone`: it was taken back before
 * - `gone`: an edited record no longer exists
 * - `read_only`: the person may only look at it
 * - `secrets`: an edit changed only secrets, whose earlier values are not stored
 * - `waiting`: a deleted record comes back by itself, and has not yet
 */
export interface UndoStep {
  change: StoredChange
  /** The keys of what is stored: several when the action wrote the record several times. */
  keys: readonly number[]
  state: 'ready' | 'same' | 'undone' | 'gone' | 'read_only' | 'secrets' | 'waiting'
  /** The record as it is now; `undefined` when it will be created. */
  current?: Row
  /** The fields of an existing record that will be changed. */
  fields: readonly FieldUndo[]
  /** What a record is created with, secrets left out. */
  data: Values
  /** Secrets without which it cannot be created: a person has to enter them again. */
  needed: readonly string[]
  /** Other secrets that are lost, unless somebody enters them again; of an edit, those that stay as the edit left them. */
  lost: readonly string[]
  links: readonly Link[]
  dead: readonly DeadReference[]
}

/** What a plan is made of. */
export interface UndoSources {
  /** Finds an entity by its name. */
  entityNamed: (name: string) => Entity | undefined
  /** The records as the server has them now; `undefined` for lists that cannot be read. */
  rowsOf: (entity: string) => readonly Row[] | undefined
  /** All actions that are stored: they know which ids restored records have. */
  actions: readonly ChangeAction[]
}

/** What taking an action back would do, record by record, by the rules of forms (docs/decisions/undo.md). */
export function planUndo(action: ChangeAction, changes: readonly StoredChange[], sources: UndoSources): UndoStep[] {
  const entity = sources.entityNamed(action.entity)
  if (!entity) return []
  const existing = existenceIn(sources)
  const newId = newIdsAt(action.at, sources.actions, existing)
  return mergedByRecord(changes).map(({ change, keys }) => {
    const step = {
      change,
      keys,
      state: 'ready',
      fields: [],
      data: {},
      needed: [],
      lost: [],
      links: [],
      dead: [],
    } as const
    if (change.isUndone) return { ...step, state: 'undone' }
    const plan = action.verb === 'update' ? planOfUpdate : planOfDeletion
    return { ...step, ...plan(entity, change, { ...sources, newId, exists: existing }) }
  })
}

/** What was written several times goes back to what it was before the first time. */
function mergedByRecord(changes: readonly StoredChange[]): Pick<UndoStep, 'change' | 'keys'>[] {
  const open = Map.groupBy(changes, ({ recordId, isUndone }) => `${recordId} ${isUndone === true}`)
  return [...open.values()].map((ofRecord) => ({
    keys: ofRecord.map(({ key }) => key),
    change: merged(ofRecord),
  }))
}

function merged([first, ...later]: readonly StoredChange[]): StoredChange {
  const change = { ...(first as StoredChange) }
  for (const { before, after, secrets } of later) {
    change.before = { ...without(before, change.after), ...change.before }
    if (after) change.after = { ...change.after, ...after }
    change.secrets = [...new Set([...change.secrets, ...secrets])]
  }
  return change
}

/** Fields that an earlier write had not changed. */
const without = (values: Values, changed: Values = {}): Values =>
  Object.fromEntries(Object.entries(values).filter(([field]) => !(field in changed)))

interface PlanSources extends UndoSources {
  newId: NewId
  exists: (entity: string, id: string) => boolean | undefined
}

function planOfUpdate(entity: Entity, change: StoredChange, { rowsOf, newId, exists }: PlanSources): Partial<UndoStep> {
  const id = newId(entity.name, String(change.recordId)) ?? change.recordId
  const current = findRow(rowsOf(entity.name), id)
  if (!current) return { state: 'gone' }
  if (!mayOn(current, 'configure')) return { state: 'read_only', current }
  const after = withNewIds(entity, change.after ?? {}, newId)
  const before = withoutDead(entity, withNewIds(entity, change.before, newId), exists)
  const data = changesToVersion(entity, after, before.values, Object.keys({ ...after, ...before.values }))
  const fields = fieldsToChange(entity, current, data, after)
  const lost = change.secrets
  const state = fields.length > 0 ? 'ready' : lost.length > 0 && Object.keys(data).length === 0 ? 'secrets' : 'same'
  return { current, fields, lost, dead: before.dead, state }
}

function planOfDeletion(entity: Entity, change: StoredChange, sources: PlanSources): Partial<UndoStep> {
  const { rowsOf, newId, exists } = sources
  const rows = rowsOf(entity.name)
  const { reappearsBy } = entity.api
  if (change.newId === undefined && exists(entity.name, String(change.recordId)) && !isReused(entity, change, rows)) {
    return { state: 'same' }
  }
  const { values: before, dead } = withoutDead(entity, withNewIds(entity, change.before, newId), exists)
  const links = linksTo(entity, change, sources)
  const restored =
    change.newId !== undefined
      ? findRow(rows, change.newId)
      : reappearsBy && rows?.find((row) => change.identity !== undefined && row[reappearsBy] === change.identity)
  if (!restored) {
    if (reappearsBy) return { state: 'waiting' }
    const secrets = secretFields(entity)
    return {
      data: createData(entity, before),
      needed: secrets.flatMap(({ name, required }) => (required ? [name] : [])),
      lost: secrets.flatMap(({ name, required }) => (required ? [] : [name])),
      links,
      dead,
    }
  }
  // It was restored by creating it, or came back by itself with the fields of a new record.
  const data = reappearsBy ? changesToVersion(entity, restored, before, fieldNames(entity)) : {}
  return { current: restored, fields: fieldsToChange(entity, restored, data), links, dead }
}

/** Whether a server has given the id of the deleted record to a new one. */
const isReused = (entity: Entity, change: StoredChange, rows: readonly Row[] | undefined): boolean => {
  const created = findRow(rows, change.recordId)?.[entity.nameField]
  return created !== undefined && created !== change.before[entity.nameField]
}

const fieldNames = (entity: Entity) => restorableFields(entity).map(({ name }) => name)

/** All fields with their former values; ones that older servers do not have stay out. */
const createData = (entity: Entity, before: Values): Values =>
  Object.fromEntries(
    restorableFields(entity)
      .filter(({ name, newer }) => name in before || !newer)
      .map((field) => [field.name, formerValue(entity, field, before)]),
  )

/** @param after the fields as the action left them; left out where nobody can have changed them since */
function fieldsToChange(entity: Entity, current: Row, data: Values, after?: Values): FieldUndo[] {
  return Object.entries(data).flatMap(([field, before]) => {
    const empty = emptyValue(describeField(entity, field)?.kind ?? 'text')
    const now = current[field] ?? empty
    if (sameValue(now, before ?? empty)) return []
    return [{ field, now, before, isConflict: after !== undefined && !sameValue(now, after[field] ?? empty) }]
  })
}

/** The records that pointed at a deleted one, and those that still do although it is gone. */
function linksTo(entity: Entity, change: StoredChange, { entityNamed, rowsOf, newId, exists }: PlanSources): Link[] {
  const links = new Map<string, Link>()
  const add = (reference: FormerReference) => {
    const from = entityNamed(reference.entity)
    const id = newId(reference.entity, String(reference.id)) ?? reference.id
    const row = findRow(rowsOf(reference.entity), id)
    if (!from || !row || isReadOnly(row)) return
    links.set([reference.entity, id, reference.field, reference.path].join(' '), {
      ...reference,
      id: row.id,
      name: recordName(from, row),
    })
  }
  for (const reference of change.references ?? []) add(reference)
  const former = new Set((change.references ?? []).map((reference) => reference.entity))
  if (exists(entity.name, String(change.recordId))) return [...links.values()]
  for (const name of former) {
    const from = entityNamed(name)
    const places = from ? referencesOf(from).filter(({ to }) => to === entity.name) : []
    for (const row of rowsOf(name) ?? []) {
      for (const { field, path } of places) {
        const isKnown = links.has([name, row.id, field, path].join(' '))
        if (!isKnown && referencedIds(row[field], path).includes(String(change.recordId))) {
          add({ entity: name, id: row.id, field, path })
        }
      }
    }
  }
  return [...links.values()]
}

const findRow = (rows: readonly Row[] | undefined, id: Id) => rows?.find((row) => String(row.id) === String(id))

function existenceIn({ rowsOf }: UndoSources): (entity: string, id: string) => boolean | undefined {
  const ids = new Map<string, ReadonlySet<string> | undefined>()
  return (entity, id) => {
    if (!ids.has(entity)) {
      const rows = rowsOf(entity)
      ids.set(entity, rows && new Set(rows.map((row) => String(row.id))))
    }
    return ids.get(entity)?.has(id)
  }
}

/**
 * The ids that records have now which were restored since. An id of a record that was deleted before this time may have
 * been given to another record: then it means that one.
 * @param at ms since 1970
 */
function newIdsAt(at: number, actions: readonly ChangeAction[], exists: PlanSources['exists']): NewId {
  const restored = actions.filter(({ newIds }) => Object.keys(newIds).length > 0)
  return (entity, id) => {
    let newest: Id | undefined
    for (const action of restored.toSorted((a, b) => a.at - b.at)) {
      const next = action.entity === entity ? action.newIds[String(newest ?? id)] : undefined
      const isMeant = newest !== undefined || action.at >= at || exists(entity, id) === false
      if (next !== undefined && isMeant) newest = next
    }
    return newest
  }
}
