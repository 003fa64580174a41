import { chmodSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { refuseForeignFile } from './fileHeader.ts'
import { type Migration, migrate } from './migrate.ts'
import { migrations as allMigrations } from './migrations/index.ts'
import { type History, openTable } from './rows.ts'
import { StoreError, sentenceFor } from './storeError.ts'

/**
 * A column beside `id`. FLAG is kept as 0 or 1 and read as a boolean; JSON is kept as text and parsed on reading.
 * A value that was never given is `initial`, else null.
 */
export interface Column {
  name: string
  type: 'INTEGER' | 'REAL' | 'TEXT' | 'FLAG' | 'JSON'
  unique?: boolean
  /** What rows get that say nothing; also those that were there before the column was. */
  initial?: unknown
}

/** `id INTEGER PRIMARY KEY AUTOINCREMENT` comes by itself: an id is never given twice, deleted rows included. */
export interface TableDefinition {
  name: string
  columns: readonly Column[]
}

export interface Table<Row extends { id: number }> {
  /** All rows by id, ascending. */
  all(): Row[]
  get(id: number): Row | undefined
  /** Rows whose columns equal all of these values, by id. Keys with `undefined` do not count. */
  find(where: Partial<Row>): Row[]
  /** As `find`, the highest id first: `limit` of them after the first `offset`. For logs, of which nobody wants all. */
  latest(where: Partial<Row>, offset: number, limit: number): Row[]
  /** @returns the new id */
  insert(row: Partial<Omit<Row, 'id'>>): number
  /** Changes the named columns. @returns whether there is such a row */
  update(id: number, row: Partial<Omit<Row, 'id'>>): boolean
  /** Unknown ids are passed over. @returns how many rows went */
  remove(ids: readonly number[]): number
  /** Removes rows whose column is less than the value. @returns how many went */
  removeBelow(column: Extract<keyof Row, string>, value: number | string): number
  /** How many rows have these values; all of them by default. */
  count(where?: Partial<Row>): number
  /** A number that grows with every write through this store, taken back or not, for those who keep rows in memory. */
  version(): number
}

/** One database file. Every write is on the disk when the call returns. */
export interface Store {
  /** Makes the table, and the columns it does not have yet. Twice the same name is the same table. */
  table<Row extends { id: number }>(definition: TableDefinition): Table<Row>
  /** A value kept by name, as JSON. */
  value<T>(key: string): T | undefined
  /** `undefined` forgets the value. */
  setValue(key: string, value: unknown): void
  /** All of the writes of `work` or, when it throws, none. `work` must not wait for anything. */
  transaction<T>(work: () => T): T
  /** Writes a copy to a file that must not exist yet. */
  backup(path: string): void
  close(): void
  readonly path: string
}

/**
 * Opens the database and brings it to the present version.
 * @param path a file, made when there is none, or ':memory:'
 * @throws StoreError with one sentence for the operator: of a newer version, damaged, not writable
 */
export function openStore(path: string, { migrations = allMigrations as readonly Migration[] } = {}): Store {
  const inMemory = path === ':memory:'
  if (!inMemory) refuseForeignFile(path, migrations.length)
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { timeout: 5000, enableForeignKeyConstraints: true })
    if (!inMemory) chmodSync(path, 0o600)
    // FULL: in WAL mode the default would let the last answered writes go with the power.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;')
    migrate(database, path, migrations)
    return storeOn(database, path)
  } catch (error) {
    database?.close()
    if (error instanceof StoreError) throw error
    throw new StoreError(sentenceFor(path, error), { cause: error })
  }
}

function storeOn(database: DatabaseSync, path: string): Store {
  const tables = new Map<string, unknown>()
  const read = database.prepare('SELECT json FROM "value" WHERE name = ?')
  const write = database.prepare(
    'INSERT INTO "value" (name, json) VALUES (?, ?) ON CONFLICT DO UPDATE SET json = excluded.json',
  )
  const forget = database.prepare('DELETE FROM "value" WHERE name = ?')
  const history: History = { rollbacks: 0 }
  let depth = 0

  function transaction<T>(work: () => T): T {
    const level = `level${depth}`
    database.exec(depth === 0 ? 'BEGIN IMMEDIATE' : `SAVEPOINT ${level}`)
    depth++
    try {
      const result = work()
      if (result instanceof Promise) throw new TypeError('A transaction cannot wait: its work returned a promise.')
      database.exec(depth === 1 ? 'COMMIT' : `RELEASE ${level}`)
      return result
    } catch (error) {
      history.rollbacks++
      // A full disk may have ended the transaction already; the first error is the one to tell.
      if (database.isTransaction) database.exec(depth === 1 ? 'ROLLBACK' : `ROLLBACK TO ${level}; RELEASE ${level}`)
      throw error
    } finally {
      depth--
    }
  }

  return {
    path,
    transaction,
    table<Row extends { id: number }>(definition: TableDefinition) {
      // The name alone decides: one subject of the program owns a table and names its row's type.
      const table =
        (tables.get(definition.name) as Table<Row> | undefined) ?? openTable<Row>(database, definition, history)
      tables.set(definition.name, table)
      return table
    },
    value<T>(key: string) {
      const row = read.get(key)
      return row ? (JSON.parse(row.json as string) as T) : undefined
    },
    setValue(key, value) {
      if (value === undefined) forget.run(key)
      else write.run(key, JSON.stringify(value))
    },
    backup: (copy) => void database.prepare('VACUUM INTO ?').run(copy),
    close: () => database.close(),
  }
}
