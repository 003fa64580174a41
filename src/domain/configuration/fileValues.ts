import { describeFields, emptyValue, type FieldDescription, isConcealed } from '../../schemas/define/describe.ts'
import type { Entity } from '../../schemas/define/entity.ts'
import type { Mention } from '../../schemas/define/fields.ts'
import { fieldsIn, isObject, sameValue, type Values } from '../../schemas/define/values.ts'

/** Stands in the file for the value of a secret: the server keeps the one that it has. */
export const keptSecret = 'kept'

/** A variable in the text of a secret, as `${TOKEN}`. */
export const variablePattern = /\$\{(\w+)\}/g

/**
 * Variables that no file may have: what the commands themselves read from the environment to sign in. A file comes from
 * whoever may change it, and would send them to an address of its choice.
 */
export const isReservedVariable = (name: string) => /^(WHEELHOUSE_\w*|ADMIN_PASSWORD)$/i.test(name)

/** Whether the value never stands in the file. */
export const isSecret = isConcealed

/** The ways to what is secret in the values of a field: to the value itself, or into it, `*` for each entry. */
export const secretWays = (field: FieldDescription): readonly (readonly string[])[] =>
  isSecret(field) ? [[]] : (field.secrets ?? [])

const fieldsByEntity = new WeakMap<Entity, readonly FieldDescription[]>()

/** The fields of a record in the file, in their order there: the name first. */
export function configuredFields(entity: Entity): readonly FieldDescription[] {
  let fields = fieldsByEntity.get(entity)
  if (!fields) {
    const stored = describeFields(entity).filter((field) => field.editable && !field.transient)
    const isName = ({ name }: FieldDescription) => name === entity.nameField
    fields = [...stored.filter(isName), ...stored.filter((field) => !isName(field))]
    fieldsByEntity.set(entity, fields)
  }
  return fields
}

/** Whether the server has this field of the record: older ones leave out what they do not know. */
export const hasField = ({ name, newer }: FieldDescription, record: Values) => !newer || name in record

/** The id of a record; `undefined` when there is none of this name. */
export type IdOf = (entity: string, name: string) => number | undefined

/**
 * A field's value as the file has it: names in place of ids and codes. Ids of records that do not exist are left out.
 * @returns `undefined` for what the file leaves out: a secret that was never set, and a choice that nobody has made
 */
export function toFileValue(field: FieldDescription, record: Values, nameOf: NameOf): unknown {
  const { name, kind, to = '', choices = {}, mentions = [] } = field
  if (isSecret(field)) return holdsSecret(record, name) === false ? undefined : keptSecret
  const value = record[name]
  const names = (ids: readonly number[]) => ids.flatMap((id) => nameOf(to, id) ?? []).sort(byText)
  switch (kind) {
    case 'ref':
      return nameOf(to, Number(value)) ?? null
    case 'refs':
      return names(itemsOf(value).map(Number))
    case 'idSet':
      return names(trueKeys(value).map(Number))
    case 'choice': {
      const code = value ?? emptyValue(kind)
      return choices[String(code)] ?? (code === emptyValue(kind) ? undefined : code)
    }
    case 'list':
    case 'number':
    case 'flag':
      return value ?? emptyValue(kind)
    case 'json':
      return mentions.reduce<unknown>(
        (result, mention) => replaceMentions(result, mention.path ?? [], (id) => nameOf(mention.to, Number(id))),
        value ?? null,
      )
    default:
      return value ?? ''
  }
}

/** What a field's value in the file is on the wire. Names of records that do not exist are left out. */
export function fromFileValue(field: FieldDescription, value: unknown, idOf: IdOf): unknown {
  const { kind, to = '', choices = {}, nullable, mentions = [] } = field
  const ids = () => itemsOf(value).flatMap((name) => idOf(to, String(name)) ?? [])
  switch (kind) {
    case 'ref':
      return value ? (idOf(to, String(value)) ?? 0) : 0
    case 'refs':
      return ids()
    case 'idSet':
      return Object.fromEntries(ids().map((id) => [id, true]))
    case 'choice': {
      const [code] = Object.entries(choices).find(([, name]) => name === value) ?? [value]
      // Most codes are numbers, and some are words.
      return code === value && Object.hasOwn(choices, String(code)) ? code : Number(code)
    }
    case 'list':
    case 'number':
    case 'flag':
      return value ?? emptyValue(kind)
    case 'json':
      if (value === null) return nullable ? null : undefined
      return mentions.reduce<unknown>(
        (result, mention) => replaceMentions(result, mention.path ?? [], (name) => idOf(mention.to, String(name))),
        value,
      )
    case 'moment':
      return value || (nullable ? null : undefined)
    default:
      return value ?? ''
  }
}

