import type { z } from 'zod'
import type { Row } from '../records/queryRows.ts'
import {
  emptyValue,
  type FieldDescription,
  type Reference,
  referencedIds,
  referencesOf,
} from '../schemas/define/describe.ts'
import { type Entity, recordName } from '../schemas/define/entity.ts'
import { fieldsIn, type Values } from '../schemas/define/values.ts'
import { restorableFields, secretFields } from './restorable.ts'

type Id = number | string

/** A place that held the id of a record that was deleted. */
export interface FormerReference extends Pick<Reference, 'field' | 'path'> {
  /** The entity whose record held it. */
  entity: string
  id: Id
  /** The value of the id, where ids are the keys of an object. */
  value?: unknown
}

/**
 * What takes the change of one record back. Plain JSON without secrets: of fields that servers hide, only the names are
 * here.
 */
export interface RecordChange {
  recordId: Id
  /** What the record was called before. */
  name: string
  /** Fields before: the changed ones of an update, all of a deletion. What was empty on the wire is absent. */
  before: Values
  /** Of an update: the fields as it left them. */
  after?: Values
  /** Names of the fields with secrets that were changed or deleted: their content is not here. */
  secrets: readonly string[]
  references?: readonly FormerReference[]
  /** Of a deletion, where records are not created by people: the value by which the new record is recognized. */
  identity?: string
}

/**
 * What takes an update back.
 * @param before the record as the server had it
 * @param changes the fields that were sent in place of its own
 */
export function changeOfUpdate(entity: Entity, before: Row, changes: Values): RecordChange {
  const fields = restorableFields(entity).filter(({ name }) => name in changes)
  return {
    recordId: before.id,
    name: recordName(entity, before),
    before: valuesIn(before, fields),
    after: valuesIn(changes, fields),
    secrets: secretFields(entity).flatMap(({ name }) => (changes[name] ? [name] : [])),
  }
}

/**
 * What takes a deletion back.
 * @param before the record as the server had it
 * @param references where other records pointed at it
 */
export function changeOfDeletion(entity: Entity, before: Row, references: readonly FormerReference[]): RecordChange {
  const { reappearsBy } = entity.api
  const identity = reappearsBy && before[reappearsBy]
  return {
    recordId: before.id,
    name: recordName(entity, before),
    before: valuesIn(before, restorableFields(entity)),
    secrets: secretFields(entity).map(({ name }) => name),
    references,
    ...(typeof identity === 'string' && { identity }),
  }
}

/**
 * Where records point at others.
 * @param to the entity that is pointed at
 * @param ids of its records
 * @param lists the records that may point at them, by entity
 * @returns the places by the id that they point at, as text
 */
export function referencesTo(
  to: string,
  ids: readonly Id[],
  lists: ReadonlyMap<Entity, readonly Row[]>,
): ReadonlyMap<string, FormerReference[]> {
  const found = new Map(ids.map((id) => [String(id), [] as FormerReference[]]))
  for (const [entity, rows] of lists) {
    const places = referencesOf(entity).filter((reference) => reference.to === to)
    for (const { field, path } of places) {
      for (const row of rows) {
        for (const id of new Set(referencedIds(row[field], path))) {
          const value = path ? undefined : valueBeside(row[field], id)
          found.get(id)?.push({ entity: entity.name, id: row.id, field, path, value })
        }
      }
    }
  }
  return found
}

/** The value of a key, where ids are the keys of an object. */
const valueBeside = (value: unknown, id: string): unknown => fieldsIn(value)[id]

const valuesIn = (row: Values, fields: readonly FieldDescription[]): Values =>
  Object.fromEntries(fields.flatMap(({ name }) => (row[name] === undefined ? [] : [[name, row[name]]])))

/**
 * The value to send so that a field is again as it was. Nothing, which the wire leaves out or has as `null`, is sent as the
 * schema takes it: as `null`, as the empty value of the kind, or not at all.
 */
export function formerValue(entity: Entity, { name, kind }: FieldDescription, values: Values): unknown {
  const former = values[name]
  if (former !== undefined && former !== null) return former
  const schema: z.ZodType = entity.form.shape[name]
  return [former ?? emptyValue(kind), emptyValue(kind)].find((value) => schema.safeParse(value).success)
}
