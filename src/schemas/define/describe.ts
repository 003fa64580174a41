import { z } from 'zod'
import type { Entity } from './entity.ts'
import { facts, type Mention } from './fields.ts'

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

/** A field as screens, tables and tests need to know it. */
export interface FieldDescription {
  name: string
  kind: Kind
  /** Whether a person edits it (`form`) or the server adds it (`computed`). */
  editable: boolean
  /** Whether leaving it empty is refused. */
  required: boolean
  /** Whether the wire leaves it out when it is zero, empty or false: it is `.optional()` in the schema. */
  omittable: boolean
  /** Whether the wire has `null` for a value that was never given. */
  nullable: boolean
  /** The value of a new record, when the schema names one. */
  initial?: unknown
  minimum?: number
  maximum?: number
  integer?: boolean
  maxLength?: number
  /** The entity that `ref`, `refs` and `idSet` point to. */
  to?: string
  choices?: Readonly<Record<string, string>>
  /** See `FieldFacts`. */
  concealedBy?: string
  newer?: boolean
  transient?: boolean
  mentions?: readonly Mention[]
  unknown?: 'accepted'
}

type Json = Record<string, unknown>

/** The one place that looks inside a schema, and only through zod's public JSON Schema output. */
export function jsonSchemaOf(schema: z.ZodType): Json {
  return z.toJSONSchema(schema, { io: 'input', metadata: facts, unrepresentable: 'any' }) as Json
}

const described = new WeakMap<Entity, readonly FieldDescription[]>()

/** All fields of an entity: those of the form in schema order, then the computed ones. */
export function describeFields(entity: Entity): readonly FieldDescription[] {
  let fields = described.get(entity)
  if (!fields) {
    fields = [...fieldsOf(entity.form, true), ...fieldsOf(entity.computed, false)]
    described.set(entity, fields)
  }
  return fields
}

/** Whether servers hide what is stored in this field: it is never searched, exported or logged. */
export const isConcealed = ({ kind, concealedBy }: FieldDescription) => kind === 'secret' || concealedBy !== undefined

/** One field by name. A dotted source such as `host.version` has no description of its own. */
export function describeField(entity: Entity, name: string): FieldDescription | undefined {
  return describeFields(entity).find((field) => field.name === name)
}

/** The value that means "nothing" for a kind; servers leave such values out of their replies. */
export function emptyValue(kind: Kind): unknown {
  switch (kind) {
    case 'number':
    case 'choice':
    case 'ref':
      return 0
    case 'flag':
      return false
    case 'refs':
    case 'list':
      return []
    case 'idSet':
    case 'json':
      return null
    default:
      return ''
  }
}

function fieldsOf(schema: z.ZodObject, editable: boolean): FieldDescription[] {
  const json = jsonSchemaOf(schema)
  const required = new Set((json.required as string[] | undefined) ?? [])
  return Object.entries((json.properties as Record<string, Json> | undefined) ?? {}).map(([name, property]) => ({
    name,
    editable,
    required: required.has(name) && !accepts(schema, name),
    omittable: schema.shape[name] instanceof z.ZodOptional,
    ...factsOf(property),
  }))
}

/** JSON Schema cannot tell that a preprocessed field may be absent; the schema itself can. */
function accepts(schema: z.ZodObject, name: string): boolean {
  const field = schema.shape[name] as z.ZodType | undefined
  return field?.safeParse(undefined).success ?? false
}

function factsOf(property: Json): Omit<FieldDescription, 'name' | 'editable' | 'required' | 'omittable'> {
  const inner = meant(property)
  const type = inner.type
  return {
    kind: kindOf(inner),
    nullable: variantsOf(property).some(({ type }) => type === 'null'),
    initial: property.default,
    minimum: bound(inner.minimum),
    maximum: bound(inner.maximum),
    integer: type === 'integer',
    maxLength: inner.maxLength as number | undefined,
    to: inner.to as string | undefined,
    choices: inner.choices as Readonly<Record<string, string>> | undefined,
    concealedBy: inner.concealedBy as string | undefined,
    newer: inner.newer as boolean | undefined,
    transient: inner.transient as boolean | undefined,
    mentions: inner.mentions as readonly Mention[] | undefined,
    unknown: inner.unknown as 'accepted' | undefined,
  }
}

/** zod writes the limits of safe integers as bounds; no person needs to be told of those. */
function bound(value: unknown): number | undefined {
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined
}

const variantsOf = (property: Json) => (property.anyOf as Json[] | undefined) ?? []

/** What a field is about where it may also be null or the empty text. */
function meant(property: Json): Json {
  const real = variantsOf(property).filter((variant) => variant.type !== 'null' && variant.const !== '')
  return real.length === 1 ? { ...property, ...real[0] } : property
}

function kindOf(property: Json): Kind {
  if (property.kind) return property.kind as Kind
  switch (property.type) {
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'flag'
    case 'array':
      return 'list'
    case 'string':
      return property.format === 'uri' ? 'url' : property.format === 'date-time' ? 'moment' : 'text'
    default:
      return 'json'
  }
}
