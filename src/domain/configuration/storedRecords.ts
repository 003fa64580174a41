import type { Entity } from '../../schemas/define/entity.ts'
import type { Values } from '../../schemas/define/values.ts'

/** The name of a record; `undefined` when there is none with this id. */
export type NameOf = (entity: string, id: number) => string | undefined

/** A record of a server, flat, with its id. */
export type StoredRecord = Values & { readonly id: number }

/** The records of an entity, and where each name leads. */
export interface StoredRecords {
  all: readonly StoredRecord[]
  named: readonly { id: number; name: string }[]
  byName: ReadonlyMap<string, readonly StoredRecord[]>
  byId: ReadonlyMap<number, StoredRecord>
}

/** What a server has, by the names of entities. */
export type RecordsByEntity = ReadonlyMap<string, StoredRecords>

/** The names of concealed fields that hold a value, by the ids of their records. */
export type SecretsById = Readonly<Record<string, string[]>>

/** The key of a record with the names of its concealed fields that hold a value, where that is known. */
const secretsKey = 'stored_secrets'

/** Whether a concealed field of a record holds a value; `undefined` where the server does not say it. */
export const holdsSecret = (record: Values, name: string): boolean | undefined =>
  (record[secretsKey] as readonly string[] | undefined)?.includes(name)

/**
 * Sorts the records of one entity by their names. A file has no halves of characters, which old records may have.
 * @param secrets where the server says which are set
 */
export function storedRecords(
  { nameField }: Pick<Entity, 'nameField'>,
  given: readonly StoredRecord[],
  secrets?: SecretsById,
): StoredRecords {
  const all = given.map(wellFormed).map((record) => {
    return secrets ? { ...record, [secretsKey]: secrets[record.id] ?? [] } : record
  })
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

/** What `configurationNames` says of an entity, of whose records a file has only the names. */
export const namedRecords = (names: Readonly<Record<string, string>>): StoredRecords =>
  storedRecords(
    { nameField: 'name' },
    Object.entries(names).map(([id, name]) => ({ id: Number(id), name })),
  )

function wellFormed(record: StoredRecord): StoredRecord {
  const broken = Object.entries(record).filter(([, value]) => typeof value === 'string' && !value.isWellFormed())
  if (broken.length === 0) return record
  return { ...record, ...Object.fromEntries(broken.map(([key, value]) => [key, String(value).toWellFormed()])) }
}

export const recordsNamed = (records: StoredRecords | undefined, name: string): readonly StoredRecord[] =>
  records?.byName.get(name) ?? []

/** A function that names the records of a server. */
export function namesOf(stored: RecordsByEntity): NameOf {
  const names = new Map<string, Map<number, string>>()
  for (const [entity, { named }] of stored) names.set(entity, new Map(named.map(({ id, name }) => [id, name])))
  return (entity, id) => names.get(entity)?.get(id)
}
