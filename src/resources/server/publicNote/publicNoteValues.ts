import type { z } from 'zod'
import { isObject } from '../../../schemas/define/values.ts'
import { noteParts, publicNote } from '../../../schemas/machines/publicNote.ts'

export type NotePart = keyof typeof noteParts
export type NoteKind = 'date' | 'end' | 'flag' | 'cycle' | 'traffic' | 'text'

/** Fields with fixed codes, and the keys of their texts. */
export const noteChoices = {
  cycle: { Day: 'day', Week: 'week', Month: 'month', Year: 'year' },
  traffic: { '1': 'one_way', '2': 'both_ways' },
} as const

/** The end date that means 'never'. */
export const noExpiry = '0000-00-00T23:59:59+08:00'

type Note = z.output<typeof publicNote>

/**
 * Parses a note with the known shape; additional keys are allowed and kept.
 * @returns `undefined` for any other text
 */
export function readNote(text: string): Note | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return isNote(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** As it was read, because the schema would put its keys into another order. */
const isNote = (value: unknown): value is Note =>
  isObject(value) && publicNote.safeParse(value).success && Object.keys(noteParts).some((part) => part in value)

/** One value of a note; '' if it is missing. */
export const noteValue = (note: Note, part: NotePart, key: string) => String(note[part]?.[key] ?? '')

/**
 * The text of a note with one value changed. A cleared value is removed, and so is a part that becomes empty; a note
 * without values is an empty text.
 */
export function withNoteValue(note: Note, part: NotePart, key: string, value: string): string {
  const { [key]: _before, ...others } = note[part] ?? {}
  // A changed value keeps its position.
  const changed = value === '' ? others : { ...note[part], [key]: value }
  const { [part]: _part, ...rest } = note
  const next = Object.keys(changed).length > 0 ? { ...note, [part]: changed } : rest
  return Object.keys(next).length > 0 ? JSON.stringify(next) : ''
}

/** The day of a date with time, for date inputs; '' if the text is not a date. */
export const dayOf = (dateTime: string) => (/^\d{4}-\d\d-\d\d/.exec(dateTime)?.[0] ?? '').replace('0000-00-00', '')

/** The same time on another day; a new value gets the start of the day in the time zone that notes use. */
export function onDay(dateTime: string, day: string): string {
  if (day === '') return ''
  const time = /^\d{4}-\d\d-\d\d(T.+)$/.exec(dateTime)?.[1]
  return `${day}${time ?? 'T00:00:00+08:00'}`
}
