import { type FieldDescription, isConcealed, type Kind } from '../schemas/define/describe.ts'

export type Row = Record<string, unknown> & { id: number | string }

/** The rows of other entities that a comparison may look into, by entity name. */
export type Related = (entity: string) => readonly Row[]

/** What a screen knows beyond its records, such as live figures, as of one moment. */
export type Snapshot = unknown

/** What a column sorts by when it is not the value of its source. */
export type SortValue = (row: Row, related: Related, snapshot: Snapshot) => unknown

/** A column's words, for search and export; of an export they may take all its rows into account. */
export type TextValue = (row: Row, related: Related, exported?: readonly Row[]) => string

/** Whether a row matches a filter that no field answers by itself. */
export type Matches = (row: Row, wanted: string, snapshot: Snapshot) => boolean

/** A snapshot is asked for only where the function has a parameter for it: most columns sort by records alone. */
export const looksAtSnapshot = (read: SortValue | Matches | false | undefined): boolean =>
  Boolean(read) && (read as SortValue).length > 2

export interface CollectionQuery {
  filter?: Record<string, unknown>
  sort?: { field: string; order: 'ASC' | 'DESC' | string }
  pagination?: { page: number; perPage: number }
}

/** How values of one field kind are sorted, filtered and searched. */
export interface ValueQueries {
  /** What rows are sorted by. Left out: the value itself. Rows without a key stand at the end. */
  sortKey?: (value: unknown) => unknown
  /** Tells whether a value passes a filter; the filter is read once for all rows. */
  matches: (filter: string) => (value: unknown) => boolean
  /** Whether the search reads its text. */
  isSearched?: boolean
  /** The ids of the records that a value refers to. */
  ids?: (value: unknown) => readonly string[]
}

/** How one screen reads its rows. Everything left out follows from the fields' kinds. */
export interface Reading {
  fields: readonly FieldDescription[]
  kinds: Readonly<Record<Kind, ValueQueries>>
  /** The words of a row in lower case, for the filter `q`. */
  words?: (row: Row) => string
  sortKey?: (row: Row) => unknown
  /** All that the order rests on besides the rows. While it is the same, rows that were sorted once stay sorted. */
  sortedBy?: readonly unknown[]
  matches?: Readonly<Record<string, (row: Row, wanted: string) => boolean>>
}

/** Reads `host.version` out of a row. */
export function valueAt(row: unknown, source: string): unknown {
  let value = row
  for (const key of source.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[key]
  return value
}

/**
 * Filters, sorts and slices a collection that is already in memory.
 * @returns the page and the number of all rows that match
 */
export function queryCollection(
  rows: readonly Row[],
  { filter = {}, sort, pagination }: CollectionQuery,
  reading: Reading,
): { data: Row[]; total: number } {
  const tests = Object.entries(filter)
    .filter(([, wanted]) => wanted !== undefined && wanted !== null && wanted !== '')
    .map(([source, wanted]) => testOf(source, wanted, reading))
  const found = inOrder(rows, tests, sort, reading)
  const { page = 1, perPage = found.length } = pagination ?? {}
  return { data: found.slice((page - 1) * perPage, page * perPage), total: found.length }
}

const sortedKept = new WeakMap<readonly Row[], { parts: readonly unknown[]; sorted: readonly Row[] }>()

/** The rows that pass, in their order. A search in a list that is already sorted has nothing to sort. */
function inOrder(
  rows: readonly Row[],
  tests: readonly ((row: Row) => boolean)[],
  sort: CollectionQuery['sort'],
  { sortKey, sortedBy, fields, kinds }: Reading,
): readonly Row[] {
  const [first, ...others] = tests
  const passing = (from: readonly Row[]) => {
    if (!first) return from
    return from.filter(others.length > 0 ? (row) => tests.every((test) => test(row)) : first)
  }
  if (!sort) return passing(rows)
  const kept = sortedBy && sortedKept.get(rows)
  if (kept && isSame(kept.parts, sortedBy)) return passing(kept.sorted)
  const found = passing(rows)
  const keyOf = sortKey ?? keyByKind(sort.field)
  const ordered = sorted(found, keyOf, sort.order === 'DESC' ? -1 : 1)
  if (sortedBy && found === rows) sortedKept.set(rows, { parts: sortedBy, sorted: ordered })
  return ordered

  function keyByKind(source: string): (row: Row) => unknown {
    const kind = fields.find(({ name }) => name === source)?.kind
    const key = kind && kinds[kind].sortKey
    return key ? (row) => key(valueAt(row, source)) : (row) => valueAt(row, source)
  }
}

const isSame = (one: readonly unknown[], other: readonly unknown[]) =>
  one.length === other.length && one.every((part, index) => part === other[index])

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** Values that are missing stand at the end in both directions; equal ones stay in the order of their ids. */
function sorted(rows: readonly Row[], keyOf: (row: Row) => unknown, direction: 1 | -1): Row[] {
  const keyed = rows.map((row) => ({ row, key: comparable(keyOf(row)) }))
  keyed.sort((a, b) => {
    if (a.key === undefined || b.key === undefined) {
      return a.key === b.key ? compare(a.row.id, b.row.id) : a.key === undefined ? 1 : -1
    }
    return direction * compare(a.key, b.key) || compare(a.row.id, b.row.id)
  })
  return keyed.map(({ row }) => row)
}

function comparable(value: unknown): string | number | undefined {
  if (value === null || value === undefined || value === '') return undefined
  if (typeof value === 'number' || typeof value === 'string') return value
  if (typeof value === 'boolean') return Number(value)
  if (Array.isArray(value)) return value.length ? value.join(', ') : undefined
  return JSON.stringify(value)
}

function compare(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b))
}

