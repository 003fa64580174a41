import type { Table } from './store.ts'

const kept = new WeakMap<object, { version: number; rows: readonly { id: number }[] }>()

/**
 * All rows of a table by id, from memory while nothing is written: reading ten thousand servers anew takes a tenth of
 * a second. The rows are shared; do not change them.
 */
export function cachedRows<Row extends { id: number }>(table: Table<Row>): readonly Row[] {
  const version = table.version()
  const known = kept.get(table)
  if (known?.version === version) return known.rows as readonly Row[]
  const rows = table.all()
  kept.set(table, { version, rows })
  return rows
}
