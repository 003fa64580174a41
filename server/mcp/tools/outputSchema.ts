import type { Values } from '../../../src/schemas/define/values.ts'
import type { ObjectSchema } from './tool.ts'

/** Parts of the JSON Schemas of results. */
export const integer = { type: 'integer' }
export const text = { type: 'string' }
export const flag = { type: 'boolean' }
export const moment = { type: 'string', format: 'date-time' }
export const anyObject = { type: 'object' }
export const array = (items: Values) => ({ type: 'array', items })
export const object = (
  properties: Readonly<Record<string, Values>>,
  required: readonly string[] = [],
): ObjectSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
})
