import { chmodSync, existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { createDatabase } from './createDatabase.ts'
import { createDiskReserve, type DiskReserve } from './diskReserve.ts'
import { checkDatabaseFile } from './fileHeader.ts'
import { lastWaitMs, lockWaitMs, setWait } from './lockWait.ts'
import { migrate } from './migrate.ts'
import { migrations as allMigrations } from './migrations/index.ts'
import type { Migration } from './migrations/migration.ts'
import { openTable, readSchema, type Writer } from './openTable.ts'
import { createPostponedWrites } from './postponedWrites.ts'
import type { Replication } from './replication.ts'
import { type Resident, residentTable } from './residentTable.ts'
import { createSlices, takeBackUnfinished } from './slices.ts'
import { storedJson } from './storedJson.ts'
import { diskFullError, StoreError, storeErrorMessage, writeObstacle } from './storeError.ts'
import type { ResidentTable, Table, TableDefinition } from './table.ts'

/** One database file. Every write is on the disk when the call returns. */
export interface Store {
  /** Makes the table, and the columns it does not have yet. Twice the same name is the same table. */
  table<Row extends { id: number }>(definition: TableDefinition): Table<Row>
  /** The same, with its rows in memory. */
  resident<Row extends { id: number }>(definition: TableDefinition): ResidentTable<Row>
  /** What the tables are that were made so far, by their names. */
  definitions(): ReadonlyMap<string, TableDefinition>
  /** A value kept by name, in memory too. It is shared, and the same object until it is set: do not change it. */
  value<T>(key: string): Readonly<T> | undefined
  /** `undefined` forgets the value. */
  setValue(key: string, value: unknown): void
  /** All of the writes of `work` or, when it throws, none. `work` must not wait for anything. */
  transaction<T>(work: () => T): T
  /**
   * Takes steps that write, all of them or, when one throws, none, also when the process ends in between. What takes only
   * some milliseconds is one transaction. Longer work is several, between which others have their turn and see what was
   * written so far; when it fails, that is taken back.
   */
  inSlices(steps: Iterable<unknown>): Promise<void>
  /** Writes a copy to a file that must not exist yet. */
  backup(path: string): void
  /**
   * The same for what must not be undone by a restart, such as the end of a session, and for what makes room: on a full
   * disk it gets the room that is kept for it. `work` may be called several times, each time after nothing was written.
   */
  urgently<T>(work: () => T): T
  /**
   * Makes an urgent write now or, while the disk has no room at all or another program holds the database, as soon as
   * that is over, and at the latest when the store is closed. For what counts already, in the memory of its owner.
   * @param how `transaction` for a write that is not urgent: on a full disk it throws
   */
  eventually(write: () => void, how?: 'urgently' | 'transaction'): void
  /**
   * Does what others notice and cannot be taken back, such as a message or an order: at once where each write is on the disk
   * when its call returns. In a cluster when all writes so far are durable and this node leads, in the order of the calls.
   */
  whenDurable(act: () => void): void
  /** The same for what only shows what is stored: it is not held up while the database cannot be reached. */
  whenShown(show: () => void): void
  /** Whether all writes so far are durable. */
  isDurable(): boolean
  /** Waits until all writes so far are durable. @param ms the longest time @returns whether they are */
  durable(ms: number): Promise<boolean>
  /** Whether rows can be read now: one is. */
  isReadable(): boolean
  /** Whether the last write failed because the disk is full. While it did, this tries again whether there is space. */
  isDiskFull(): boolean
  /** Whether the last write failed because another program holds the database. While it did, this tries again. */
  isBusy(): boolean
  /** Whether the database is elsewhere and cannot be reached: nothing can be saved. */
  isAway(): boolean
  /**
   * Waits, while others are served, until no other program holds the database, and one elsewhere can be reached.
   * @param ms the longest time
   * @returns whether it can be written now
   */
  untilWritable(ms: number): Promise<boolean>
  /** From now on a write waits for other programs, and everything with it: for the last writes of a process. */
  waitForOthers(): void
  close(): void
  readonly path: string
}

interface StoreOptions {
  migrations?: readonly Migration[]
  /** What a database in memory begins with: the bytes of a file. Default: nothing. */
  image?: Uint8Array
  /** A database in memory that is a copy of one elsewhere, and what takes its transactions there. */
  replica?: { database: DatabaseSync; replication: Replication }
  /** Called with the error of a write that had to wait (`eventually`) and cannot be made at all: it is given up. */
  onLostWrite?(error: unknown): void
}

/**
 * Opens the database and brings it to the present version.
 * @param path a file, made when there is none, or ':memory:'
 * @throws StoreError with one sentence for the operator: of a newer version, damaged, not writable
 */
export function openStore(path: string, options: StoreOptions = {}): Store {
  const { migrations = allMigrations, image, replica, onLostWrite = () => {} } = options
  if (replica) {
    replica.database.exec('PRAGMA journal_mode = OFF')
    return storeOn(replica.database, path, { reserve: undefined, replication: replica.replication, onLostWrite })
  }
  const inMemory = path === ':memory:'
  if (!inMemory) {
    checkDatabaseFile(path, migrations.length)
    if (!existsSync(path)) createDatabase(path, migrations)
  }
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { timeout: lastWaitMs, enableForeignKeyConstraints: true })
    if (!inMemory) chmodSync(path, 0o600)
    else if (image) database.deserialize(image)
    // FULL: in WAL mode the default would let the last answered writes go with the power.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;')
    takeBackUnfinished(database)
    migrate(database, path, migrations)
    const reserve = inMemory ? undefined : createDiskReserve(path)
    return storeOn(database, path, { reserve, replication: undefined, onLostWrite })
  } catch (error) {
    database?.close()
    if (error instanceof StoreError) throw error
    // SQLite needs files beside the database, for which a full disk has no room.
    if (!inMemory && writeObstacle(error) === 'full' && createDiskReserve(path).release())
      return openStore(path, options)
    throw new StoreError(storeErrorMessage(path, error), { cause: error })
  }
}

