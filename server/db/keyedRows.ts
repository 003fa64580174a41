import type { Store } from './store.ts'
import type { TableDefinition } from './table.ts'

/** The rows of a table with one row per key, held in memory. Only its owner may write to the table. */
export interface KeyedRows<Key, Values> {
  /** The stored rows. */
  readonly saved: ReadonlyMap<Key, Values>
  /**
   * Writes the values of these keys, `undefined` to delete: all of them or, when it throws, none.
   */
  save(changes: readonly (readonly [key: Key, values: Values | undefined])[]): void
}

/** @param how the rows are written. Default: as everything else */
export function keyedRows<Row extends { id: number }, Key>(
  store: Store,
  definition: TableDefinition,
  keyOf: (values: Omit<Row, 'id'>) => Key,
  how: 'transaction' | 'urgently' = 'transaction',
): KeyedRows<Key, Omit<Row, 'id'>> {
  const table = store.table<Row>(definition)
  const saved = new Map<Key, Omit<Row, 'id'>>()
  const ids = new Map<Key, number>()
  for (const { id, ...values } of table.all()) setSaved(keyOf(values), values, id)

  function setSaved(key: Key, values: Omit<Row, 'id'>, id: number): void {
    saved.set(key, values)
    ids.set(key, id)
  }

  /** @returns the id of the row */
  function write(key: Key, values: Omit<Row, 'id'>): number {
    const id = ids.get(key)
    if (id === undefined) return table.insert(values)
    table.update(id, values)
    return id
  }

  return {
    saved,
    save(changes) {
      if (changes.length === 0) return
      const deletedIds = changes.flatMap(([key, values]) => (values ? [] : (ids.get(key) ?? [])))
      const written = store[how](() => {
        if (deletedIds.length > 0) table.remove(deletedIds)
        return changes.map(([key, values]) => [key, values && { values, id: write(key, values) }] as const)
      })
      // Only after the commit: on a full disk it is rolled back, and the next rows get the same ids.
      for (const [key, row] of written) {
        if (row) setSaved(key, row.values, row.id)
        else {
          saved.delete(key)
          ids.delete(key)
        }
      }
    },
  }
}
