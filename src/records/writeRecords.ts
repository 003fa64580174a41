import { type DataProvider, HttpError, type Identifier } from 'ra-core'
import { request } from '../api/apiClient.ts'
import type { Entity } from '../schemas/define/entity.ts'
import { type Conflict, conflictingFields, parseChanges, toWireBody, withoutComputed } from './changes.ts'
import { findRecord, type ListCache } from './listCache.ts'
import type { Row } from './queryRows.ts'
import { batchKeys } from './wireRecords.ts'

/** What the verbs that write need besides the entity. */
export interface WriteContext {
  lists: ListCache
  /** Sends a record that is complete and in the form of the wire. */
  rest: Pick<DataProvider, 'create' | 'update'>
}

/**
 * Creates a record; fields that were left out get the defaults of the schema.
 *
 * @throws ZodError when the data does not fit the form
 */
export async function createRecord({ lists, rest }: WriteContext, entity: Entity, data: unknown): Promise<Row> {
  const body = entity.form.parse(data)
  const { data: id } = await rest.create(entity.api.path, { data: toWireBody(entity, body) })
  await lists.clear(entity)
  return { ...body, id: id as Identifier }
}

export interface RecordUpdate {
  id: Identifier
  /** The fields that a person changed. */
  changes: Record<string, unknown>
  /** The record as the person had it before the changes. Left out: nothing can conflict. */
  opened?: Record<string, unknown>
}

/**
 * Lays changed fields over the record as the server has it now, and sends all of it: the contract's PATCH replaces
 * everything.
 *
 * @throws HttpError with status 404 when the record is gone, and with status 409 and a `Conflict` as its body when
 * somebody else has changed one of the fields to another value in the meantime; then nothing is sent
 */
export async function updateRecord({ lists, rest }: WriteContext, entity: Entity, update: RecordUpdate): Promise<Row> {
  const { id, opened } = update
  const fresh = findRecord(await lists.refetch(entity), id)
  if (!fresh) throw new HttpError('ra.notification.item_doesnt_exist', 404)
  const changes = parseChanges(entity, update.changes)
  const fields = conflictingFields(entity, opened, changes, fresh)
  if (fields.length > 0) throw new HttpError('app.conflict.title', 409, { fresh, fields } satisfies Conflict)
  const data = toWireBody(entity, { ...withoutComputed(entity, fresh), ...changes })
  await rest.update(entity.api.path, { id, data, previousData: fresh })
  await lists.clear(entity)
  return { ...fresh, ...changes }
}

/** Deletes records by one call. */
export async function deleteRecords({ lists }: WriteContext, entity: Entity, ids: readonly Identifier[]) {
  await request('POST', `batch-delete/${entity.api.path}`, { body: batchKeys(entity, ids) })
  await lists.clear(entity)
}
