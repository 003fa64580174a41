import type { FieldDescription } from './schemas/describe.ts'

export type Row = Record<string, unknown> & { id: number | string }

/** The rows of other entities that a comparison may look into, by entity name. */
export type Related = (entity: string) => readonly Row[]

/** What a column sorts by when it is not the value of its source. */
export type SortValue = (row: Row, related: Related) => unknown

export interface CollectionQuery {
  filter?: Record<string, unknown>
  sort?: { field: string; order: 'ASC' | 'DESC' | string }
  pagination?: { page: number; perPage: number }
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
  fields: readonly FieldDescription[],
  sortValue: (row: Row) => unknown = (row) => valueAt(row, sort?.field ?? 'id'),
): { data: Row[]; total: number } {
  const tests = Object.entries(filter)
    .filter(([, wanted]) => wanted !== undefined && wanted !== '')
    .map(([source, wanted]) => matcher(source, wanted, fields))
  const found = tests.length ? rows.filter((row) => tests.every((test) => test(row))) : [...rows]
  const ordered = sort ? sorted(found, sortValue, sort.order === 'DESC' ? -1 : 1) : found
  const { page = 1, perPage = ordered.length } = pagination ?? {}
  return { data: ordered.slice((page - 1) * perPage, page * perPage), total: found.length }
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** Values that are missing stand at the end in both directions; equal ones stay in the order of their ids. */
function sorted(rows: readonly Row[], keyOf: (row: Row) => unknown, direction: 1 | -1): Row[] {
  const keyed = rows.map((row) => ({ row, key: sortKey(keyOf(row)) }))
  keyed.sort((a, b) => {
    if (a.key === undefined || b.key === undefined) {
      return a.key === b.key ? compare(a.row.id, b.row.id) : a.key === undefined ? 1 : -1
    }
    return direction * compare(a.key, b.key) || compare(a.row.id, b.row.id)
  })
  return keyed.map(({ row }) => row)
}

function sortKey(value: unknown): string | number | undefined {
  if (value === null || value === undefined || value === '') return undefined
  if (typeof value === 'number' || typeof value === 'string') return value
  if (typeof value === 'boolean') return Number(value)
  if (Array.isArray(value)) return value.length ? value.join(', ') : undefined
  return JSON.stringify(value)
}

function compare(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b))
}

function matcher(source: string, wanted: unknown, fields: readonly FieldDescription[]): (row: Row) => boolean {
  const kind = fields.find((field) => field.name === source)?.kind
  if (kind === 'refs') return (row) => asList(valueAt(row, source)).some((id) => String(id) === String(wanted))
  if (kind === 'flag') return (row) => Boolean(valueAt(row, source)) === (wanted === true || wanted === 'true')
  if (kind === 'number' || kind === 'choice' || kind === 'ref' || source === 'id') {
    return (row) => String(valueAt(row, source) ?? 0) === String(wanted)
  }
  const text = String(wanted).toLocaleLowerCase()
  return (row) => {
    const value = valueAt(row, source)
    return (Array.isArray(value) ? value.join(', ') : String(value ?? '')).toLocaleLowerCase().includes(text)
  }
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
