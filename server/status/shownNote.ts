import { isObject, type Values } from '../../src/schemas/define/values.ts'
import { noteParts } from '../../src/schemas/machines/publicNote.ts'
import type { ShownNote } from '../../src/schemas/status/publicStatus.ts'

/** Characters of one value: a price, a plan, a sentence. */
const maxLength = 200

/** Reads from a public note the values that its form has. @returns `undefined` where there are none */
export function shownNote(text: string): ShownNote | undefined {
  const note = parsed(text)
  const parts = Object.entries(noteParts).flatMap(([part, names]) => {
    const values = Object.keys(names).flatMap((name) => {
      const value = asObject(note[part])[name]
      return typeof value === 'string' && value !== '' ? [[name, value.slice(0, maxLength)] as const] : []
    })
    return values.length > 0 ? [[part, Object.fromEntries(values)] as const] : []
  })
  return parts.length > 0 ? Object.fromEntries(parts) : undefined
}

/** Any text may stand in a public note. */
function parsed(text: string): Values {
  if (!text.includes('DataMod')) return {}
  try {
    return asObject(JSON.parse(text))
  } catch {
    return {}
  }
}

const asObject = (value: unknown): Values => (isObject(value) ? value : {})
