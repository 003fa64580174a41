import type { Kind } from '../../schemas/define/describe.ts'
import { fieldsIn } from '../../schemas/define/values.ts'
import { isNoTime, readRange, timeOf } from '../../schemas/formats/time.ts'
import type { KindValues } from './parts/kind.tsx'

/** A filter finds what contains it, in any case. */
const contains = (filter: string) => {
  const text = filter.toLowerCase()
  return (value: unknown) =>
    (Array.isArray(value) ? value.join(', ') : String(value ?? '')).toLowerCase().includes(text)
}

const textValues: KindValues = { matches: contains, isSearched: true }

const urlValues: KindValues = { ...textValues, invalidFormat: 'validation.url' }

/** Never found by the search. */
const unsearchedValues: KindValues = { matches: contains }

/** What kinds have in common whose values are ids. */
const referenceValues = (ids: (value: unknown) => readonly string[]): KindValues & { ids: typeof ids } => ({
  ids,
  matches: (filter) => (value) => ids(value).includes(filter),
  exportText: (value, { recordText }) => ids(value).map(recordText).join('; '),
})

const refsValues: KindValues = referenceValues((value) => (Array.isArray(value) ? value.map(String) : []))

/** Servers leave out a zero. */
const isSameNumber = (filter: string) => (value: unknown) => String(value ?? 0) === filter

/** 0 means none. */
const refValues: KindValues = {
  ...referenceValues((value) => (value ? [String(value)] : [])),
  matches: isSameNumber,
}

const numberValues: KindValues = { matches: isSameNumber, readText: Number }

/** Sorted by the point in time, in whatever UTC offset it is written; filtered by a range with both ends in it. */
const momentValues: KindValues = {
  sortKey: timeOf,
  matches: (range) => {
    const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = readRange(range)
    return (value) => {
      const at = timeOf(value)
      return at !== undefined && at >= from && at < to
    }
  },
  exportText: (value, { translate }) =>
    value && isNoTime(value) ? translate('app.duration.never') : String(value ?? ''),
  invalidFormat: 'validation.moment',
}

/** `{ "3": true, "4": false }` holds 3. */
const idSetValues: KindValues = referenceValues((value) =>
  Object.entries(fieldsIn(value)).flatMap(([id, on]) => (on === true ? [id] : [])),
)

const flagValues: KindValues = {
  // The same in every language, and what spreadsheets take for a yes or no.
  exportText: (value) => String(Boolean(value)),
  matches: (filter) => (value) => Boolean(value) === (filter === 'true'),
}

const choiceValues: KindValues = {
  matches: isSameNumber,
  exportText: (value, { field, choiceText }) => {
    const name = field.choices?.[String(value ?? 0)]
    return name === undefined ? String(value ?? '') : choiceText(name)
  },
}

/**
 * How values of each kind are sorted, filtered, searched, exported and read from a form. Apart from `cells.tsx`, because
 * the data provider needs it and draws nothing.
 */
export const kindValues: Record<Kind, KindValues> = {
  text: textValues,
  multiline: textValues,
  url: urlValues,
  secret: unsearchedValues,
  number: numberValues,
  flag: flagValues,
  choice: choiceValues,
  ref: refValues,
  refs: refsValues,
  idSet: idSetValues,
  list: textValues,
  json: unsearchedValues,
  moment: momentValues,
}
