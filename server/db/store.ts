import { chmodSync, existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { syncToDisk } from './createBackup.ts'
import { checkDatabaseFile } from './fileHeader.ts'
import { migrate } from './migrate.ts'
import { migrations as allMigrations } from './migrations/index.ts'
import type { Migration } from './migrations/migration.ts'
import { openTable, readSchema, type WriteLog } from './openTable.ts'
import { isDiskFullError, StoreError, storeErrorMessage } from './storeError.ts'
import type { Table, TableDefinition } from './table.ts'

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
  /** Whether the last write failed because the disk is full. While it did, this tries again whether there is space. */
  isDiskFull(): boolean
  close(): void
  readonly path: string
}

interface StoreOptions {
  migrations?: readonly Migration[]
  /** What a database in memory begins with: the bytes of a file. Default: nothing. */
  image?: Uint8Array
}

/**
 * Opens the database and brings it to the present version.
 * @param path a file, made when there is none, or ':memory:'
 * @throws StoreError with one sentence for the operator: of a newer version, damaged, not writable
 */
export function openStore(path: string, { migrations = allMigrations, image }: StoreOptions = {}): Store {
  const inMemory = path === ':memory:'
  if (!inMemory) {
    checkDatabaseFile(path, migrations.length)
    if (!existsSync(path)) createDatabase(path, migrations)
  }
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { timeout: 5000, enableForeignKeyConstraints: true })
    if (!inMemory) chmodSync(path, 0o600)
    else if (image) database.deserialize(image)
    // FULL: in WAL mode the default would let the last answered writes go with the power.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;')
    migrate(database, path, migrations)
    return storeOn(database, path)
  } catch (error) {
    database?.close()
    if (error instanceof StoreError) throw error
    throw new StoreError(storeErrorMessage(path, error), { cause: error })
  }
}

/** The name of a value that is written to see whether there is space again. */
const spaceTestKey = 'space test'
const spaceTestBytes = 64 * 1024

/**
 * Makes a new database under another name, and gives it its own when it is whole: a process that is killed meanwhile
 * leaves no empty file that looks like a lost database.
 */
function createDatabase(path: string, migrations: readonly Migration[]): void {
  const part = `${path}.new`
  const removePart = () => {
    for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(part + ending, { force: true })
  }
  let database: DatabaseSync | undefined
  try {
    removePart()
    database = new DatabaseSync(part)
    chmodSync(part, 0o600)
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;')
    migrate(database, part, migrations)
    database.close()
    renameSync(part, path)
    if (process.platform !== 'win32') syncToDisk(dirname(path))
  } catch (error) {
    if (database?.isOpen) database.close()
    removePart()
    throw new StoreError(storeErrorMessage(path, error), { cause: error })
  }
}

function storeOn(database: DatabaseSync, path: string): Store {
  const tables = new Map<string, unknown>()
  const present = readSchema(database)
  const read = database.prepare('SELECT json FROM "value" WHERE name = ?')
  const write = database.prepare(
    'INSERT INTO "value" (name, json) VALUES (?, ?) ON CONFLICT DO UPDATE SET json = excluded.json',
  )
  const forget = database.prepare('DELETE FROM "value" WHERE name = ?')
  const writes: WriteLog = { rollbacks: 0, watch: watchWrite }
  let depth = 0
  let isFull = false

  function watchWrite<T>(work: () => T): T {
    try {
      const result = work()
      // Within a transaction nothing is on the disk yet.
      if (depth === 0) isFull = false
      return result
    } catch (error) {
      if (isDiskFullError(error)) isFull = true
      throw error
    }
  }

  function setValue(key: string, value: unknown): void {
    watchWrite(() => (value === undefined ? forget.run(key) : write.run(key, JSON.stringify(value))))
  }

  /** Small writes may find space in the journal when others do not. */
  function findsSpace(): boolean {
    try {
      setValue(spaceTestKey, 'x'.repeat(spaceTestBytes))
      setValue(spaceTestKey, undefined)
      return true
    } catch {
      return false
    }
  }

  const transaction = <T>(work: () => T): T =>
    depth === 0 ? watchWrite(() => runTransaction(work)) : runTransaction(work)

  function runTransaction<T>(work: () => T): T {
    const level = `level${depth}`
    database.exec(depth === 0 ? 'BEGIN IMMEDIATE' : `SAVEPOINT ${level}`)
    depth++
    try {
      const result = work()
      if (result instanceof Promise) throw new TypeError('A transaction cannot wait: its work returned a promise.')
      database.exec(depth === 1 ? 'COMMIT' : `RELEASE ${level}`)
      return result
    } catch (error) {
      writes.rollbacks++
      // A full disk may have ended the transaction already; the first error is the one to report.
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
        (tables.get(definition.name) as Table<Row> | undefined) ??
        openTable<Row>(database, definition, { log: writes, present })
      tables.set(definition.name, table)
      return table
    },
    value<T>(key: string) {
      const row = read.get(key)
      return row ? (JSON.parse(row.json as string) as T) : undefined
    },
    setValue,
    isDiskFull: () => isFull && !findsSpace(),
    backup: (copy) => void database.prepare('VACUUM INTO ?').run(copy),
    close: () => database.close(),
  }
}
