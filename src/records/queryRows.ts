import type { TextArgs } from '../../i18n/fillText.ts'
import type { FieldDescription, Kind } from '../schemas/define/describe.ts'
import type { Entity, RecordOf } from '../schemas/define/entity.ts'
import { fieldsIn, type Values } from '../schemas/define/values.ts'

/**
 * A record of an entity as the browser has it, as `Row<typeof server>`: also one whose key is made of several fields has an
 * id. Without an entity nothing is known of its fields.
 */
export type Row<E extends Entity = Entity> = RecordOf<E> & { id: number | string }

/** The rows of other entities that a comparison may look into, by entity name. */
export type Related = (entity: string) => readonly Row[]

/** What a screen knows beyond its records, such as live metrics, as of one point in time. */
export type Snapshot = unknown

/** The language of the screen: its locale for numbers and names, and its texts. */
export interface Language {
  locale: string
  translate: (key: string, options?: TextArgs) => string
}

/** What the functions of a column or of a filter get besides a row: what it says that it needs. */
export interface RowContext<Live = Snapshot> {
  related: Related
  /** `undefined` where nothing is known. */
  live?: Live
}

/** What a text may take into account besides its row; what is live is for exported files alone. */
export interface TextContext<Live = Snapshot, R = Row> extends RowContext<Live> {
  language: Language
  /** All rows of the list, or of the exported file. */
  rows: readonly R[]
}

/** What a column sorts by when it is not the value of its source. */
export type SortValue<R = Row, Live = Snapshot> = (row: R, context: RowContext<Live>) => unknown

/** What an order follows from besides the rows, as of now. */
export interface SortState {
  version: () => number
  subscribe: (listener: () => void) => () => void
}

/** A text of a row as the screen shows it. */
export type TextValue<R = Row, Live = Snapshot> = (row: R, context: TextContext<Live, R>) => string

/** Whether a row matches a filter that no field answers by itself. */
export type Matches<R = Row, Live = Snapshot> = (row: R, value: string, context: RowContext<Live>) => boolean

/**
 * What a column or a filter needs beyond its rows: `live`, for what its screen says of this moment, or the name of an
 * entity whose rows it looks into.
 */
export type Needs = readonly string[]

/** Whether it needs what is live, which has to be asked for: most columns sort by records alone. */
export const needsLive = ({ needs }: { needs?: Needs }): boolean => needs?.includes('live') === true

interface Sorting {
  sort?: SortValue | false
  sortState?: SortState
  needs?: Needs
}

/** Whether rows are sorted by what is live, and not by what the page has at hand. */
export const sortsByLive = ({ sort, sortState, needs }: Sorting): boolean =>
  Boolean(sort) && sortState === undefined && needsLive({ needs })

/** The entities whose rows it looks into. */
export const neededEntities = ({ needs = [] }: { needs?: Needs }): string[] => needs.filter((need) => need !== 'live')

export interface RowQuery {
  filter?: Values
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

/** How rows are filtered, sorted and searched for one query. What is left out follows from the fields' kinds. */
export interface QueryPlan {
  fields: readonly FieldDescription[]
  kinds: Readonly<Record<Kind, ValueQueries>>
  /** The text of a row that the filter `q` searches, in lower case. */
  searchText?: (row: Row) => string
  /** Whether a word of the search, in lower case, names the state that a row is in now. */
  hasState?: (row: Row, term: string) => boolean
  sortKey?: (row: Row) => unknown
  /**
   * All that the order depends on besides the rows and the direction. While it is the same, rows that were sorted once
   * stay sorted.
   */
  sortedBy?: readonly unknown[]
  matches?: Readonly<Record<string, (row: Row, value: string) => boolean>>
  /** The whole number, larger ones first, by which rows are ordered that are equal otherwise. Default: their ids. */
  order?: string
}

/** Reads `host.version` out of a row. */
export function valueAt(row: unknown, source: string): unknown {
  let value = row
  for (const key of source.split('.')) value = fieldsIn(value)[key]
  return value
}

/**
 * Filters, sorts and slices a collection that is already in memory.
 * @returns the page and the number of all rows that match
 */
export function queryRows(
  rows: readonly Row[],
  { filter = {}, sort, pagination }: RowQuery,
  plan: QueryPlan,
): { data: Row[]; total: number } {
  const tests = Object.entries(filter)
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([source, value]) => testOf(source, value, plan))
  const found = inOrder(rows, tests, sort, plan)
  const { page = 1, perPage = found.length } = pagination ?? {}
  return { data: found.slice((page - 1) * perPage, page * perPage), total: found.length }
}

