import { setTimeout as delay } from 'node:timers/promises'
import { createSerialQueue } from '../../concurrency/serialQueue.ts'
import { leaveTurn, takeTurns } from '../../concurrency/takeTurns.ts'
import { addTo, bucketsIn, createPendingSums, partsOf } from '../history/buckets.ts'
import { anyId, type Bucket, bucketOf, type Key, type Range, type Tier } from '../history/definition.ts'
import type { Series } from '../history/series.ts'
import { awayError, unreadableError } from '../storeError.ts'
import { quoteName } from './columnTypes.ts'
import { isRefused } from './connection.ts'
import { createRollup, type PostgresSeriesOptions, type Rollup } from './historyRollup.ts'
import {
  addingOnConflict,
  type HistoryRow,
  historyTable,
  partitionOf,
  rowsStatement,
  tierName,
} from './historyTables.ts'

/** A series in PostgreSQL, and what its owner calls when there is a connection. */
interface PostgresSeries extends Series {
  prepare: Rollup['prepare']
}

interface RowsAsked {
  tier: Tier
  range: Range
  /** Which rows of `part`; the first value is `$1`. */
  where: string
  values: readonly number[]
}

/**
 * Rows of one statement that writes, and of one that reads: what is beyond is not read. A chart asks for 292,000 buckets
 * at most, of which those that are not over come from up to four tiers.
 */
const [rowsAtOnce, rowsOfReply] = [1000, 400_000]
/** Buckets that are read at once where few ids are asked for, and what few are. */
const [bucketsAtOnce, fewIds] = [12, 1000]
/** Milliseconds that the end of a process waits for what is in memory. */
const lastWaitMs = 10_000

