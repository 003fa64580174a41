import type { Store } from './store.ts'
import type { TableDefinition } from './table.ts'

/** A resident table with one row per key. Only its owner may write to it. */
export interface KeyedTable<Key, Row extends { id: number }> {
  /** The stored rows. */
  saved(): ReadonlyMap<Key, Row>
  /**
   * Writes the values of these keys, `undefined` to delete: all of them or, when it throws, none.
   */
  save(changes: readonly (readonly [key: Key, values: Omit<Row, 'id'> | undefined])[]): void
}

/** @param how the rows are written. Default: as everything else */
export function keyedTable<Row extends { id: number }, Key>(
  store: Store,
  definition: TableDefinition,
  keyOf: (values: Omit<Row, 'id'>) => Key,
  how: 'transaction' | 'urgently' = 'transaction',
): KeyedTable<Key, Row> {
  const table = store.resident<Row>(definition)
  const saved = table.index(keyOf)
  const names = definition.columns.map(({ name }) => name as keyof Omit<Row, 'id'>)

  function write(key: Key, values: Omit<Row, 'id'>): void {
    const id = saved().get(key)?.id
    // Values may come from another row, with its id.
    const columns = Object.fromEntries(names.map((name) => [name, values[name]])) as Omit<Row, 'id'>
    if (id === undefined) table.insert(columns)
    else table.update(id, columns)
  }

  return {
    saved,
    save(changes) {
      if (changes.length === 0) return
      const deletedIds = changes.flatMap(([key, values]) => (values ? [] : (saved().get(key)?.id ?? [])))
      store[how](() => {
        if (deletedIds.length > 0) table.remove(deletedIds)
        for (const [key, values] of changes) if (values) write(key, values)
      })
    },
  }
}
