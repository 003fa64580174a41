import { parseJson } from './parseJson.ts'
import { mismatch, readTyped } from './readTyped.ts'
import type { ValueOf, WireType } from './wireType.ts'

/**
 * Reads the body of a call outside CRUD that takes an object. A key that was left out is `undefined`; unknown keys are
 * ignored, and names match in any case.
 * @param name the name of the object in error messages, such as `ServerConfigForm`
 * @throws ApiError in the contract's words
 */
export function readFields<const Types extends Readonly<Record<string, WireType>>>(
  body: unknown,
  name: string,
  types: Types,
): { [Name in keyof Types]?: ValueOf<Types[Name]> } {
  const node = parseJson(typeof body === 'string' ? body : '')
  if (node.kind === 'null') return {}
  if (node.kind !== 'object') throw mismatch(node.kind, `model.${name}`, 'Go value')
  const fields: Record<string, unknown> = {}
  for (const [key, value] of node.entries) {
    const field = key.toLowerCase()
    const type = Object.hasOwn(types, field) ? types[field] : undefined
    if (type) fields[field] = readTyped(value, type, `Go struct field ${name}.${field}`)
  }
  return fields as { [Name in keyof Types]?: ValueOf<Types[Name]> }
}
