import type { DatabaseSync } from 'node:sqlite'
import { breathe } from './breathe.ts'
import { bucketOf, type Key, type SeriesDefinition, type Tier, tableOf } from './definition.ts'

/** Thins a series: one short statement, a breath, the next. */
export interface Upkeep {
  /** @param now milliseconds since 1970 */
  run(now: number): Promise<void>
  /** What is left of these ids goes with the next run. */
  forget(side: keyof Key, ids: readonly number[]): void
  /** All ids that there is anything of. */
  ids(side: keyof Key): Promise<Set<number>>
  /** The second up to which a tier has its sums; what came later is in the finer ones. The finest has everything. */
  summedUntil(tier: Tier): number
}

/** Seconds that a bucket stays open for figures that come late. */
const grace = 60
/** Ids that one statement looks at: some five milliseconds. */
const idsAtOnce = 250

export function createUpkeep(database: DatabaseSync, definition: SeriesDefinition): Upkeep {
  const { tiers } = definition
  const gone = { one: new Set<number>(), other: new Set<number>() }
  const rollers = tiers.slice(1).map((tier, index) => createRoller(database, definition, tiers[index] as Tier, tier))
  const sweepers = tiers.map((tier) => createSweeper(database, tableOf(definition, tier)))

  return {
    async run(now) {
      for (const { roll } of rollers) await roll(now)
      for (const [index, tier] of tiers.entries()) await sweepers[index]?.dropBefore(bucketOf(now, tier) - tier.keep)
      for (const side of ['one', 'other'] as const) {
        const ids = [...gone[side]]
        if (ids.length === 0) continue
        for (const sweeper of sweepers) await sweeper.dropIds(side, ids)
        for (const id of ids) gone[side].delete(id)
      }
    },
    forget(side, ids) {
      for (const id of ids) gone[side].add(id)
    },
    async ids(side) {
      const found = new Set<number>()
      for (const sweeper of sweepers) await sweeper.collectIds(side, found)
      return found
    },
    summedUntil: (tier) => rollers[tiers.indexOf(tier) - 1]?.until() ?? Number.POSITIVE_INFINITY,
  }
}

/** Sums fine buckets up into those of the next tier as soon as these are over. Doing it twice changes nothing. */
function createRoller(database: DatabaseSync, definition: SeriesDefinition, finer: Tier, tier: Tier) {
  const [source, target] = [tableOf(definition, finer), tableOf(definition, tier)]
  const subject = target.slice(1, -1)
  const progress = database.prepare('SELECT until FROM progress WHERE name = ?')
  const proceed = database.prepare('INSERT OR REPLACE INTO progress (name, until) VALUES (?, ?)')
  const earliest = database.prepare(`SELECT min(bucket) AS bucket FROM ${source} WHERE bucket >= ?`)
  const buckets = 'json_each(?) AS wanted'
  const nextId = database.prepare(
    `SELECT min((SELECT min(tier.one) FROM ${source} AS tier WHERE tier.bucket = wanted.value AND tier.one >= ?)) AS one
     FROM ${buckets}`,
  )
  const sums = definition.columns.map((column) => `sum(tier."${column}")`).join(', ')
  const sumUp = database.prepare(
    `INSERT OR REPLACE INTO ${target} SELECT ?, tier.one, tier.other, ${sums}
     FROM ${buckets} CROSS JOIN ${source} AS tier
     WHERE tier.bucket = wanted.value AND tier.one >= ? AND tier.one < ? GROUP BY tier.one, tier.other`,
  )

  async function rollUp(bucket: number): Promise<void> {
    const fine = JSON.stringify(Array.from({ length: tier.step / finer.step }, (_, i) => bucket + i * finer.step))
    for (let id = 0; ; id += idsAtOnce) {
      const next = nextId.get(id, fine)?.one
      if (typeof next !== 'number') break
      id = next
      sumUp.run(bucket, fine, id, id + idsAtOnce)
      await breathe()
    }
    proceed.run(subject, bucket + tier.step)
  }

  const until = () => Number(progress.get(subject)?.until ?? 0)

  async function roll(now: number): Promise<void> {
    for (;;) {
      const first = earliest.get(until())?.bucket
      if (typeof first !== 'number') return
      const bucket = bucketOf(first * 1000, tier)
      if (bucket + tier.step + grace > now / 1000) return
      await rollUp(bucket)
    }
  }

  return { roll, until }
}

/** Takes rows away, one bucket with each statement. */
function createSweeper(database: DatabaseSync, table: string) {
  const following = database.prepare(`SELECT min(bucket) AS bucket FROM ${table} WHERE bucket > ?`)
  const drop = database.prepare(`DELETE FROM ${table} WHERE bucket = ?`)
  const listed = 'IN (SELECT value FROM json_each(?))'
  const dropFrom = {
    one: database.prepare(`DELETE FROM ${table} WHERE bucket = ? AND one ${listed}`),
    other: database.prepare(`DELETE FROM ${table} WHERE bucket = ? AND other ${listed}`),
  }

  const distinct = {
    one: database.prepare(`SELECT DISTINCT one AS id FROM ${table} WHERE bucket = ?`),
    other: database.prepare(`SELECT DISTINCT other AS id FROM ${table} WHERE bucket = ?`),
  }

  async function eachBucket(end: number, work: (bucket: number) => void): Promise<void> {
    for (let at = -1; ; ) {
      const next = following.get(at)?.bucket
      if (typeof next !== 'number' || next >= end) return
      at = next
      work(at)
      await breathe()
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
