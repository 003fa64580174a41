import { parseJson } from './parseJson.ts'
import { mismatch, readTyped } from './readTyped.ts'
import type { WireType } from './wireType.ts'

/**
 * Reads the body of a call that takes an object and is no form of an entity. What was left out is `undefined`; unknown
 * keys are passed over, and names match in any case.
 * @param name the object's name in refusals, as `ServerConfigForm`
 * @throws ApiError in the contract's words
 */
export function readFields<Name extends string>(
  body: unknown,
  name: string,
  types: Readonly<Record<Name, WireType>>,
): Partial<Record<Name, unknown>> {
  const node = parseJson(typeof body === 'string' ? body : '')
  if (node.kind === 'null') return {}
  if (node.kind !== 'object') throw mismatch(node.kind, `model.${name}`, 'Go value')
  const fields: Partial<Record<Name, unknown>> = {}
  const names = Object.keys(types) as Name[]
  for (const [key, value] of node.entries) {
    const field = names.find((known) => known === key.toLowerCase())
    if (field) fields[field] = readTyped(value, types[field], `Go struct field ${name}.${field}`)
  }
  return fields
}
