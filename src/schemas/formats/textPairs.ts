import { z } from 'zod'

const pairs = z.record(z.string(), z.string())

/**
 * Reads headers or form fields, which travel as the text of a JSON object whose values are texts. Blank text is no
 * pairs at all.
 * @returns `undefined` when the text is anything else
 */
export function readTextPairs(text: string): Record<string, string> | undefined {
  if (text.trim() === '') return {}
  try {
    return pairs.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

export const isTextPairs = (text: string) => readTextPairs(text) !== undefined
