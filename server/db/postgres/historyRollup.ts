import { leaveTurn } from '../../concurrency/takeTurns.ts'
import { bucketOf, type Key, keepOf, type SeriesDefinition, type Tier } from '../history/definition.ts'
import { isUnreadable } from '../storeError.ts'
import { literalOf, quoteName } from './columnTypes.ts'
import {
  historyPrefix,
  historyTable,
  type Partition,
  partitionName,
  partitionOf,
  partitionStatement,
  type StoredHistory,
  startsIn,
  tableStatements,
  tierName,
} from './historyTables.ts'
import type { HistoryWriter } from './historyWriter.ts'
import type { Reader } from './reader.ts'

/** What a series in PostgreSQL is made of. */
export interface PostgresSeriesOptions {
  /** Quoted. */
  schema: string
  definition: SeriesDefinition
  writer: HistoryWriter
  reader: Reader
  /** Days for which the longest buckets are kept, where that is longer than their tier says. */
  days: number
  /** Called for values for which there is no room in memory. */
  onFull(): void
  /** Milliseconds between two writes. */
  pauseMs: number
}

/** Sums a series up into its longer buckets, and makes and drops its partitions. */
export interface Rollup {
  /** Makes what is missing of the tables. */
  prepare(run: (statement: string) => Promise<unknown>, stored: StoredHistory): Promise<void>
  /** @param starts seconds: where the partitions begin */
  makePartitions(tier: Tier, starts: readonly number[]): Promise<void>
  /**
   * @param now milliseconds since 1970
   * @param retentionNow the time by which partitions are too old. Default: `now`
   */
  run(now: number, retentionNow?: number): Promise<void>
  /**
   * Sums up everything that is over, also where there is nothing, so that values of the past go where they stay: a
   * partition of the shortest buckets is an hour, and thousands of them are more than PostgreSQL can lock at once.
   * @param now milliseconds since 1970
   */
  readyForPast(now: number): Promise<void>
  /** The tiers that would have a time of the past by now. Milliseconds since 1970. */
  tiersOfPast(at: number, now: number): Tier[]
  /** Rows of these ids are removed with the next run. */
  forget(side: keyof Key, ids: readonly number[]): void
  /** The ids that have rows, as far as PostgreSQL finds them in time. */
  ids(side: keyof Key): Promise<Set<number>>
  /** The second up to which a tier is summed up; later data is in the finer tiers. The finest has everything. */
  summedUntil(tier: Tier): number
}

/** Seconds that a bucket stays open for late values. */
const lateSeconds = 60

