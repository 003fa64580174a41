import { chmodSync, existsSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { leastHistoryDays } from '../../../src/schemas/endpoints/serviceHistory.ts'
import { lastWaitMs, lockWaitMs, setWait } from '../lockWait.ts'
import { StoreError, sqliteCode, storeErrorMessage } from '../storeError.ts'
import { type SeriesDefinition, type Tier, tableOf } from './definition.ts'
import { createSeries, type Series } from './series.ts'

/** Values over time beside the database: their data is less valuable and much larger. */
export interface History {
  /** How many days the longest buckets of each series are kept, where that is longer than the series says. */
  readonly days: number
  series(definition: SeriesDefinition): Series
  /** From now on a write waits for other programs, and everything with it: for the last writes of a process. */
  waitForOthers(): void
  close(): void
  /** Of the file, where they are in one. */
  readonly path?: string
  /** Path of the previous file, when it was damaged and a new one was created. */
  readonly damagedFile?: string
}

export interface HistoryFile extends History {
  readonly path: string
  /** Number of rows of a series in all tiers, to estimate its size on disk. */
  rowCount(name: string): number
}

/**
 * Opens or creates the file. A damaged one is renamed and a new one created: history must not keep the server from starting.
 * @param path a file, or ':memory:'
 * @param days how far back it reaches
 * @throws StoreError with a sentence for the operator
 */
export function openHistory(path: string, days = leastHistoryDays): HistoryFile {
  try {
    return historyOn(openFile(path), { path, days })
  } catch (error) {
    if (!isDamage(error) || path === ':memory:') throw new StoreError(storeErrorMessage(path, error), { cause: error })
  }
  const damagedFile = freeName(path)
  renameSync(path, damagedFile)
  for (const ending of ['-wal', '-shm']) rmSync(path + ending, { force: true })
  return historyOn(openFile(path), { path, days, damagedFile })
}

function openFile(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: lastWaitMs })
  try {
    if (path !== ':memory:') chmodSync(path, 0o600)
    // NORMAL: no wait for the disk with each write. A power cut may take the last seconds, a killed process nothing.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;')
    database.exec('CREATE TABLE IF NOT EXISTS progress (name TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function historyOn(
  database: DatabaseSync,
  { path, days, damagedFile }: Pick<HistoryFile, 'path' | 'days' | 'damagedFile'>,
): HistoryFile {
  const definitions = new Map<string, SeriesDefinition>()
  setWait(database, lockWaitMs)
  return {
    path,
    days,
    ...(damagedFile !== undefined && { damagedFile }),
    series(definition) {
      definitions.set(definition.name, definition)
      return createSeries(database, definition, days)
    },
    rowCount(name) {
      const definition = definitions.get(name)
      const count = (tier: Tier) =>
        definition ? Number(database.prepare(`SELECT count(*) AS n FROM ${tableOf(definition, tier)}`).get()?.n) : 0
      return definition?.tiers.reduce((sum, tier) => sum + count(tier), 0) ?? 0
    },
    waitForOthers: () => setWait(database, lastWaitMs),
    close: () => database.close(),
  }
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const isDamage = (error: unknown) => [11, 26].includes(sqliteCode(error) ?? 0)

function freeName(path: string): string {
  for (let number = 1; ; number++) if (!existsSync(`${path}.damaged-${number}`)) return `${path}.damaged-${number}`
}
