import type { DatabaseSync } from 'node:sqlite'

/**
 * Milliseconds that a write waits for another program that holds the database, while everything waits with it: others
 * write for some milliseconds.
 */
export const lockWaitMs = 50
/** The same at the start and at the end of a process, when nobody else waits. */
export const lastWaitMs = 10_000

export const setWait = (database: DatabaseSync, ms: number) => database.exec(`PRAGMA busy_timeout = ${ms}`)
