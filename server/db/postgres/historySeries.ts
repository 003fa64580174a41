import { setTimeout as delay } from 'node:timers/promises'
import { createSerialQueue } from '../../concurrency/serialQueue.ts'
import { leaveTurn } from '../../concurrency/takeTurns.ts'
import { type Bucket, bucketOf, type Key, type Range, type Tier } from '../history/definition.ts'
import { bucketsIn, partsOf, sumUp } from '../history/parts.ts'
import { addTo, createPendingSums } from '../history/pendingSums.ts'
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

/**
 * Rows of one statement that writes, and of one that reads: what is beyond is read by the next one or, in a chart, not.
 * A chart asks for 292,000 of them at most, a year of 200 services.
 */
const [rowsAtOnce, rowsOfRead, rowsOfReply] = [1000, 5000, 300_000]
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

  /** Rows of a part, as buckets. @param where of `part`, whose buckets are `$1` */
  async function bucketsOf(
    tier: Tier,
    buckets: readonly number[],
    where: string,
    values: readonly (string | number)[],
  ) {
    if (buckets.length === 0) return []
    const found = await reader.rows(
      `SELECT part.bucket, part.one, part.other, ${names} FROM unnest($1::bigint[]) AS asked(bucket)
       JOIN ${tableOf(tier)} AS part ON part.bucket = asked.bucket WHERE ${where}`,
      [`{${buckets.join()}}`, ...values],
    )
    return found.map(bucketFrom)
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
    async ofOne(tier, range, one, other) {
      await readable()
      const found: Bucket[] = []
      for (const part of parts(tier, range)) {
        const buckets = bucketsIn(part.tier, part)
        const limit = `ORDER BY part.bucket, part.other LIMIT ${rowsOfReply}`
        const [where, ids] =
          other === undefined ? ['part.one = $2', [one]] : ['part.one = $2 AND part.other = $3', [one, other]]
        // One by one: hundreds of thousands are more than a call takes arguments.
        for (const bucket of await bucketsOf(part.tier, buckets, `${where} ${limit}`, ids)) found.push(bucket)
      }
      return sumUp(found, tier)
    },
    async eachOfOne(tier, range, one, visit) {
      await readable()
      for (const part of parts(tier, range)) {
        const buckets = bucketsIn(part.tier, part)
        let after: [number, number] = [Number.MIN_SAFE_INTEGER, 0]
        for (;;) {
          const found = await bucketsOf(
            part.tier,
            buckets,
            `part.one = $2 AND (part.bucket, part.other) > ($3, $4) ORDER BY part.bucket, part.other LIMIT ${rowsOfRead}`,
            [one, ...after],
          )
          visit(found)
          const last = found.at(-1)
          if (!last || found.length < rowsOfRead) break
          after = [last.at / 1000, last.other]
        }
      }
    },
    async ofOther(tier, range, other) {
      await readable()
      const found: Bucket[] = []
      for (const part of parts(tier, range)) {
        const where = `part.other = $2 ORDER BY part.bucket, part.one LIMIT ${rowsOfReply}`
        for (const bucket of await bucketsOf(part.tier, bucketsIn(part.tier, part), where, [other])) found.push(bucket)
      }
      return sumUp(found, tier)
    },
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
    async thin(now) {
      // What has waited for PostgreSQL would be too late for the buckets that are summed up now.
      await flushAll()
      await rollup.run(now)
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
