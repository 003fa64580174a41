import type { Table } from './table.ts'

const cache = new WeakMap<object, { version: number; rows: readonly { id: number }[] }>()

/** So many rows are read one by one; to read all takes less than to read more of them. */
const mostSingleRows = 200

/**
 * All rows of a table by id, from memory: of what was written, only the changed rows are read again, because reading ten
 * thousand servers takes a tenth of a second. The rows are shared: do not change them. One that has not been written is
 * the same object as before.
 */
export function cachedRows<Row extends { id: number }>(table: Table<Row>): readonly Row[] {
  const version = table.version()
  const cached = cache.get(table)
  if (cached?.version === version) return cached.rows as readonly Row[]
  const changed = cached && new Set(table.changedSince(cached.version))
  const isFew = changed && changed.size > 0 && changed.size <= mostSingleRows
  const rows = isFew ? withChanges(cached.rows as readonly Row[], changed, table) : table.all()
  cache.set(table, { version, rows })
  return rows
}

/** One row of `cachedRows`, by binary search. */
export function cachedRow<Row extends { id: number }>(table: Table<Row>, id: number): Row | undefined {
  const rows = cachedRows(table)
  const row = rows[placeOf(id, rows)]
  return row?.id === id ? row : undefined
}

/** The index of a row, or where it would be. */
function placeOf(id: number, rows: readonly { id: number }[]): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle] as { id: number }).id < id) low = middle + 1
    else high = middle
  }
  return low
}

/** Reads the changed rows alone. */
function withChanges<Row extends { id: number }>(
  before: readonly Row[],
  changed: ReadonlySet<number>,
  table: Table<Row>,
): readonly Row[] {
  const rows = [...before]
  for (const id of changed) {
    const row = table.get(id)
    const place = placeOf(id, rows)
    rows.splice(place, rows[place]?.id === id ? 1 : 0, ...(row ? [row] : []))
  }
  return rows
}
