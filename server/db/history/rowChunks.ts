import type { DatabaseSync } from 'node:sqlite'
import { leaveTurn } from '../../concurrency/takeTurns.ts'
import type { Key } from './definition.ts'

/** Keys above the first and up to the second one. */
export type KeyRange = readonly [afterOne: number, afterOther: number, upToOne: number, upToOther: number]

/** A condition on rows of a table whose parameters are a `KeyRange`. */
export const inKeyRange = (table: string) =>
  `(${table}.one, ${table}.other) > (?, ?) AND (${table}.one, ${table}.other) <= (?, ?)`

/**
 * Splits the rows of buckets into ranges of keys, so that no statement handles more than some of them: a bucket has a
 * row for each pair, such as 100,000 for 20 services on 5,000 servers.
 */
export function createRowChunks(database: DatabaseSync, table: string) {
  const nthKey = database.prepare(
    `SELECT one, other FROM ${table} WHERE bucket = ? AND (one, other) > (?, ?) ORDER BY one, other LIMIT 1 OFFSET ?`,
  )

  /** The key up to which each bucket has at most this many rows; `undefined` when that is all of them. */
  function endOfChunk(buckets: readonly number[], after: Key, rows: number): Key | undefined {
    let end: Key | undefined
    for (const bucket of buckets) {
      const key = nthKey.get(bucket, after.one, after.other, rows - 1) as Key | undefined
      if (key && (!end || key.one < end.one || (key.one === end.one && key.other < end.other))) end = key
    }
    return end
  }

  return {
    /**
     * Calls `work` for one range after the other, with a turn of the event loop after each.
     * @param rows rows of each bucket in a range, at most
     */
    async each(buckets: readonly number[], rows: number, work: (range: KeyRange) => void): Promise<void> {
      for (let after: Key | undefined = beforeAll; after; ) {
        const end = endOfChunk(buckets, after, rows)
        const upTo = end ?? afterAll
        work([after.one, after.other, upTo.one, upTo.other])
        await leaveTurn()
        after = end
      }
    },
  }
}

const beforeAll: Key = { one: -1, other: -1 }
const afterAll: Key = { one: Number.MAX_SAFE_INTEGER, other: Number.MAX_SAFE_INTEGER }
