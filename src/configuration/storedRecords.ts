import type { Entity } from '../schemas/define/entity.ts'
import type { NameOf } from './fileValues.ts'

/** A record of a server, flat, with its id. */
export type StoredRecord = Readonly<Record<string, unknown>> & { readonly id: number }

/** The records of an entity, and where each name leads. */
export interface StoredRecords {
  all: readonly StoredRecord[]
  named: readonly { id: number; name: string }[]
  byName: ReadonlyMap<string, readonly StoredRecord[]>
  byId: ReadonlyMap<number, StoredRecord>
}

/** What a server has, by the names of entities. */
export type RecordsByEntity = ReadonlyMap<string, StoredRecords>

/** Sorts the records of one entity by their names. */
export function storedRecords({ nameField }: Pick<Entity, 'nameField'>, all: readonly StoredRecord[]): StoredRecords {
  const named = all.map((record) => ({ id: record.id, name: String(record[nameField] ?? '') }))
  const byName = new Map<string, StoredRecord[]>()
  for (const [at, record] of all.entries()) {
    const name = named[at]?.name ?? ''
    const same = byName.get(name)
    if (same) same.push(record)
    else byName.set(name, [record])
  }
  return { all, named, byName, byId: new Map(all.map((record) => [record.id, record])) }
}

export const recordsNamed = (records: StoredRecords | undefined, name: string): readonly StoredRecord[] =>
  records?.byName.get(name) ?? []

/** A function that names the records of a server. */
export function namesOf(stored: RecordsByEntity): NameOf {
  const names = new Map<string, Map<number, string>>()
  for (const [entity, { named }] of stored) names.set(entity, new Map(named.map(({ id, name }) => [id, name])))
  return (entity, id) => names.get(entity)?.get(id)
}
