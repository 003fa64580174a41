import type { DatabaseSync } from 'node:sqlite'
import { once } from '../../concurrency/once.ts'
import { leaveTurn } from '../../concurrency/takeTurns.ts'
import { bucketOf, type Key, keepOf, type SeriesDefinition, type Tier, tableOf } from './definition.ts'

/** Rolls a series up into its coarser tiers, in short statements between which other work gets its turn. */
export interface Rollup {
  /**
   * @param now milliseconds since 1970
   * @param retentionNow the time by which buckets are too old. Default: `now`
   */
  run(now: number, retentionNow?: number): Promise<void>
  /** Rows of these ids are removed with the next run. */
  forget(side: keyof Key, ids: readonly number[]): void
  /** All ids that have rows. */
  ids(side: keyof Key): Promise<Set<number>>
  /** The second up to which a tier is rolled up; later data is in the finer tiers. The finest has everything. */
  summedUntil(tier: Tier): number
}

/** Seconds that a bucket stays open for late values. */
const lateSeconds = 60
/** Rows per bucket in a statement that sums up, and in one that deletes: about five milliseconds. */
const rowsToSum = 250
const rowsToDelete = 2000

export function createRollup(database: DatabaseSync, definition: SeriesDefinition, days: number): Rollup {
  const { tiers } = definition
  const deletedIds = { one: new Set<number>(), other: new Set<number>() }
  // Fifty statements: prepared when the first of them is needed, not while the server starts.
  const sweepers = once(() => tiers.map((tier) => createSweeper(database, tableOf(definition, tier))))
  const rollups = once(() =>
    tiers.slice(1).map((tier, index) => createTierRollup(database, definition, tiers[index] as Tier, tier)),
  )

  return {
    async run(now, retentionNow = now) {
      for (const { roll } of rollups()) await roll(now)
      for (const [index, tier] of tiers.entries())
        await sweepers()[index]?.dropBefore(bucketOf(retentionNow, tier) - keepOf(definition, tier, days))
      for (const side of ['one', 'other'] as const) {
        const ids = [...deletedIds[side]]
        if (ids.length === 0) continue
        for (const sweeper of sweepers()) await sweeper.dropIds(side, ids)
        for (const id of ids) deletedIds[side].delete(id)
      }
    },
    forget(side, ids) {
      for (const id of ids) deletedIds[side].add(id)
    },
    async ids(side) {
      const found = new Set<number>()
      for (const sweeper of sweepers()) await sweeper.collectIds(side, found)
      return found
    },
    summedUntil: (tier) => rollups()[tiers.indexOf(tier) - 1]?.until() ?? Number.POSITIVE_INFINITY,
  }
}

/** Sums up fine buckets into the next tier when its bucket is over. Repeating it changes nothing. */
function createTierRollup(database: DatabaseSync, definition: SeriesDefinition, finer: Tier, tier: Tier) {
  const [source, target] = [tableOf(definition, finer), tableOf(definition, tier)]
  const subject = target.slice(1, -1)
  const progress = database.prepare('SELECT until FROM progress WHERE name = ?')
  const proceed = database.prepare('INSERT OR REPLACE INTO progress (name, until) VALUES (?, ?)')
  const earliest = database.prepare(`SELECT min(bucket) AS bucket FROM ${source} WHERE bucket >= ?`)
  const buckets = 'json_each(?) AS requested'
  const sums = definition.columns.map((column) => `sum(tier."${column}")`).join(', ')
  const sumUp = database.prepare(
    `INSERT OR REPLACE INTO ${target} SELECT ?, tier.one, tier.other, ${sums}
     FROM ${buckets} CROSS JOIN ${source} AS tier
     WHERE tier.bucket = requested.value AND ${inKeyRange('tier')} GROUP BY tier.one, tier.other`,
  )
  const chunks = createRowChunks(database, source)

  async function rollUp(bucket: number): Promise<void> {
    const fine = Array.from({ length: tier.step / finer.step }, (_, i) => bucket + i * finer.step)
    const fineText = JSON.stringify(fine)
    await chunks.each(fine, rowsToSum, (range) => void sumUp.run(bucket, fineText, ...range))
    proceed.run(subject, bucket + tier.step)
  }

  const until = () => Number(progress.get(subject)?.until ?? 0)

  async function roll(now: number): Promise<void> {
    // The clock was ahead: without this, nothing would be rolled up until that time comes again. Buckets of that time
    // stay, because a clock that is behind, as before it was set at a start, cannot be told from it.
    if (until() > now / 1000) proceed.run(subject, bucketOf(now, tier))
    for (;;) {
      const first = earliest.get(until())?.bucket
      if (typeof first !== 'number') return
      const bucket = bucketOf(first * 1000, tier)
      if (bucket + tier.step + lateSeconds > now / 1000) return
      await rollUp(bucket)
    }
  }

  return { roll, until }
}

/** Deletes rows, one bucket after the other. */
function createSweeper(database: DatabaseSync, table: string) {
  const nextBucket = database.prepare(`SELECT min(bucket) AS bucket FROM ${table} WHERE bucket > ?`)
  const chunks = createRowChunks(database, table)
  const rowsOfChunk = `FROM ${table} WHERE bucket = ? AND ${inKeyRange(table)}`
  const drop = database.prepare(`DELETE ${rowsOfChunk}`)
  const inList = 'IN (SELECT value FROM json_each(?))'
  const dropFrom = {
    one: database.prepare(`DELETE ${rowsOfChunk} AND one ${inList}`),
    other: database.prepare(`DELETE ${rowsOfChunk} AND other ${inList}`),
  }
  const distinct = {
    one: database.prepare(`SELECT DISTINCT one AS id ${rowsOfChunk}`),
    other: database.prepare(`SELECT DISTINCT other AS id ${rowsOfChunk}`),
  }

  async function eachChunk(end: number, work: (bucket: number, range: KeyRange) => void): Promise<void> {
    for (let at = -1; ; ) {
      const next = nextBucket.get(at)?.bucket
      if (typeof next !== 'number' || next >= end) return
      at = next
      await chunks.each([at], rowsToDelete, (range) => work(at, range))
    }
  }

  return {
    dropBefore: (end: number) => eachChunk(end, (bucket, range) => drop.run(bucket, ...range)),
    dropIds(side: keyof Key, ids: readonly number[]) {
      const list = JSON.stringify(ids)
      return eachChunk(Number.POSITIVE_INFINITY, (bucket, range) => dropFrom[side].run(bucket, ...range, list))
    },
    collectIds: (side: keyof Key, found: Set<number>) =>
      eachChunk(Number.POSITIVE_INFINITY, (bucket, range) => {
        for (const { id } of distinct[side].all(bucket, ...range)) found.add(Number(id))
      }),
  }
}

/** Keys above the first and up to the second one. */
type KeyRange = readonly [afterOne: number, afterOther: number, upToOne: number, upToOther: number]

/** A condition on rows of a table whose parameters are a `KeyRange`. */
const inKeyRange = (table: string) =>
  `(${table}.one, ${table}.other) > (?, ?) AND (${table}.one, ${table}.other) <= (?, ?)`

/**
 * Splits the rows of buckets into ranges of keys, so that no statement handles more than some of them: a bucket has a
 * row for each pair, such as 100,000 for 20 services on 5,000 servers.
 */
function createRowChunks(database: DatabaseSync, table: string) {
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
