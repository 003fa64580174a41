import type { Store } from './store.ts'
import { writeObstacle } from './storeError.ts'
import type { TableDefinition } from './table.ts'

/** Delays writes to the disk, so that a thousand changes at once cost one write. */
export interface WriteBehind {
  /** Schedules a write. */
  schedule(): void
  /** Writes now, all there is. */
  flush(): void
}

interface WriteBehindOptions {
  /**
   * Tries a failed write again until it succeeds, and reports only the first failure of a row. Default: only while
   * another program holds the database, or it cannot be reached.
   */
  retry?: boolean
  /**
   * Whether a write has left something, which is written a little later: so that thousands of rows are written in parts,
   * and others are served between them. Default: a write leaves nothing.
   */
  isLeft?: () => boolean
}

/** What a killed server may lose. */
const delayMs = 1000
/** Between the parts of what is written in several: others get most of the time. */
const partDelayMs = 20

/**
 * @param write writes all changes, if there are any
 * @param onFailure called for failed writes, as on a full disk
 */
export function writeBehind(
  write: () => void,
  onFailure: (error: unknown) => void,
  { retry = false, isLeft = () => false }: WriteBehindOptions = {},
): WriteBehind {
  let timer: NodeJS.Timeout | undefined
  let isFailing = false
  let isRetried = retry

  /** @returns whether the write succeeded */
  function tryWrite(): boolean {
    clearTimeout(timer)
    timer = undefined
    try {
      write()
      isFailing = false
    } catch (error) {
      isRetried = retry || ['busy', 'away'].includes(writeObstacle(error) ?? '')
      if (!(isRetried && isFailing)) onFailure(error)
      isFailing = true
    }
    return !isFailing
  }

  function schedule(ms = delayMs): void {
    timer ??= setTimeout(() => {
      const isWritten = tryWrite()
      if (isWritten && isLeft()) schedule(partDelayMs)
      else if (!isWritten && isRetried) schedule()
    }, ms).unref()
  }

  return {
    schedule: () => schedule(),
    flush() {
      let isWritten = tryWrite()
      while (isWritten && isLeft()) isWritten = tryWrite()
      if (!isWritten && isRetried) schedule()
    },
  }
}

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