export function createPostgresSeries(options: PostgresSeriesOptions): PostgresSeries {
  const { schema, definition, writer, reader, onFull, pauseMs } = options
  const { columns, tiers } = definition
  const [finest] = tiers
  const pending = createPendingSums(columns.length)
  const rollup = createRollup(options)
  const names = columns.map(quoteName).join(', ')
  const adding = addingOnConflict(columns)
  const parts = (tier: Tier, range: Range) => partsOf(definition, rollup.summedUntil, tier, range)
  const tableOf = (tier: Tier) => historyTable(schema, tierName(definition, tier))
  let writtenAt = Number.NEGATIVE_INFINITY
  const inTurn = createSerialQueue()

  /**
   * Reads the rows of a range, of all its parts in one round trip.
   * @param select the statement for one of them, around where it reads from, which is `part`
   * @param around the whole statement, around those of the parts
   */
  async function rowsOf(
    { tier, range, where, values }: RowsAsked,
    select: (from: string, tier: Tier) => string,
    around: (rows: string) => string,
  ): Promise<(string | null)[][]> {
    await readable()
    const found = parts(tier, range)
    if (found.length === 0) return []
    const rows = found.map((part, at) => {
      const from = `FROM unnest($${values.length + at + 1}::bigint[]) AS asked(bucket)
        JOIN ${tableOf(part.tier)} AS part ON part.bucket = asked.bucket WHERE ${where}`
      return `(${select(from, part.tier)})`
    })
    const buckets = found.map((part) => `{${bucketsIn(part.tier, part).join()}}`)
    return reader.rows(around(rows.join(' UNION ALL ')), [...values, ...buckets])
  }

  /** The buckets of a range, those that are not over summed up by PostgreSQL. */
  async function bucketsOf(asked: RowsAsked, read = columns): Promise<Bucket[]> {
    const { tier } = asked
    const own = read.map(quoteName)
    const found = await rowsOf(
      asked,
      (from, { step }) =>
        step === tier.step
          ? `SELECT part.bucket, one, other, ${own.join(', ')} ${from}`
          : `SELECT part.bucket / ${tier.step} * ${tier.step}, one, other, ${own.map(sumOf).join(', ')} ${from} GROUP BY 1, 2, 3`,
      (rows) => `${rows} ORDER BY 1, 2, 3 LIMIT ${rowsOfReply}`,
    )
    const buckets: Bucket[] = []
    const turn = takeTurns()
    for (const [index, row] of found.entries()) {
      const next = bucketFrom(row)
      const last = buckets.at(-1)
      // Of a bucket that is not over, from several tiers.
      if (last?.at === next.at && last.one === next.one && last.other === next.other) addTo(last.sums, next.sums)
      else buckets.push(next)
      if (index % rowsAtOnce === 0) await turn()
    }
    return buckets
  }

  async function readable(): Promise<void> {
    await writer.ready().catch((error: unknown) => {
      throw isRefused(error) ? error : unreadableError(error)
    })
  }

  async function writeRows(tier: Tier, found: readonly HistoryRow[], onTaken = () => {}): Promise<void> {
    const needed = new Set(found.map(({ bucket }) => partitionOf(bucket, tier).from))
    await rollup.makePartitions(tier, [...needed])
    await writer.runOnce([rowsStatement(tableOf(tier), columns, found, adding)], onTaken)
  }

  async function writeBatch(): Promise<void> {
    const batch = pending.take(rowsAtOnce)
    let isTaken = batch.length === 0
    try {
      if (!isTaken)
        await writeRows(finest, batch, () => {
          isTaken = true
        })
    } catch (error) {
      // It waits where what waits is bounded.
      if (!isTaken) for (const { bucket, sums, ...key } of batch) pending.add(key, bucket, sums)
      throw error
    }
  }

  /** One after the other: what the one before has taken is written, or waits again. */
  const flushAll = () => inTurn(flushNext)

  async function flushNext(): Promise<void> {
    writtenAt = performance.now()
    await writer.settle()
    // Values that are added meanwhile are written the next time.
    for (let left = pending.size(); left > 0; left -= rowsAtOnce) {
      await writeBatch()
      await leaveTurn()
    }
  }

  return {
    prepare: rollup.prepare,
    add(key, at, values) {
      if (!pending.add(key, bucketOf(at, finest), values)) onFull()
    },
    async addPast(values, now) {
      if (values.length === 0) return
      await flushAll()
      await rollup.readyForPast(now)
      for (let first = 0; first < values.length; first += rowsAtOnce) {
        // All of them before the first is written: meanwhile more may be summed up.
        const some = values
          .slice(first, first + rowsAtOnce)
          .map((each) => ({ ...each, tiers: rollup.tiersOfPast(each.at, now) }))
        for (const tier of tiers) {
          const sums = new Map<string, HistoryRow & { sums: (number | null)[] }>()
          for (const { key, at, values: added, tiers: targets } of some) {
            if (!targets.includes(tier)) continue
            const bucket = bucketOf(at, tier)
            const name = `${bucket} ${key.one} ${key.other}`
            const row = sums.get(name) ?? { bucket, one: key.one, other: key.other, sums: columns.map(() => null) }
            addTo(row.sums, added)
            sums.set(name, row)
          }
          if (sums.size > 0) await writeRows(tier, [...sums.values()])
        }
        await leaveTurn()
      }
    },
    async flush() {
      if (performance.now() - writtenAt >= pauseMs) await flushAll()
    },
    async flushNow() {
      if (await Promise.race([flushAll().then(() => true), delay(lastWaitMs, false, { ref: false })])) return
      // What else is under way would take as long.
      writer.close()
      throw awayError()
    },
    ofOne: (tier, range, one, other, read) =>
      bucketsOf(
        other === undefined
          ? { tier, range, where: 'part.one = $1', values: [one] }
          : { tier, range, where: 'part.one = $1 AND part.other = $2', values: [one, other] },
        read,
      ),
    async totalsOfOne(tier, range, one, read) {
      const own = read.map(quoteName)
      const found = await rowsOf(
        { tier, range, where: 'part.one = $1', values: [one] },
        (from) => `SELECT other, ${own.join(', ')} ${from}`,
        (rows) => `SELECT other, ${own.map(sumOf).join(', ')} FROM (${rows}) AS rows GROUP BY other ORDER BY other`,
      )
      return new Map(found.map(([other, ...totals]) => [Number(other), totals.map(numberOf)]))
    },
    ofOther: (tier, range, other, read, ids = anyId) =>
      bucketsOf(
        { tier, range, where: 'part.one BETWEEN $1 AND $2 AND part.other = $3', values: [...ids, other] },
        read,
      ),
    async *steps(tier, range, ids, asked) {
      const read = asked.map(quoteName).join(', ')
      await readable()
      for (const part of parts(tier, range)) {
        const table = tableOf(part.tier)
        const buckets = bucketsIn(part.tier, part)
        const atOnce = ids[1] - ids[0] < fewIds ? bucketsAtOnce : 1
        for (let first = 0; first < buckets.length; first += atOnce) {
          const found = await reader.rows(
            `SELECT asked.bucket, part.one, ${read} FROM unnest($1::bigint[]) AS asked(bucket)
             LEFT JOIN ${table} AS part ON part.bucket = asked.bucket AND part.one BETWEEN $2 AND $3 AND part.other = 0
             WHERE part.one IS NOT NULL OR EXISTS (SELECT FROM ${table} AS any_of WHERE any_of.bucket = asked.bucket)
             ORDER BY asked.bucket, part.one`,
            [`{${buckets.slice(first, first + atOnce).join()}}`, ...ids],
          )
          yield* stepsOf(found, part.tier)
        }
      }
    },
    async all({ from, until }) {
      await readable()
      const found = await reader.rows(
        `SELECT bucket, one, other, ${names} FROM ${tableOf(finest)} WHERE bucket >= $1 AND bucket < $2
         ORDER BY bucket, one, other LIMIT ${rowsOfReply}`,
        [bucketOf(from, finest), Math.ceil(until / 1000)],
      )
      return found.map(bucketFrom)
    },
    async thin(now, retentionNow) {
      // What has waited for PostgreSQL would be too late for the buckets that are summed up now.
      await flushAll()
      await rollup.run(now, retentionNow)
    },
    ids: rollup.ids,
    forget(side: keyof Key, ids) {
      const deletedIds = new Set(ids)
      pending.drop((key) => deletedIds.has(key[side]))
      rollup.forget(side, ids)
    },
  }
}

function bucketFrom([bucket, one, other, ...sums]: readonly (string | null)[]): Bucket {
  return { at: Number(bucket) * 1000, one: Number(one), other: Number(other), sums: sums.map(numberOf) }
}

const sumOf = (name: string) => `sum(${name})`

const numberOf = (text: string | null) => (text === null ? null : Number(text))

/** @param found ordered by bucket: the second it begins at, the id or nothing, and sums */
function* stepsOf(found: readonly (readonly (string | null)[])[], { step }: Tier) {
  let rows: [number, ...(number | null)[]][] = []
  for (const [index, [bucket, one, ...sums]] of found.entries()) {
    if (one != null) rows.push([Number(one), ...sums.map(numberOf)])
    if (found[index + 1]?.[0] === bucket) continue
    yield { at: Number(bucket) * 1000, length: step * 1000, rows }
    rows = []
  }
}