function testOf(source: string, wanted: unknown, { fields, kinds, words, matches }: Reading): (row: Row) => boolean {
  const own = matches?.[source]
  if (own) return (row) => own(row, String(wanted))
  if (source === 'q' && words) {
    const [first = '', ...others] = String(wanted).toLowerCase().split(/\s+/).filter(Boolean)
    return (row) => {
      const text = words(row)
      return text.includes(first) && others.every((term) => text.includes(term))
    }
  }
  // An id that is joined from several fields is no field of the schema.
  const kind = fields.find(({ name }) => name === source)?.kind ?? (source === 'id' ? 'number' : 'text')
  const test = kinds[kind].matches(String(wanted))
  return (row) => test(valueAt(row, source))
}

/** What the words of rows are made of: their text fields, the names they refer to, and what columns add. */
export interface WordSources {
  fields: readonly FieldDescription[]
  kinds: Reading['kinds']
  texts: readonly TextValue[]
  related: Related
}

const wordsKept = new WeakMap<readonly Row[], { parts: readonly unknown[]; words: Map<Row, string> }>()

/**
 * The words of each row, worked out when first asked for and kept as long as the rows and what they refer to are the
 * same: at 10,000 rows a keystroke then costs a comparison, not a reading.
 */
export function wordsOf(rows: readonly Row[], { fields, kinds, texts, related }: WordSources): (row: Row) => string {
  const references = fields.filter(({ to }) => to)
  const parts = references.map(({ to }) => related(to ?? ''))
  let kept = wordsKept.get(rows)
  if (!kept || !isSame(kept.parts, parts)) {
    kept = { parts, words: new Map() }
    wordsKept.set(rows, kept)
  }
  const { words } = kept
  const names = references.map(
    ({ to }) => new Map(related(to ?? '').map((row) => [String(row.id), String(row.name ?? '')])),
  )
  const plain = fields.filter((field) => kinds[field.kind].isSearched && !isConcealed(field))
  // The first letter of a search waits for this: one string grows, and nothing is collected on the way.
  return (row) => {
    let text = words.get(row)
    if (text !== undefined) return text
    text = `#${row.id}`
    for (const { name } of plain) {
      const value = row[name]
      if (value) text += `\n${value}`
    }
    references.forEach(({ name, kind }, index) => {
      if (row[name]) for (const id of kinds[kind].ids?.(row[name]) ?? []) text += `\n${names[index]?.get(id) ?? ''}`
    })
    for (const textOf of texts) text += `\n${textOf(row, related)}`
    text = text.toLowerCase()
    words.set(row, text)
    return text
  }
}
