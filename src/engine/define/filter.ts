import type { Language, Matches, Row, Snapshot } from '../../records/queryRows.ts'
import type { EntityName } from '../../schemas/index.ts'

type Needs = readonly ('live' | EntityName)[]

/** A filter that no field answers by itself, or not in the way of its kind; its label is that of the column or field. */
export interface Filter<R = Row, Live = Snapshot> {
  source: string
  /** Whether a row passes. Absent where the server filters. */
  matches?: Matches<R, Live>
  /** What `matches` needs besides a row: what the definition calls `live`, or rows of other entities. */
  needs?: Needs
  /** Fixed choices, by their text keys. */
  words?: Readonly<Record<string, string>>
  /** Chosen among the records of this entity; the value is an id. */
  to?: string
  /** Chosen among the values that the rows of the list have. */
  valuesOf?: (row: R) => readonly string[]
  /** The text of such a value on screen. Default: the value itself. */
  wordOf?: (value: string, language: Language) => string
  /** Only servers that announce this key of `wheelhouse` have it. */
  announced?: string
}

/** One of some states that rows are in by a rule of their own, such as online and offline; the search finds them too. */
export const filterByState = <R = Row, Live = Snapshot>(
  source: string,
  words: Readonly<Record<string, string>>,
  options: Pick<Filter<R, Live>, 'matches' | 'needs' | 'announced'> = {},
): Filter<R, Live> => ({ source, words, ...options })

/** One record of another entity, which rows belong to by a rule of their own. */
export const filterByRecord = <R = Row, Live = Snapshot>(
  source: string,
  to: EntityName,
  matches?: Matches<R, Live>,
): Filter<R, Live> => ({ source, to, needs: [to], matches })

/** One of the values that the rows of the list have. @param wordOf the text of a value on screen */
export const filterByValue = <R = Row, Live = Snapshot>(
  source: string,
  valuesOf: (row: R) => readonly string[],
  wordOf?: Filter['wordOf'],
): Filter<R, Live> => ({ source, valuesOf, wordOf, matches: (row, value) => valuesOf(row).includes(value) })

/** A part of a text that is no field of its own, in any case. */
export const filterByText = <R = Row, Live = Snapshot>(
  source: string,
  textOf: (row: R) => string,
): Filter<R, Live> => ({
  source,
  matches: (row, value) => textOf(row).toLowerCase().includes(value.trim().toLowerCase()),
})
