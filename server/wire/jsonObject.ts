import { isObject, type Values } from '../../src/schemas/define/values.ts'

/** Reads a text that may be a JSON object, as replies of other servers are. @returns `undefined` for anything else */
export function jsonObject(text: string): Values | undefined {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
