import { noteParts, publicNote } from '../../schemas/machines/publicNote.ts'

export type NotePart = keyof typeof noteParts
export type NoteKind = 'date' | 'end' | 'flag' | 'cycle' | 'traffic' | 'text'

/** The values that are codes, with the names of their texts. */
export const noteChoices = {
  cycle: { Day: 'day', Week: 'week', Month: 'month', Year: 'year' },
  traffic: { '1': 'one_way', '2': 'both_ways' },
} as const

/** The end of what never ends. */
export const noExpiry = '0000-00-00T23:59:59+08:00'

type Note = Record<string, unknown> & Partial<Record<NotePart, Record<string, unknown>>>

/**
 * Reads a note that has the known shape; keys beyond it are allowed, and stay.
 * @returns `undefined` when the text is anything else
 */
export function readNote(text: string): Note | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    const fits = publicNote.safeParse(value).success && Object.keys(noteParts).some((part) => part in (value as object))
    return fits ? (value as Note) : undefined
  } catch {
    return undefined
  }
}

/** One value of a note; empty when it has none. */
export const noteValue = (note: Note, part: NotePart, key: string) => String(note[part]?.[key] ?? '')

/**
 * The text of a note with one value changed. A value that is cleared goes, and with it what it leaves empty; a note
 * without anything is no text at all.
 */
export function withNoteValue(note: Note, part: NotePart, key: string, value: string): string {
  const { [key]: _before, ...others } = note[part] ?? {}
  // A value that stays keeps its place.
  const changed = value === '' ? others : { ...note[part], [key]: value }
  const { [part]: _part, ...rest } = note
  const next = Object.keys(changed).length > 0 ? { ...note, [part]: changed } : rest
  return Object.keys(next).length > 0 ? JSON.stringify(next) : ''
}

/** The day of a moment as date inputs know it; empty when the text is no moment. */
export const dayOf = (moment: string) => (/^\d{4}-\d\d-\d\d/.exec(moment)?.[0] ?? '').replace('0000-00-00', '')

/** The same moment on another day; a new one begins that day in the zone that notes are written in. */
export function onDay(moment: string, day: string): string {
  if (day === '') return ''
  const time = /^\d{4}-\d\d-\d\d(T.+)$/.exec(moment)?.[1]
  return `${day}${time ?? 'T00:00:00+08:00'}`
}
