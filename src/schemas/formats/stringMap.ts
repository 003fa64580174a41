import { z } from 'zod'

const stringMap = z.record(z.string(), z.string())

/**
 * Parses HTTP headers or form fields, which the wire has as the text of a JSON object with string values. Blank text is
 * an empty object.
 * @returns `undefined` when the text is invalid
 */
export function parseStringMap(text: string): Record<string, string> | undefined {
  if (text.trim() === '') return {}
  try {
    return stringMap.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

export const isStringMap = (text: string) => parseStringMap(text) !== undefined