interface SortedRows {
  parts: readonly unknown[]
  direction: 1 | -1
  sorted: readonly Row[]
}

const sortedRows = new WeakMap<readonly Row[], SortedRows>()

/** The rows that pass, in their order. A search in a list that is already sorted has nothing to sort. */
function inOrder(
  rows: readonly Row[],
  tests: readonly ((row: Row) => boolean)[],
  sort: RowQuery['sort'],
  { sortKey, sortedBy, fields, kinds, order }: QueryPlan,
): readonly Row[] {
  const [first, ...others] = tests
  const passing = (from: readonly Row[]) => {
    if (!first) return from
    return from.filter(others.length > 0 ? (row) => tests.every((test) => test(row)) : first)
  }
  if (!sort) return passing(rows)
  const direction = sort.order === 'DESC' ? -1 : 1
  const cached = sortedBy && sortedRows.get(rows)
  const last = cached && sameParts(cached.parts, sortedBy) ? cached : undefined
  if (last?.direction === direction) return passing(last.sorted)
  const keyOf = sortKey ?? keyByKind(sort.field)
  // The other way round, only equal and missing values are out of place, which takes a fraction of the comparisons.
  const ordered = sorted(passing(last ? last.sorted.toReversed() : rows), keyOf, direction, order)
  if (sortedBy && !first) sortedRows.set(rows, { parts: sortedBy, direction, sorted: ordered })
  return ordered

  function keyByKind(source: string): (row: Row) => unknown {
    const kind = fields.find(({ name }) => name === source)?.kind
    const key = kind && kinds[kind].sortKey
    return key ? (row) => key(valueAt(row, source)) : (row) => valueAt(row, source)
  }
}

export const sameParts = (one: readonly unknown[], other: readonly unknown[]) =>
  one.length === other.length && one.every((part, index) => part === other[index])

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/**
 * Values that are missing stand at the end in both directions; equal ones stay in the order by hand, where there is one,
 * and then in that of their ids.
 */
function sorted(rows: readonly Row[], keyOf: (row: Row) => unknown, direction: 1 | -1, order?: string): Row[] {
  const keyed = rows.map((row) => ({
    row,
    key: comparable(keyOf(row)),
    place: order === undefined ? 0 : Number(valueAt(row, order) ?? 0),
  }))
  const byPlace = (a: (typeof keyed)[number], b: (typeof keyed)[number]) =>
    b.place - a.place || compare(a.row.id, b.row.id)
  keyed.sort((a, b) => {
    if (a.key === undefined || b.key === undefined) {
      return a.key === b.key ? byPlace(a, b) : a.key === undefined ? 1 : -1
    }
    return direction * compare(a.key, b.key) || byPlace(a, b)
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

/** The words of a search, in lower case. */
export const searchTerms = (search: unknown): string[] => String(search).toLowerCase().split(/\s+/).filter(Boolean)

function testOf(
  source: string,
  value: unknown,
  { fields, kinds, searchText, hasState, matches }: QueryPlan,
): (row: Row) => boolean {
  const own = matches?.[source]
  if (own) return (row) => own(row, String(value))
  if (source === 'q' && searchText) {
    const [first = '', ...others] = searchTerms(value)
    const finds = (row: Row, text: string, term: string) => text.includes(term) || hasState?.(row, term) === true
    return (row) => {
      const text = searchText(row)
      return finds(row, text, first) && others.every((term) => finds(row, text, term))
    }
  }
  // An id that is joined from several fields is no field of the schema.
  const kind = fields.find(({ name }) => name === source)?.kind ?? (source === 'id' ? 'number' : 'text')
  const test = kinds[kind].matches(String(value))
  return (row) => test(valueAt(row, source))
}

/** The pagination that asks for all rows of a whole list, which the data provider has in memory. */
export const everyRow = { page: 1, perPage: Number.MAX_SAFE_INTEGER }

/** The parameters of `useGetList` for a whole list by name: those who ask alike share one answer. */
export const everyRowByName = { pagination: everyRow, sort: { field: 'name', order: 'ASC' as const } }

type WithId = { id: number | string }

const indexes = new WeakMap<readonly WithId[], ReadonlyMap<string, WithId>>()

/** Records by id. Built once for each answer of the server: a group may have thousands of members. */
export function byId<Record extends WithId>(records: readonly Record[]): ReadonlyMap<string, Record> {
  let index = indexes.get(records)
  if (!index) {
    index = new Map(records.map((record) => [String(record.id), record]))
    indexes.set(records, index)
  }
  // The index of a list holds that list's own records.
  return index as ReadonlyMap<string, Record>
}
