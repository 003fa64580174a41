import { describeFields, emptyValue, type FieldDescription } from '../../src/schemas/define/describe.ts'
import type { Entity } from '../../src/schemas/define/entity.ts'
import { scan } from './json/parseJson.ts'
import { mismatch, readTyped } from './readTyped.ts'
import { type WireType, wireTypeOf } from './wireType.ts'

export type Form = Record<string, unknown>

interface FormReader {
  name: string
  fields: readonly FieldDescription[]
  types: ReadonlyMap<string, { name: string; type: WireType }>
}

const readers = new WeakMap<Entity, FormReader>()

/**
 * Reads the body of a create or an update. What comes back holds the fields that were given; unknown keys are passed
 * over and names match in any case, as on real servers.
 * @throws ApiError in the contract's words for what is no JSON or of another type
 */
export function readForm(entity: Entity, body: unknown): Form {
  const reader = readerOf(entity)
  const node = scan(typeof body === 'string' ? body : '')
  if (node.kind === 'null') return {}
  if (node.kind !== 'object') throw mismatch(node.kind, `model.${reader.name}`, 'Go value')
  const form: Form = {}
  for (const [key, value] of node.entries) {
    const field = reader.types.get(key.toLowerCase())
    if (!field || value.kind === 'null') continue
    form[field.name] = readTyped(value, field.type, `Go struct field ${reader.name}.${field.name}`)
  }
  return form
}

/** The form with zero values where nothing was given: an update replaces everything. */
export function completeForm(entity: Entity, given: Form): Form {
  const zero = ({ kind, nullable }: FieldDescription) => (nullable ? null : emptyValue(kind))
  return Object.fromEntries(readerOf(entity).fields.map((field) => [field.name, given[field.name] ?? zero(field)]))
}

function readerOf(entity: Entity): FormReader {
  const known = readers.get(entity)
  if (known) return known
  const fields = describeFields(entity).filter((field) => field.editable)
  const types = new Map(
    fields.map((field) => [field.name.toLowerCase(), { name: field.name, type: wireTypeOf(entity, field) }]),
  )
  const reader = { name: formNameOf(entity.name), fields, types }
  readers.set(entity, reader)
  return reader
}

const acronyms = new Set(['nat', 'ddns', 'waf'])

/** `server-group` is `ServerGroupForm` to clients of real servers. */
function formNameOf(entityName: string): string {
  const words = entityName.split('-').map((word) => {
    return acronyms.has(word) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1)
  })
  return `${words.join('')}Form`
}