/** Milliseconds between two looks whether another program is done. */
const lookMs = 50

/** Milliseconds that long work waits in its midst for a database elsewhere, before all of it is taken back. */
const roomWaitMs = 30_000

/** The name of a value that is written to see whether there is space again. */
const spaceTestKey = 'space test'
const spaceTestBytes = 64 * 1024

interface OpenStoreOptions extends Required<Pick<StoreOptions, 'onLostWrite'>> {
  reserve: DiskReserve | undefined
  replication: Replication | undefined
}

function storeOn(database: DatabaseSync, path: string, { reserve, replication, onLostWrite }: OpenStoreOptions): Store {
  const tables = new Map<string, unknown>()
  const definitions = new Map<string, TableDefinition>()
  const residents = new Map<string, Pick<Resident<never>, 'changed'>>()
  const values = new Map<string, unknown>()
  const present = readSchema(database)
  const read = database.prepare('SELECT json FROM "value" WHERE name = ?')
  const write = database.prepare(
    'INSERT INTO "value" (name, json) VALUES (?, ?) ON CONFLICT DO UPDATE SET json = excluded.json',
  )
  const forget = database.prepare('DELETE FROM "value" WHERE name = ?')
  /** What is to be done for each write of the transaction, should it be rolled back. */
  const takeBack: (() => void)[] = []
  let depth = 0
  let isFull = false
  let isBusy = false
  let isUrgent = false
  let isLast = false

  function watchWrite<T>(work: () => T): T {
    // What the reserve has given back is not for everybody.
    if (depth === 0 && isFull && !isUrgent && !findsSpace()) throw diskFullError()
    try {
      const result = work()
      // Within a transaction nothing is on the disk yet.
      if (depth === 0) setBusy(false)
      return result
    } catch (error) {
      const obstacle = writeObstacle(error)
      if (obstacle === 'full') isFull = true
      if (obstacle === 'busy') setBusy(true)
      throw error
    }
  }

  /** @param forget makes what is in memory be read again */
  function written(forget: () => void): void {
    forget()
    if (depth > 0) takeBack.push(forget)
  }

  const writer: Writer = {
    // A copy keeps transactions only.
    run: replication ? (work) => transaction(work) : watchWrite,
    changedSchema: (change) => replication?.changedSchema(change),
    wrote: (table, ids) => written(() => residents.get(table)?.changed(ids)),
  }

  function openNamed<Row extends { id: number }>(definition: TableDefinition): Table<Row> {
    // The name alone decides: one subject of the program owns a table and names its row's type.
    const table =
      (tables.get(definition.name) as Table<Row> | undefined) ??
      openTable<Row>(database, definition, { writer, present })
    tables.set(definition.name, table)
    definitions.set(definition.name, definition)
    return table
  }

  function setBusy(is: boolean): void {
    if (is === isBusy) return
    isBusy = is
    // Whoever comes next fails at once, until a write succeeds.
    if (!isLast) setWait(database, is ? 0 : lockWaitMs)
  }

  /** Asks for the lock of writers, and gives it back. */
  function isWritable(): boolean {
    if (database.isTransaction) return true
    try {
      database.exec('BEGIN IMMEDIATE; ROLLBACK')
      setBusy(false)
    } catch (error) {
      setBusy(writeObstacle(error) === 'busy')
    }
    return !isBusy
  }

  let nextLook: Promise<boolean> | undefined

  /** The next answer of `isWritable`: all who wait share it. */
  async function lookAgain(): Promise<boolean> {
    await delay(lookMs)
    nextLook = undefined
    return isWritable()
  }

  function setValue(key: string, value: unknown): void {
    writer.run(() => (value === undefined ? forget.run(key) : write.run(key, JSON.stringify(value))))
    written(() => values.delete(key))
  }

  /** Small writes may find space in the journal when others do not. */
  function findsSpace(): boolean {
    if (reserve?.restore() === false) return false
    try {
      write.run(spaceTestKey, JSON.stringify('x'.repeat(spaceTestBytes)))
      forget.run(spaceTestKey)
      isFull = false
    } catch {
      // Still full, or not to be written for another reason.
    }
    return !isFull
  }

  /**
   * Finds room for an urgent write: in the journal, whose content goes where it belongs so that it begins anew, and then
   * in the reserve. @returns whether it is worth to try again
   */
  function makesRoom(attempt: number): boolean {
    if (attempt > 0 && !reserve?.release()) return false
    try {
      database.exec('PRAGMA wal_checkpoint(RESTART)')
    } catch {
      // The database may need the room of the reserve for it.
    }
    return true
  }

  function urgently<T>(work: () => T): T {
    if (depth > 0) return runTransaction(work)
    isUrgent = true
    try {
      for (let attempt = 0; ; attempt++) {
        try {
          return transaction(work)
        } catch (error) {
          if (writeObstacle(error) !== 'full' || !makesRoom(attempt)) throw error
        }
      }
    } finally {
      isUrgent = false
    }
  }

  const transaction = <T>(work: () => T): T =>
    depth === 0 ? watchWrite(() => runTransaction(work)) : runTransaction(work)

  function runTransaction<T>(work: () => T): T {
    const level = `level${depth}`
    const mark = takeBack.length
    if (depth === 0) replication?.assertWritable()
    database.exec(depth === 0 ? 'BEGIN IMMEDIATE' : `SAVEPOINT ${level}`)
    const session = depth === 0 && replication ? database.createSession() : undefined
    depth++
    try {
      const result = work()
      if (result instanceof Promise) throw new TypeError('A transaction cannot wait: its work returned a promise.')
      const keep = session && replication?.prepare(session.changeset())
      database.exec(depth === 1 ? 'COMMIT' : `RELEASE ${level}`)
      if (depth === 1) takeBack.length = 0
      keep?.()
      return result
    } catch (error) {
      // A full disk may have ended the transaction already; the first error is the one to report.
      if (database.isTransaction) database.exec(depth === 1 ? 'ROLLBACK' : `ROLLBACK TO ${level}; RELEASE ${level}`)
      for (const forgetWrite of takeBack.splice(mark)) forgetWrite()
      throw error
    } finally {
      session?.close()
      depth--
    }
  }

  const postponed = createPostponedWrites({ urgently, transaction, onLostWrite })

  function forgetAll(): void {
    values.clear()
    for (const resident of residents.values()) resident.changed(undefined)
  }

  const slices = createSlices({
    database,
    transaction,
    urgently,
    eventually: postponed.eventually,
    forget: () => written(forgetAll),
    keepsJournal: replication !== undefined,
    mostChanges: replication?.mostChanges,
    pause: () => nextTurn().then(() => replication?.untilWritable(roomWaitMs)),
  })

  setWait(database, lockWaitMs)
  if (replication) slices.takeBack()
  return {
    path,
    transaction,
    definitions: () => definitions,
    inSlices: slices.run,
    table: openNamed,
    resident<Row extends { id: number }>(definition: TableDefinition) {
      const resident =
        (residents.get(definition.name) as Resident<Row> | undefined) ??
        residentTable<Row>(openNamed(definition), transaction)
      residents.set(definition.name, resident)
      return resident.table
    },
    value<T>(key: string) {
      if (!values.has(key)) {
        const row = read.get(key)
        values.set(key, row && storedJson(row.json, key))
      }
      return values.get(key) as T | undefined
    },
    setValue,
    urgently,
    eventually: postponed.eventually,
    whenDurable: replication?.whenDurable ?? ((act) => act()),
    whenShown: replication?.whenShown ?? ((show) => show()),
    isDurable: replication?.isDurable ?? (() => true),
    durable: replication?.durable ?? (async () => true),
    isReadable() {
      try {
        read.get('')
        return true
      } catch {
        return false
      }
    },
    isDiskFull: () => isFull && !findsSpace(),
    isBusy: () => isBusy && !isWritable(),
    isAway: () => replication?.isAway() ?? false,
    async untilWritable(ms) {
      if (replication) return replication.untilWritable(ms)
      const end = performance.now() + ms
      let is = isBusy ? false : isWritable()
      while (!is && performance.now() < end) {
        nextLook ??= lookAgain()
        is = await nextLook
      }
      return is
    },
    waitForOthers() {
      isLast = true
      setWait(database, lastWaitMs)
    },
    backup: (copy) => void database.prepare('VACUUM INTO ?').run(copy),
    close() {
      postponed.close()
      database.close()
    },
  }
}
