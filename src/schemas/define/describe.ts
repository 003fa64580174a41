import { z } from 'zod'
import type { Entity } from './entity.ts'
import { type FieldFacts, facts, type Mention } from './fields.ts'
import { fieldsIn } from './values.ts'

export type Kind =
  | 'text'
  | 'multiline'
  | 'url'
  | 'secret'
  | 'number'
  | 'flag'
  | 'choice'
  | 'ref'
  | 'refs'
  | 'idSet'
  | 'list'
  | 'json'
  | 'moment'

/** What screens, the server and tests need to know of a field. */
export interface FieldDescription {
  name: string
  kind: Kind
  /** Whether a person edits it (`form`) or the server adds it (`computed`). */
  editable: boolean
  /**
   * Whether a form refuses to save while its input is empty. It does not where the schema has a default, takes an
   * absent value (`.optional()`) or `null` (`.nullable()`), or takes the empty value of the kind: 0 for `refOrNone`,
   * no ids for `refs`, '' for `multiline`. On screen, fields that are not required are marked as optional.
   */
  required: boolean
  /** Whether replies leave it out when it is zero, empty or false: it is `.optional()` in the schema. */
  omittable: boolean
  /** Whether `null` stands for a value that was never given. */
  nullable: boolean
  /** The schema's default: the value of a new record, and of an input that was emptied. */
  initial?: unknown
  minimum?: number
  maximum?: number
  integer?: boolean
  /** Characters; of a value of the kind `json`, those of its JSON. */
  maxLength?: number
  /** Entries of a list or set. */
  maxEntries?: number
  /** Characters of each entry of a list. */
  maxEntryLength?: number
  /** The entity that `ref`, `refs` and `idSet` point to. */
  to?: string
  choices?: Readonly<Record<string, string>>
  /** See `FieldFacts`. */
  concealedBy?: string
  newer?: boolean
  announced?: string
  /** See `FieldFacts`. */
  secrets?: readonly (readonly string[])[]
  leftOut?: 'kept'
  recorded?: boolean
  transient?: boolean
  /** See `FieldFacts`. */
  unattended?: boolean
  mentions?: readonly Mention[]
  unknown?: 'accepted'
}

/** A schema in the words of JSON Schema, as far as they are read by name, with the facts that it was registered with. */
export interface JsonSchema extends Omit<FieldFacts, 'kind' | 'properties'> {
  readonly kind?: Kind
  readonly type?: string
  readonly format?: string
  readonly pattern?: string
  readonly const?: unknown
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly additionalProperties?: JsonSchema | boolean
  readonly propertyNames?: JsonSchema
  readonly [word: string]: unknown
}

const jsonBySchema = new WeakMap<z.ZodType, JsonSchema>()

/** Schemas are only read through zod's public JSON Schema output, and only here; each is converted once. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  let json = jsonBySchema.get(schema)
  if (!json) {
    json = z.toJSONSchema(schema, { io: 'input', metadata: facts, unrepresentable: 'any' }) as JsonSchema
    jsonBySchema.set(schema, json)
  }
  return json
}

const fieldsByEntity = new WeakMap<Entity, readonly FieldDescription[]>()

/** All fields of an entity: those of the form in schema order, then the computed ones. */
export function describeFields(entity: Entity): readonly FieldDescription[] {
  let fields = fieldsByEntity.get(entity)
  if (!fields) {
    fields = [...fieldsOf(entity.form, true), ...fieldsOf(entity.computed, false)]
    fieldsByEntity.set(entity, fields)
  }
  return fields
}

/** Whether servers hide the stored value of this field: it is never searched, exported or logged. */
export const isConcealed = ({ kind, concealedBy }: FieldDescription) => kind === 'secret' || concealedBy !== undefined

/** One field by name. A dotted source such as `host.version` has no description of its own. */
export function describeField(entity: Entity, name: string): FieldDescription | undefined {
  return describeFields(entity).find((field) => field.name === name)
}

interface KindFacts {
  /** The value that means "nothing". */
  empty: unknown
  /** "Nothing" is a value like others: 0 is a number, false an answer, and 0 may be a code. */
  isValue?: true
}

const kindFacts: Readonly<Record<Kind, KindFacts>> = {
  text: { empty: '' },
  multiline: { empty: '' },
  url: { empty: '' },
  secret: { empty: '' },
  number: { empty: 0, isValue: true },
  flag: { empty: false, isValue: true },
  choice: { empty: 0, isValue: true },
  ref: { empty: 0 },
  refs: { empty: [] },
  idSet: { empty: null },
  list: { empty: [] },
  json: { empty: null },
  moment: { empty: '' },
}

