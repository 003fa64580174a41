import type { Store, TableDefinition } from './store.ts'

/** The rows of a table of which one belongs to each key, for the one who holds them in memory and alone writes them. */
export interface KeyedRows<Key, Values> {
  /** What is on the disk. */
  readonly saved: ReadonlyMap<Key, Values>
  /**
   * Writes what belongs to each of these keys, `undefined` for nothing any more: all of it or, when it throws, none.
   */
  save(changes: readonly (readonly [key: Key, values: Values | undefined])[]): void
}

export function keyedRows<Row extends { id: number }, Key>(
  store: Store,
  definition: TableDefinition,
  keyOf: (values: Omit<Row, 'id'>) => Key,
): KeyedRows<Key, Omit<Row, 'id'>> {
  const table = store.table<Row>(definition)
  const saved = new Map<Key, Omit<Row, 'id'>>()
  const ids = new Map<Key, number>()
  for (const { id, ...values } of table.all()) keep(keyOf(values), values, id)

  function keep(key: Key, values: Omit<Row, 'id'>, id: number): void {
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
      const gone = changes.flatMap(([key, values]) => (values ? [] : (ids.get(key) ?? [])))
      const written = store.transaction(() => {
        if (gone.length > 0) table.remove(gone)
        return changes.map(([key, values]) => [key, values && { values, id: write(key, values) }] as const)
      })
      // Not before: a full disk takes all of it back, and the next rows get the same ids.
      for (const [key, row] of written) {
        if (row) keep(key, row.values, row.id)
        else {
          saved.delete(key)
          ids.delete(key)
        }
      }
    },
  }
}
