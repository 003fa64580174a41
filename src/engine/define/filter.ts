import type { Language, Matches, Row } from '../../records/queryRows.ts'

/** A filter that no field answers by itself, or not in the way of its kind; its label is that of the column or field. */
export interface Filter {
  source: string
  /** Whether a row passes. Absent where the server filters. */
  matches?: Matches
  /** Entities whose rows `matches` looks into. */
  related?: readonly string[]
  /** Fixed choices, by their text keys. */
  words?: Readonly<Record<string, string>>
  /** Chosen among the records of this entity; the value is an id. */
  to?: string
  /** Chosen among the values that the rows of the list have. */
  valuesOf?: (row: Row) => readonly string[]
  /** The text of such a value on screen. Default: the value itself. */
  wordOf?: (value: string, language: Language) => string
}

/** One of some states that rows are in by a rule of their own, such as online and offline; the search finds them too. */
export const filterByState = (source: string, words: Readonly<Record<string, string>>, matches?: Matches): Filter => ({
  source,
  words,
  matches,
})

/** One record of another entity, which rows belong to by a rule of their own. */
export const filterByRecord = (source: string, to: string, matches?: Matches): Filter => ({
  source,
  to,
  related: [to],
  matches,
})

/** One of the values that the rows of the list have. @param wordOf the text of a value on screen */
export const filterByValue = (
  source: string,
  valuesOf: NonNullable<Filter['valuesOf']>,
  wordOf?: Filter['wordOf'],
): Filter => ({ source, valuesOf, wordOf, matches: (row, value) => valuesOf(row).includes(value) })

/** A part of a text that is no field of its own, in any case. */
export const filterByText = (source: string, textOf: (row: Row) => string): Filter => ({
  source,
  matches: (row, value) => textOf(row).toLowerCase().includes(value.trim().toLowerCase()),
})