export function createRollup({ schema, definition, writer, reader, days }: PostgresSeriesOptions): Rollup {
  const { columns, tiers } = definition
  /** The seconds at which the partitions of each tier begin that there are. */
  const starts = new Map<Tier, Set<number>>(tiers.map((tier) => [tier, new Set()]))
  const progress = new Map<Tier, number>()
  const deletedIds = { one: new Set<number>(), other: new Set<number>() }
  const tableOf = (tier: Tier) => historyTable(schema, tierName(definition, tier))
  const until = (tier: Tier) => progress.get(tier) ?? 0
  const partitionTable = (tier: Tier, partition: Partition) =>
    `${schema}.${quoteName(partitionName(tierName(definition, tier), partition))}`
  const sums = columns.map((column) => `sum(${quoteName(column)})`).join(', ')
  const names = columns.map(quoteName).join(', ')
  const replacing = columns.map(quoteName).map((name) => `${name} = excluded.${name}`)

  const proceedStatement = (tier: Tier, second: number) =>
    `INSERT INTO ${schema}.${historyPrefix}progress (name, until)
     VALUES (${literalOf(tierName(definition, tier), { name: 'name', type: 'text' })}, ${second})
     ON CONFLICT (name) DO UPDATE SET until = excluded.until`

  async function makePartitions(tier: Tier, wanted: readonly number[]): Promise<void> {
    const missing = wanted.filter((from) => !starts.get(tier)?.has(from))
    if (missing.length === 0) return
    const name = tierName(definition, tier)
    await writer.run(missing.map((from) => partitionStatement(schema, name, partitionOf(from, tier))))
    for (const from of missing) starts.get(tier)?.add(from)
  }

  /** Sums up the buckets of a finer tier that are over. Repeating it changes nothing. */
  async function roll(finer: Tier, tier: Tier, now: number): Promise<void> {
    // The clock was ahead: without this, nothing would be summed up until that time comes again.
    if (until(tier) > now / 1000) await proceed(tier, bucketOf(now, tier))
    for (;;) {
      const [row] = await writer.rows(`SELECT min(bucket) FROM ${tableOf(finer)} WHERE bucket >= ${until(tier)}`)
      if (row?.[0] == null) return
      const bucket = bucketOf(Number(row[0]) * 1000, tier)
      if (bucket + tier.step + lateSeconds > now / 1000) return
      await makePartitions(tier, [partitionOf(bucket, tier).from])
      await proceed(
        tier,
        bucket + tier.step,
        `INSERT INTO ${tableOf(tier)} (bucket, one, other, ${names}) SELECT ${bucket}, one, other, ${sums}
         FROM ${tableOf(finer)} WHERE bucket >= ${bucket} AND bucket < ${bucket + tier.step} GROUP BY one, other
         ON CONFLICT (bucket, one, other) DO UPDATE SET ${replacing.join(', ')}`,
      )
      await leaveTurn()
    }
  }

  async function proceed(tier: Tier, second: number, ...statements: string[]): Promise<void> {
    await writer.run([...statements, proceedStatement(tier, second)])
    progress.set(tier, second)
  }

  /** Sums up everything that is over. */
  async function rollAll(now: number): Promise<void> {
    for (const [index, tier] of tiers.entries()) {
      const finer = tiers[index - 1]
      if (finer) await roll(finer, tier, now)
    }
  }

  /** Old partitions go as a whole. */
  async function dropOld(tier: Tier, now: number): Promise<void> {
    const old = [...(starts.get(tier) ?? [])]
      .map((from) => partitionOf(from, tier))
      .filter((partition) => partition.until <= now / 1000 - keepOf(definition, tier, days))
    for (const partition of old) {
      await writer.run([`DROP TABLE IF EXISTS ${partitionTable(tier, partition)}`])
      starts.get(tier)?.delete(partition.from)
    }
  }

  async function eachPartition(work: (table: string) => Promise<void>): Promise<void> {
    for (const tier of tiers)
      for (const from of starts.get(tier) ?? []) await work(partitionTable(tier, partitionOf(from, tier)))
  }

  return {
    async prepare(run, stored) {
      for (const tier of tiers) {
        const name = tierName(definition, tier)
        const present = stored.columns.get(historyPrefix + name) ?? []
        for (const statement of tableStatements(schema, name, columns, present)) await run(statement)
        starts.set(tier, new Set(startsIn(stored.partitions, name)))
        progress.set(tier, stored.progress.get(name) ?? 0)
      }
    },
    makePartitions,
    async run(now, retentionNow = now) {
      await writer.ready()
      await rollAll(now)
      // Those of now and of the time to come are there before they are needed.
      for (const tier of tiers) {
        const { from, until } = partitionOf(bucketOf(now, tier), tier)
        await makePartitions(tier, [from, until])
      }
      for (const side of ['one', 'other'] as const) {
        const ids = [...deletedIds[side]]
        if (ids.length === 0) continue
        await eachPartition((table) => writer.run([`DELETE FROM ${table} WHERE ${side} IN (${ids.join()})`]))
        for (const id of ids) deletedIds[side].delete(id)
      }
      // The last, because it waits for everybody who reads the table.
      for (const tier of tiers) await dropOld(tier, retentionNow)
    },
    async readyForPast(now) {
      await writer.ready()
      await rollAll(now)
      for (const tier of tiers.slice(1)) {
        const over = bucketOf(now - lateSeconds * 1000, tier)
        if (until(tier) < over) await proceed(tier, over)
      }
    },
    tiersOfPast: (at, now) =>
      tiers.filter(
        (tier) =>
          at >= now - keepOf(definition, tier, days) * 1000 && (tier === tiers[0] || bucketOf(at, tier) < until(tier)),
      ),
    forget(side, ids) {
      for (const id of ids) deletedIds[side].add(id)
    },
    async ids(side) {
      await writer.ready()
      const found = new Set<number>()
      await eachPartition(async (table) => {
        try {
          for (const [id] of await reader.rows(`SELECT DISTINCT ${side} FROM ${table}`)) found.add(Number(id))
        } catch (error) {
          // What is not found in time goes with its partition.
          if (!isUnreadable(error)) throw error
        }
      })
      return found
    },
    summedUntil: (tier) => (tier === tiers[0] ? Number.POSITIVE_INFINITY : until(tier)),
  }
}
