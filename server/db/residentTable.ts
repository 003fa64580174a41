import { keysOf } from '../../src/schemas/define/values.ts'
import type { ResidentTable, RowChange, Table } from './table.ts'

/** A resident table, and what the store tells it. */
export interface Resident<Row extends { id: number }> {
  readonly table: ResidentTable<Row>
  /** These rows were written, or a write of them was taken back. @param ids `undefined` when that is not known */
  changed(ids: readonly number[] | undefined): void
}

/** So many rows are read one by one; of more than that, and more than half of all, all are read at once. */
const mostSingleRows = 200

/**
 * Holds the rows of a table in memory. Of what was written, only the changed rows are read again, and only when somebody
 * asks: reading ten thousand servers takes a tenth of a second.
 * @param transaction of the store of the table
 */
export function residentTable<Row extends { id: number }>(
  table: Table<Row>,
  transaction: <T>(work: () => T) => T,
): Resident<Row> {
  const byId = new Map<number, Row>()
  const indexes: Index<Row>[] = []
  const listeners: ChangeListener<Row>[] = []
  /** Rows that were written since they were read. */
  const stale = new Set<number>()
  /** Rows whose change is in `byId` and not in `listed`. */
  const unlisted = new Set<number>()
  let listed: readonly Row[] = []
  let isRead = false

  function put(id: number, row: Row | undefined): void {
    const before = byId.get(id)
    if (row) byId.set(id, row)
    else byId.delete(id)
    for (const index of indexes) index.replace(before, row)
    unlisted.add(id)
  }

  function readAll(): void {
    listed = table.all()
    byId.clear()
    for (const row of listed) byId.set(row.id, row)
    for (const index of indexes) index.fill(listed)
    stale.clear()
    unlisted.clear()
    isRead = true
  }

  function refresh(): void {
    if (!isRead) readAll()
    if (stale.size === 0) return
    const isMost = stale.size > Math.max(mostSingleRows, byId.size / 2)
    const fresh = isMost ? new Map(table.all().map((row) => [row.id, row])) : table
    for (const id of stale) put(id, fresh.get(id))
    stale.clear()
  }

  function all(): readonly Row[] {
    refresh()
    if (unlisted.size === 0) return listed
    listed = unlisted.size > mostSingleRows ? sorted(byId) : withChanges(listed, unlisted, byId)
    unlisted.clear()
    return listed
  }

  function get(id: number): Row | undefined {
    if (!isRead) readAll()
    if (stale.delete(id)) put(id, table.get(id))
    return byId.get(id)
  }

  function tell(all: readonly ChangeListener<Row>[], change: RowChange<Row>): void {
    for (const { listener } of all) listener(change)
  }

  function find(where: Partial<Row>): Row[] {
    const conditions = keysOf(where).filter((name) => where[name] !== undefined)
    return all().filter((row) => conditions.every((name) => isEqual(row[name], where[name])))
  }

  return {
    changed(ids) {
      if (!ids) isRead = false
      else if (isRead) for (const id of ids) stale.add(id)
    },
    table: {
      all,
      find,
      get,
      count: (where = {}) => find(where).length,
      index(keyOf) {
        const index = createIndex(keyOf)
        index.fill(byId.values())
        indexes.push(index)
        return () => {
          refresh()
          return index.rows
        }
      },
      onChange(columns, listener) {
        listeners.push({ columns: new Set(columns), listener })
      },
      insert(values) {
        if (listeners.length === 0) return table.insert(values)
        return transaction(() => {
          const id = table.insert(values)
          tell(listeners, { after: get(id) })
          return id
        })
      },
      update(id, values) {
        const names = Object.keys(values)
        const concerned = listeners.filter(({ columns }) => names.some((name) => columns.has(name)))
        if (concerned.length === 0) return table.update(id, values)
        return transaction(() => {
          const before = get(id)
          const isThere = table.update(id, values)
          if (before) tell(concerned, { before, after: get(id) })
          return isThere
        })
      },
      remove(ids) {
        if (listeners.length === 0) return table.remove(ids)
        return transaction(() => {
          for (const id of new Set(ids)) {
            const before = get(id)
            if (before) tell(listeners, { before })
          }
          return table.remove(ids)
        })
      },
      textLength: (where) => table.textLength(where),
    },
  }
}

interface ChangeListener<Row> {
  columns: ReadonlySet<string>
  listener: (change: RowChange<Row>) => void
}

interface Index<Row> {
  fill(rows: Iterable<Row>): void
  replace(before: Row | undefined, after: Row | undefined): void
}

function createIndex<Row, Key>(keyOf: (row: Row) => Key): Index<Row> & { rows: ReadonlyMap<Key, Row> } {
  const rows = new Map<Key, Row>()
  return {
    rows,
    fill(all) {
      rows.clear()
      for (const row of all) rows.set(keyOf(row), row)
    },
    replace(before, after) {
      // A row that keeps its key keeps its place.
      const isMoved = before && !(after && keyOf(after) === keyOf(before))
      if (isMoved && rows.get(keyOf(before)) === before) rows.delete(keyOf(before))
      if (after) rows.set(keyOf(after), after)
    },
  }
}

const isEqual = (one: unknown, other: unknown) =>
  one === other || (typeof one === 'object' && one !== null && JSON.stringify(one) === JSON.stringify(other))

const sorted = <Row extends { id: number }>(byId: ReadonlyMap<number, Row>) =>
  [...byId.values()].sort((one, other) => one.id - other.id)

function withChanges<Row extends { id: number }>(
  before: readonly Row[],
  changed: ReadonlySet<number>,
  byId: ReadonlyMap<number, Row>,
): readonly Row[] {
  const rows = [...before]
  for (const id of changed) {
    const row = byId.get(id)
    const place = placeOf(id, rows)
    rows.splice(place, rows[place]?.id === id ? 1 : 0, ...(row ? [row] : []))
  }
  return rows
}

/** The index of a row, or where it would be. */
function placeOf(id: number, rows: readonly { id: number }[]): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle]?.id ?? id) < id) low = middle + 1
    else high = middle
  }
  return low
}
