import { type DataProvider, HttpError, type Identifier } from 'ra-core'
import type { z } from 'zod'
import { type RequestOptions, request } from '../api/apiClient.ts'
import { untilAborted } from '../events/untilAborted.ts'
import { describeFields, emptyValue } from '../schemas/define/describe.ts'
import type { Entity } from '../schemas/define/entity.ts'
import { sameValue, type Values } from '../schemas/define/values.ts'
import { toWireBody, withoutComputed } from '../schemas/define/wireRows.ts'
import type { ListCache } from './listCache.ts'
import { noteOwnWrite } from './ownWrites.ts'
import type { Row } from './queryRows.ts'
import { batchKeys } from './wireRecords.ts'

/** What the verbs that write need besides the entity. */
export interface WriteContext {
  lists: ListCache
  /** Sends a record that is complete and in the form of the wire. @param sending how; see `request` */
  rest: (sending: Pick<RequestOptions, 'makesRecord' | 'signal'>) => Pick<DataProvider, 'create' | 'update'>
}

/**
 * Creates a record; fields that were left out get the defaults of the schema.
 *
 * @throws ZodError when the data does not fit the form
 */
export async function createRecord(
  { lists, rest }: WriteContext,
  entity: Entity,
  data: unknown,
  { orderedAs }: Pick<WriteMeta, 'orderedAs'> = {},
): Promise<Row> {
  const body = entity.form.parse(data)
  const { data: id } = await rest({ makesRecord: orderedAs ?? true }).create(entity.api.path, {
    data: toWireBody(entity, body),
  })
  noteOwnWrite(entity.name, [id as Identifier])
  await lists.clear(entity)
  return { ...body, id: id as Identifier }
}

export interface RecordUpdate {
  id: Identifier
  /** The fields that a person changed. */
  changes: Values
  /** The record as the person had it before the changes. Left out: nothing can conflict. */
  opened?: Values
  /** One of many writes: they share reads of the list, and leave it to `ListCache.clear` when all are done. */
  isOneOfMany?: boolean
  /** See `request`: of somebody who stops waiting. */
  signal?: AbortSignal
  /** Is waited for before anything is sent. */
  beforeSend?: (fresh: Row, changes: Values) => Promise<void>
}

/** What a screen passes to the data provider in `meta` with a write. */
export interface WriteMeta {
  /**
   * A UUID that all writes of one action share: they are one entry of "Recent changes", and are taken back together.
   * Left out: the write is an action by itself.
   */
  changeGroup?: string
  /** Whether the write is a part of taking something back, which is no change of its own. */
  isPartOfUndo?: boolean
  /** With a deletion: the entities that this person may read and whose records may refer to the deleted ones. */
  referrers?: readonly string[]
  /** With a creation whose data is another one each time, such as an end in an hour: what is ordered, to know it again. */
  orderedAs?: string
  /** See `RecordUpdate`; `clearLists` of the data provider belongs to it. */
  isOneOfMany?: boolean
  /** With an update: see `RecordUpdate`. */
  signal?: AbortSignal
}

/** Milliseconds that a read may be old which many writes share. With 10,000 servers a read takes about a second. */
const sharedReadAge = 2_000

/**
 * Lays changed fields over the record as the server has it now, and sends all of it: the contract's PATCH replaces
 * everything.
 *
 * @throws HttpError with status 404 when the record is gone, and with status 409 and a `Conflict` as its body when
 * somebody else has changed one of the fields to another value in the meantime; then nothing is sent
 */
export async function updateRecord({ lists, rest }: WriteContext, entity: Entity, update: RecordUpdate): Promise<Row> {
  const { id, opened, isOneOfMany = false, signal, beforeSend } = update
  const fresh = await untilAborted(lists.current(entity, id, isOneOfMany ? sharedReadAge : 0), signal)
  if (!fresh) throw new HttpError('ra.notification.item_doesnt_exist', 404)
  const changes = parseChanges(entity, update.changes)
  const fields = conflictingFields(entity, opened, changes, fresh)
  if (fields.length > 0) throw new HttpError('app.conflict.title', 409, { fresh, fields } satisfies Conflict)
  const data = toWireBody(entity, { ...withoutComputed(entity, fresh), ...changes })
  await beforeSend?.(fresh, changes)
  await rest({ signal }).update(entity.api.path, { id, data, previousData: fresh })
  noteOwnWrite(entity.name, [id])
  if (!isOneOfMany) await lists.clear(entity)
  return { ...fresh, ...changes }
}

/** Deletes records by one call. */
export async function deleteRecords({ lists }: WriteContext, entity: Entity, ids: readonly Identifier[]) {
  await request('POST', `batch-delete/${entity.api.path}`, { body: batchKeys(entity, ids) })
  noteOwnWrite(entity.name, ids)
  await lists.clear(entity)
}

/** Validates each changed field by its own rule. Fields that nobody changed are not judged by today's rules. */
function parseChanges(entity: Entity, data: Values): Values {
  const touched = Object.entries<z.ZodType>(entity.form.shape).filter(([field]) => field in data)
  return Object.fromEntries(touched.map(([field, schema]) => [field, schema.parse(data[field])]))
}

/** The body of a refused update: the record as the server has it now, and the fields that two people changed. */
export interface Conflict {
  fresh: Row
  fields: readonly string[]
}

/** The fields that somebody else has changed since the record was opened, to another value than this person's. */
export function conflictingFields(entity: Entity, opened: Values | undefined, changes: Values, fresh: Row) {
  if (!opened) return []
  const kinds = new Map(describeFields(entity).map(({ name, kind }) => [name, kind]))
  const valueIn = (row: Values, field: string) => row[field] ?? emptyValue(kinds.get(field) ?? 'text')
  return Object.keys(changes).filter((field) => {
    const now = valueIn(fresh, field)
    return !sameValue(valueIn(opened, field), now) && !sameValue(now, changes[field])
  })
}
