import { chmodSync, existsSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { StoreError, sentenceFor } from '../storeError.ts'
import { type SeriesDefinition, type Tier, tableOf } from './definition.ts'
import { createSeries, type Series } from './series.ts'

/** A file of figures over time, beside the database: what it holds is worth less and comes in much greater numbers. */
export interface History {
  series(definition: SeriesDefinition): Series
  /** How many rows a series has, in all its tiers: what it takes on the disk follows from that. */
  rowCount(name: string): number
  close(): void
  /** Where the file from before is, when it was damaged and a new one was begun. */
  readonly putAside: string | undefined
}

/**
 * Opens the file, or begins one. A damaged one is put aside: figures are no reason not to start.
 * @param path a file, or ':memory:'
 * @throws StoreError with a sentence for the operator
 */
export function openHistory(path: string): History {
  try {
    return historyOn(openFile(path), undefined)
  } catch (error) {
    if (!isDamage(error) || path === ':memory:') throw new StoreError(sentenceFor(path, error), { cause: error })
  }
  const putAside = freeName(path)
  renameSync(path, putAside)
  for (const ending of ['-wal', '-shm']) rmSync(path + ending, { force: true })
  return historyOn(openFile(path), putAside)
}

function openFile(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 5000 })
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

function historyOn(database: DatabaseSync, putAside: string | undefined): History {
  const definitions = new Map<string, SeriesDefinition>()
  return {
    putAside,
    series(definition) {
      definitions.set(definition.name, definition)
      return createSeries(database, definition)
    },
    rowCount(name) {
      const definition = definitions.get(name)
      const count = (tier: Tier) =>
        definition ? Number(database.prepare(`SELECT count(*) AS n FROM ${tableOf(definition, tier)}`).get()?.n) : 0
      return definition?.tiers.reduce((sum, tier) => sum + count(tier), 0) ?? 0
    },
    close: () => database.close(),
  }
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const isDamage = (error: unknown) => [11, 26].includes((error as { errcode?: number }).errcode ?? 0)

function freeName(path: string): string {
  for (let number = 1; ; number++) if (!existsSync(`${path}.damaged-${number}`)) return `${path}.damaged-${number}`
}
