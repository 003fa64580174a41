import { constants, type DatabaseSync } from 'node:sqlite'
import { inverse } from './changeset.ts'
import { tooLargeError } from './storeError.ts'

/** Writes that take too long for one transaction. */
export interface Slices {
  /** Takes back what a leader before this one has left that ended in between. */
  takeBack(): void
  /**
   * Takes steps that write, all of them or, when one throws, none: what fits into some milliseconds in one transaction,
   * and more in several, between which others have their turn and see what was written. When a step fails, or the process
   * ends before the last one, those before are taken back: by this call, as soon as the database can be written again, or
   * at the next start.
   * @throws what a step throws
   */
  run(steps: Iterable<unknown>): Promise<void>
}

interface SliceServices {
  database: DatabaseSync
  transaction(work: () => void): void
  urgently(work: () => void): void
  eventually(work: () => void): void
  /** Makes everything be read again that somebody holds in memory. */
  forget(): void
  /** Whether the table for what is not finished stays: in a copy, tables are not dropped. */
  keepsJournal: boolean
  /** Lets others have their turn, and waits for a moment until a database elsewhere takes more. */
  pause(): Promise<unknown>
  /** Bytes that one transaction may change, where that has a limit. */
  mostChanges?: number | undefined
}

/** Milliseconds of one transaction: a request of somebody takes some turns. The disk takes its time after each. */
const sliceMs = 20

/**
 * Part of the most that a transaction may change which slices may have changed before the last one: taking them back writes
 * as much again, and deletes what was kept of them.
 */
const partToTakeBack = 0.45

/** What was written so far, for as long as there is more to write: changesets of SQLite, in their order. */
const journal = '"unfinished"'

export function createSlices(services: SliceServices): Slices {
  const {
    database,
    transaction,
    urgently,
    eventually,
    forget,
    keepsJournal,
    pause,
    mostChanges = Number.POSITIVE_INFINITY,
  } = services
  const most = Math.floor(mostChanges * partToTakeBack)
  let last: Promise<unknown> = Promise.resolve()
  /** Bytes that the slices of the present work have changed. */
  let changed = 0

  /** @returns whether those were all */
  function slice(steps: Iterator<unknown>): boolean {
    let isDone = false
    transaction(() => {
      const session = database.createSession()
      try {
        const end = performance.now() + sliceMs
        do isDone = steps.next().done === true
        while (!isDone && performance.now() < end)
        const changes = session.changeset()
        if (isDone) forgetJournal(database, keepsJournal)
        else if (changes.length > 0) remember(changes)
      } finally {
        session.close()
      }
    })
    return isDone
  }

  function remember(changes: Uint8Array): void {
    changed += changes.length
    // What could not be taken back would be half there for ever, and the next start would fail at it.
    if (changed > most) throw tooLargeError('changes', changed, most)
    createJournal(database)
    database.prepare(`INSERT INTO ${journal} (changes) VALUES (?)`).run(changes)
  }

  /** When it comes to this, somebody may have done it already. */
  function takeBack(): void {
    if (!hasJournal(database)) return
    undo(database, keepsJournal)
    forget()
  }

  async function runAlone(steps: Iterable<unknown>): Promise<void> {
    // Of earlier work, while it still waits for a database that can be written.
    if (hasJournal(database)) urgently(takeBack)
    changed = 0
    const iterator = steps[Symbol.iterator]()
    try {
      while (!slice(iterator)) await pause()
    } catch (error) {
      if (hasJournal(database)) eventually(takeBack)
      throw error
    }
  }

  return {
    takeBack: () => transaction(takeBack),
    async run(steps) {
      const before = last
      const { promise, resolve } = Promise.withResolvers<void>()
      last = promise
      // One after the other: the journal is that of one.
      await before
      try {
        await runAlone(steps)
      } finally {
        resolve()
      }
    },
  }
}

/** Takes back what a process has left that ended in between. To be called before anything else is written. */
export function takeBackUnfinished(database: DatabaseSync): void {
  if (!hasJournal(database)) return
  database.exec('BEGIN IMMEDIATE')
  try {
    undo(database, false)
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

const hasJournal = (database: DatabaseSync) =>
  database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'unfinished'").get() !== undefined &&
  database.prepare(`SELECT 1 FROM ${journal} LIMIT 1`).get() !== undefined

const forgetJournal = (database: DatabaseSync, isKept: boolean) =>
  database.exec(isKept ? `DELETE FROM ${journal}` : `DROP TABLE IF EXISTS ${journal}`)

/** Makes the table that a copy keeps. */
export const createJournal = (database: DatabaseSync) =>
  database.exec(`CREATE TABLE IF NOT EXISTS ${journal} (id INTEGER PRIMARY KEY, changes BLOB)`)

/** The latest first. What others have deleted meanwhile stays deleted. */
function undo(database: DatabaseSync, isKept: boolean): void {
  const written = database.prepare(`SELECT changes FROM ${journal} ORDER BY id DESC`).all()
  for (const { changes } of written) database.applyChangeset(inverse(changes as Uint8Array), { onConflict })
  forgetJournal(database, isKept)
}

const onConflict = (kind: number) =>
  kind === constants.SQLITE_CHANGESET_DATA ? constants.SQLITE_CHANGESET_REPLACE : constants.SQLITE_CHANGESET_OMIT
