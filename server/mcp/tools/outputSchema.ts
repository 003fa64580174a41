import type { ObjectSchema } from './tool.ts'

type Json = Readonly<Record<string, unknown>>

/** Parts of the JSON Schemas of results. */
export const integer = { type: 'integer' }
export const text = { type: 'string' }
export const flag = { type: 'boolean' }
export const moment = { type: 'string', format: 'date-time' }
export const anyObject = { type: 'object' }
export const array = (items: Json) => ({ type: 'array', items })
export const object = (properties: Readonly<Record<string, Json>>, required: readonly string[] = []): ObjectSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
})
