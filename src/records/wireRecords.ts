import type { Identifier } from 'ra-core'
import type { Entity } from '../schemas/define/entity.ts'
import { fromWireRow } from '../schemas/define/wireRows.ts'
import type { Row } from './queryRows.ts'

/** Between the values of a key that is made of several fields. */
const keySeparator = '|'

/** Converts rows of a reply to records: unwrapped, and with an id, joined where the key has several fields. */
export function toRecords(entity: Entity, data: unknown): Row[] {
  const rows = Array.isArray(data) ? data : []
  const keys = [entity.id].flat()
  return rows.map((wire) => {
    const record = fromWireRow(entity, wire)
    return entity.id === 'id' ? record : { ...record, id: keys.map((key) => record[key]).join(keySeparator) }
  }) as Row[]
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
