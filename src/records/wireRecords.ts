import type { Identifier } from 'ra-core'
import { unreadableReply } from '../api/apiClient.ts'
import type { Entity } from '../schemas/define/entity.ts'
import { isObject } from '../schemas/define/values.ts'
import { fromWireRow } from '../schemas/define/wireRows.ts'
import type { Row } from './queryRows.ts'

/** Between the values of a key that is made of several fields. */
const keySeparator = '|'

/**
 * Converts rows of a reply to records: unwrapped, and with an id, joined where the key has several fields. One without an
 * id is left out: nothing can be done with it, and it must not take the others along.
 * @param data a list; `null` and `undefined` are an empty one
 * @throws HttpError for anything else
 */
export function toRecords(entity: Entity, data: unknown): Row[] {
  const rows = data ?? []
  if (!Array.isArray(rows)) throw unreadableReply()
  const keys = [entity.id].flat()
  return rows.filter(isObject).flatMap((wire) => {
    const record = fromWireRow(entity, wire)
    if (entity.id !== 'id') return [{ ...record, id: keys.map((key) => record[key]).join(keySeparator) }]
    return typeof record.id === 'number' || typeof record.id === 'string' ? [record as Row] : []
  })
}

/** The fields that a joined id was made of, as texts. */
export function keyFields({ id: key }: Entity, id: Identifier): Record<string, string> {
  const values = String(id).split(keySeparator)
  return Object.fromEntries([key].flat().map((field, at) => [field, values[at] ?? '']))
}

/** What a batch call sends: the ids as numbers, or each value of `batchKey` once. */
export function batchKeys(entity: Entity, ids: readonly Identifier[]): unknown[] {
  const { batchKey } = entity.api
  if (!batchKey) return ids.map(Number)
  return [...new Set(ids.map((id) => keyFields(entity, id)[batchKey]))]
}