/** What the codes of a choice mean, for programs: `0: admin, 1: user`. */
export const choicesText = (choices: Readonly<Record<string, string>>): string =>
  Object.entries(choices)
    .map(([code, name]) => `${code}: ${name}`)
    .join(', ')

/** The value that means "nothing" for a kind; servers leave such values out of their replies. */
export const emptyValue = (kind: Kind): unknown => structuredClone(kindFacts[kind].empty)

/** Whether an input of this kind is empty when it holds this value. */
export function isEmptyInput(kind: Kind, value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (typeof value === 'string') return value.trim() === ''
  return !kindFacts[kind].isValue && value === kindFacts[kind].empty
}

function fieldsOf(schema: z.ZodObject, editable: boolean): FieldDescription[] {
  const { properties = {} } = jsonSchemaOf(schema)
  return Object.entries(properties).map(([name, property]) => {
    const field: z.ZodType = schema.shape[name]
    const facts = factsOf(property)
    return {
      name,
      editable,
      required: !acceptsEmpty(field, facts.kind),
      omittable: field instanceof z.ZodOptional,
      ...facts,
    }
  })
}

function acceptsEmpty(field: z.ZodType, kind: Kind): boolean {
  const { empty, isValue } = kindFacts[kind]
  return [undefined, null, ...(isValue ? [] : [empty])].some((value) => field.safeParse(value).success)
}

function factsOf(property: JsonSchema): Omit<FieldDescription, 'name' | 'editable' | 'required' | 'omittable'> {
  const inner = withoutEmptyVariants(property)
  const type = inner.type
  return {
    kind: kindOf(inner),
    nullable: variantsOf(property).some(({ type }) => type === 'null'),
    initial: property.default,
    minimum: bound(inner.minimum),
    maximum: bound(inner.maximum),
    integer: type === 'integer',
    maxLength: inner.maxLength,
    maxEntries: inner.maxItems ?? inner.maxProperties,
    maxEntryLength: inner.items?.maxLength,
    to: inner.to,
    choices: inner.choices,
    concealedBy: inner.concealedBy,
    newer: inner.newer,
    announced: inner.announced,
    secrets: inner.secrets,
    leftOut: inner.leftOut,
    recorded: inner.recorded,
    transient: inner.transient,
    unattended: inner.unattended,
    mentions: inner.mentions,
    unknown: inner.unknown,
  }
}

/** zod adds the limits of safe integers as bounds; they are no rule of the field. */
function bound(value: number | undefined): number | undefined {
  return value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined
}

const variantsOf = (property: JsonSchema) => property.anyOf ?? []

/** The schema of a field's value where it may also be null or the empty text. */
function withoutEmptyVariants(property: JsonSchema): JsonSchema {
  const others = variantsOf(property).filter((variant) => variant.type !== 'null' && variant.const !== '')
  return others.length === 1 ? { ...property, ...others[0] } : property
}

function kindOf(property: JsonSchema): Kind {
  const { kind, type = '', format = '' } = property
  if (kind) return kind
  if (type === 'string') return formatKinds[format] ?? 'text'
  return typeKinds[type] ?? 'json'
}

/** Kinds by the type that JSON Schema has for them, where the schema does not name a kind. */
const typeKinds: Readonly<Record<string, Kind>> = {
  integer: 'number',
  number: 'number',
  boolean: 'flag',
  array: 'list',
}

/** Kinds of texts, by their format in JSON Schema. */
const formatKinds: Readonly<Record<string, Kind>> = { uri: 'url', 'date-time': 'moment' }

/** A place in an entity's records that holds ids of another entity. */
export interface Reference extends Mention {
  field: string
}

/** All places in an entity's records that hold ids: fields of the kinds `ref`, `refs` and `idSet`, and `mentions`. */
export function referencesOf(entity: Entity): Reference[] {
  return describeFields(entity).flatMap(({ name, to, unknown, mentions = [] }) => {
    const places: readonly Mention[] = to ? [{ to, unknown }, ...mentions] : mentions
    return places.map((place) => ({ ...place, field: name }))
  })
}

/** The ids in a field's value, as text (see `Mention` for `path`). An entry of an object with `false` does not count. */
export function referencedIds(value: unknown, [key, ...rest]: readonly string[] = []): string[] {
  if (key === '*') return Array.isArray(value) ? value.flatMap((item) => referencedIds(item, rest)) : []
  if (key !== undefined) return referencedIds(fieldsIn(value)[key], rest)
  if (typeof value === 'string') return value.split(',').map((id) => id.trim())
  if (value && typeof value === 'object' && !Array.isArray(value)) {
    return Object.entries(value).flatMap(([id, on]) => (on === false ? [] : [id]))
  }
  return [value ?? []].flat().map(String)
}
