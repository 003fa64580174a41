import { emptyValue, type FieldDescription } from '../../schemas/define/describe.ts'
import type { Mention } from '../../schemas/define/fields.ts'
import { fieldsIn, isObject, sameValue, type Values } from '../../schemas/define/values.ts'
import { isSecret, keptSecret } from './configuredFields.ts'
import { holdsSecret, type NameOf } from './storedRecords.ts'

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
