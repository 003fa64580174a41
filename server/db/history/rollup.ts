import type { DatabaseSync } from 'node:sqlite'
import { bucketOf, type Key, type SeriesDefinition, type Tier, tableOf } from './definition.ts'
import { yieldToEventLoop } from './yieldToEventLoop.ts'

/** Rolls a series up into its coarser tiers, in short statements between which other work gets its turn. */
export interface Rollup {
  /** @param now milliseconds since 1970 */
  run(now: number): Promise<void>
  /** Rows of these ids are removed with the next run. */
  forget(side: keyof Key, ids: readonly number[]): void
  /** All ids that have rows. */
  ids(side: keyof Key): Promise<Set<number>>
  /** The second up to which a tier is rolled up; later data is in the finer tiers. The finest has everything. */
  summedUntil(tier: Tier): number
}

/** Seconds that a bucket stays open for late values. */
const lateSeconds = 60
/** Ids per statement: about five milliseconds. */
const idsAtOnce = 250

export function createRollup(database: DatabaseSync, definition: SeriesDefinition): Rollup {
  const { tiers } = definition
  const deletedIds = { one: new Set<number>(), other: new Set<number>() }
  const rollups = tiers
    .slice(1)
    .map((tier, index) => createTierRollup(database, definition, tiers[index] as Tier, tier))
  const sweepers = tiers.map((tier) => createSweeper(database, tableOf(definition, tier)))

  return {
    async run(now) {
      for (const { roll } of rollups) await roll(now)
      for (const [index, tier] of tiers.entries()) await sweepers[index]?.dropBefore(bucketOf(now, tier) - tier.keep)
      for (const side of ['one', 'other'] as const) {
        const ids = [...deletedIds[side]]
        if (ids.length === 0) continue
        for (const sweeper of sweepers) await sweeper.dropIds(side, ids)
        for (const id of ids) deletedIds[side].delete(id)
      }
    },
    forget(side, ids) {
      for (const id of ids) deletedIds[side].add(id)
    },
    async ids(side) {
      const found = new Set<number>()
      for (const sweeper of sweepers) await sweeper.collectIds(side, found)
      return found
    },
    summedUntil: (tier) => rollups[tiers.indexOf(tier) - 1]?.until() ?? Number.POSITIVE_INFINITY,
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
  const nextId = database.prepare(
    `SELECT min((SELECT min(tier.one) FROM ${source} AS tier WHERE tier.bucket = requested.value AND tier.one >= ?)) AS one
     FROM ${buckets}`,
  )
  const sums = definition.columns.map((column) => `sum(tier."${column}")`).join(', ')
  const sumUp = database.prepare(
    `INSERT OR REPLACE INTO ${target} SELECT ?, tier.one, tier.other, ${sums}
     FROM ${buckets} CROSS JOIN ${source} AS tier
     WHERE tier.bucket = requested.value AND tier.one >= ? AND tier.one < ? GROUP BY tier.one, tier.other`,
  )

  async function rollUp(bucket: number): Promise<void> {
    const fine = JSON.stringify(Array.from({ length: tier.step / finer.step }, (_, i) => bucket + i * finer.step))
    for (let id = 0; ; id += idsAtOnce) {
      const next = nextId.get(id, fine)?.one
      if (typeof next !== 'number') break
      id = next
      sumUp.run(bucket, fine, id, id + idsAtOnce)
      await yieldToEventLoop()
    }
    proceed.run(subject, bucket + tier.step)
  }

  const until = () => Number(progress.get(subject)?.until ?? 0)

  async function roll(now: number): Promise<void> {
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

/** Deletes rows, one bucket per statement. */
function createSweeper(database: DatabaseSync, table: string) {
  const nextBucket = database.prepare(`SELECT min(bucket) AS bucket FROM ${table} WHERE bucket > ?`)
  const drop = database.prepare(`DELETE FROM ${table} WHERE bucket = ?`)
  const inList = 'IN (SELECT value FROM json_each(?))'
  const dropFrom = {
    one: database.prepare(`DELETE FROM ${table} WHERE bucket = ? AND one ${inList}`),
    other: database.prepare(`DELETE FROM ${table} WHERE bucket = ? AND other ${inList}`),
  }

  const distinct = {
    one: database.prepare(`SELECT DISTINCT one AS id FROM ${table} WHERE bucket = ?`),
    other: database.prepare(`SELECT DISTINCT other AS id FROM ${table} WHERE bucket = ?`),
  }

  async function eachBucket(end: number, work: (bucket: number) => void): Promise<void> {
    for (let at = -1; ; ) {
      const next = nextBucket.get(at)?.bucket
      if (typeof next !== 'number' || next >= end) return
      at = next
      work(at)
      await yieldToEventLoop()
    }
  }

  return {
    dropBefore: (end: number) => eachBucket(end, (bucket) => drop.run(bucket)),
    dropIds: (side: keyof Key, ids: readonly number[]) =>
      eachBucket(Number.POSITIVE_INFINITY, (bucket) => dropFrom[side].run(bucket, JSON.stringify(ids))),
    collectIds: (side: keyof Key, found: Set<number>) =>
      eachBucket(Number.POSITIVE_INFINITY, (bucket) => {
        for (const { id } of distinct[side].all(bucket)) found.add(id as number)
      }),
  }
}