/** The names of records in a field's value, with the entity that each is of. */
export function namesIn(field: FieldDescription, value: unknown): { to: string; name: string }[] {
  const { kind, to = '', mentions = [] } = field
  if (kind === 'ref') return value ? [{ to, name: String(value) }] : []
  if (kind === 'refs' || kind === 'idSet') return itemsOf(value).map((name) => ({ to, name: String(name) }))
  return mentions.flatMap((mention) => {
    const found: { to: string; name: string }[] = []
    replaceMentions(value, mention.path ?? [], (name) => {
      found.push({ to: mention.to, name: String(name) })
      return undefined
    })
    return found
  })
}

/**
 * By fields, the keys of their values that a save may leave out: the server decides then what becomes of them. Not among the
 * facts of schemas, of which the browser loads all with the first list.
 */
const keptParts: Readonly<Record<string, readonly string[]>> = { contract: ['former_prices'] }

/**
 * Whether two values of the file mean the same: the order of names does not count, nor do empty parts of JSON, nor what the
 * second one leaves to the server.
 */
export function sameFileValue({ name, kind }: FieldDescription, a: unknown, b: unknown): boolean {
  if (kind === 'refs' || kind === 'idSet') return sameValue(sortedNames(a), sortedNames(b))
  if (kind === 'list') return sameValue(a ?? [], b ?? [])
  if (kind === 'choice') return sameValue(a ?? emptyValue(kind), b ?? emptyValue(kind))
  if (kind !== 'json') return sameValue(a, b)
  const left = isObject(b) ? (keptParts[name] ?? []).filter((key) => !(key in b)) : []
  return sameValue(withoutEmptyParts(withoutKeys(a, left)), withoutEmptyParts(b))
}

export const byText = (a: string, b: string) => (a < b ? -1 : Number(a > b))
const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const sortedNames = (names: unknown) => [...new Set(itemsOf(names).map(String))].sort(byText)

const trueKeys = (value: unknown) => Object.entries(fieldsIn(value)).flatMap(([key, on]) => (on ? [key] : []))

function withoutKeys(value: unknown, keys: readonly string[]): unknown {
  if (keys.length === 0 || !isObject(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)))
}

/** Servers leave out of JSON what is 0, false or empty. */
function withoutEmptyParts(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 0 ? value.map((item) => withoutEmptyParts(item) ?? null) : undefined
  if (value === null || typeof value !== 'object') return value || undefined
  const parts = Object.entries(value).map(([key, part]) => [key, withoutEmptyParts(part)] as const)
  const filled = parts.filter(([, part]) => part !== undefined)
  return filled.length > 0 ? Object.fromEntries(filled) : undefined
}

/** The value with other keys or items where it mentions records (see `Mention`); what becomes `undefined` is left out. */
function replaceMentions(
  value: unknown,
  [key, ...rest]: NonNullable<Mention['path']>,
  replace: (mentioned: string | number) => string | number | undefined,
): unknown {
  if (value === null || value === undefined) return value
  if (key === '*') return Array.isArray(value) ? value.map((item) => replaceMentions(item, rest, replace)) : value
  if (key !== undefined) {
    if (!isObject(value) || !(key in value)) return value
    return { ...value, [key]: replaceMentions(value[key], rest, replace) }
  }
  const replaced = (item: unknown) => replace(typeof item === 'number' ? item : String(item))
  if (Array.isArray(value)) return value.flatMap((item) => replaced(item) ?? [])
  if (typeof value !== 'object') return replaced(value)
  return Object.fromEntries(
    Object.entries(value).flatMap(([id, part]) => {
      const key = replace(id)
      return key === undefined ? [] : [[key, part]]
    }),
  )
}

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
