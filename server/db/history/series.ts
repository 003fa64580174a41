import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { leaveTurn, takeTurns } from '../../concurrency/takeTurns.ts'
import { addTo, bucketsIn, createPendingSums, partsOf, type Sum, sumUp, tiersOfPast } from './buckets.ts'
import {
  anyId,
  type Bucket,
  bucketOf,
  type IdRange,
  type Key,
  type Range,
  type SeriesDefinition,
  type Tier,
  tableOf,
} from './definition.ts'
import { createRollup } from './rollup.ts'

/** Values over time, in coarser buckets with age. No call blocks the process for more than a few milliseconds. */
export interface Series {
  /**
   * Adds values to the bucket of a time; those at the end may be left out. They stay in memory until the next `flush`.
   * @param at ms since 1970
   */
  add(key: Key, at: number, values: readonly (number | null)[]): void
  /**
   * Writes values that were measured earlier, by other programs, to all buckets that would have them by now, in short
   * transactions between which other work gets its turn. @param now ms since 1970
   */
  addPast(values: readonly PastValues[], now: number): Promise<void>
  /** Writes what is in memory, in short transactions between which other work gets its turn. */
  flush(): Promise<void>
  /** Writes what is in memory, all of it, before the process ends: to a file at once. */
  flushNow(): Promise<void>
  /**
   * The buckets of `one`, with every `other`, or with that one; oldest first. The newest ones contain what was flushed.
   * @param read columns, in the order of the sums. Default: all
   */
  ofOne(tier: Tier, range: Range, one: number, other?: number, read?: readonly string[]): Promise<Bucket[]>
  /**
   * The sums of a whole range of `one` by `other`, of which there may be thousands, in the order of these columns.
   */
  totalsOfOne(tier: Tier, range: Range, one: number, read: readonly string[]): Promise<Map<number, (number | null)[]>>
  /**
   * The buckets of `other`, with each `one` that is in `ids`; oldest first. Reads more rows, so it yields in between.
   * @param read columns, in the order of the sums. Default: all
   * @param ids Default: all
   */
  ofOther(tier: Tier, range: Range, other: number, read?: readonly string[], ids?: IdRange): Promise<Bucket[]>
  /**
   * Step by step through a range, oldest first: the sums of the keys whose `one` is in `ids` and whose `other` is 0, as
   * `[one, ...columns]`. Buckets that hold nothing about any id at all are left out. Each step is one short statement,
   * so that the caller can let others work in between.
   */
  steps(tier: Tier, range: Range, ids: IdRange, columns: readonly string[]): AsyncIterable<Step>
  /** All buckets of the finest tier that begin in a range. */
  all(range: Range): Promise<Bucket[]>
  /**
   * Rolls fine buckets up into coarse ones and deletes old ones.
   * @param now ms since 1970
   * @param retentionNow the time by which buckets are too old. Default: `now`
   */
  thin(now: number, retentionNow?: number): Promise<void>
  /** All ids that have rows; values in memory do not count. */
  ids(side: keyof Key): Promise<Set<number>>
  /** Deletes everything of these ids: values in memory at once, rows with the next `thin`. */
  forget(side: keyof Key, ids: readonly number[]): void
}

/** Values of the past. */
export interface PastValues {
  key: Key
  /** Milliseconds since 1970. */
  at: number
  values: readonly (number | null)[]
}

/** One bucket of several ids. */
export interface Step {
  /** When it begins and how long it is, in milliseconds. */
  at: number
  length: number
  rows: readonly (readonly [one: number, ...sums: (number | null)[]])[]
}

/** Rows of one transaction: some five milliseconds. */
const rowsPerTransaction = 500

export function createSeries(database: DatabaseSync, definition: SeriesDefinition, days: number): Series {
  const { columns, tiers } = definition
  const names = columns.map((name) => `"${name}"`)
  for (const tier of tiers) {
    database.exec(tableStatement(tableOf(definition, tier), names))
    addMissingColumns(database, tableOf(definition, tier), columns)
  }
  const pending = createPendingSums(columns.length)
  const rollup = createRollup(database, definition, days)
  const [finest] = tiers
  // A null leaves the sum as it is.
  const sums = names.map((name) => `${name} = coalesce(${name} + excluded.${name}, ${name}, excluded.${name})`)
  const writerOf = (tier: Tier) =>
    database.prepare(
      `INSERT INTO ${tableOf(definition, tier)} VALUES (${['?', '?', '?', ...names.map(() => '?')].join(', ')})
       ON CONFLICT DO UPDATE SET ${sums.join(', ')}`,
    )
  const write = writerOf(finest)
  const readers = new Map<string, (...values: SQLInputValue[]) => Bucket[]>()

  function reader(tier: Tier, from: string, where: string, asked = columns) {
    const sums = asked.map((name) => `"${name}"`).join(', ')
    const sql = `SELECT bucket, one, other, ${sums} ${from.replace('TIER', tableOf(definition, tier))} ${where}`
    const cached = readers.get(sql)
    if (cached) return cached
    const statement = database.prepare(sql)
    statement.setReturnArrays(true)
    const read = (...values: SQLInputValue[]) => (statement.all(...values) as unknown as RawBucket[]).map(bucket)
    readers.set(sql, read)
    return read
  }

  const parts = (tier: Tier, range: Range) => partsOf(definition, rollup.summedUntil, tier, range)

  function writeBatch(): void {
    const batch = pending.take(rowsPerTransaction)
    if (batch.length === 0) return
    try {
      database.exec('BEGIN IMMEDIATE')
      for (const { bucket, one, other, sums } of batch) write.run(bucket, one, other, ...sums)
      database.exec('COMMIT')
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      requeue(batch)
      throw error
    }
  }

  function requeue(batch: readonly Sum[]): void {
    for (const { bucket, sums, ...key } of batch) pending.add(key, bucket, sums)
  }

  return {
    add: (key, at, values) => void pending.add(key, bucketOf(at, finest), values),
    async addPast(values, now) {
      const writers = new Map(tiers.map((tier) => [tier, writerOf(tier)]))
      for (let first = 0; first < values.length; first += rowsPerTransaction) {
        database.exec('BEGIN IMMEDIATE')
        try {
          for (const { key, at, values: sums } of values.slice(first, first + rowsPerTransaction)) {
            for (const tier of tiersOfPast(definition, rollup.summedUntil, { at, now, days }))
              writers.get(tier)?.run(bucketOf(at, tier), key.one, key.other, ...columns.map((_, n) => sums[n] ?? null))
          }
          database.exec('COMMIT')
        } catch (error) {
          if (database.isTransaction) database.exec('ROLLBACK')
          throw error
        }
        await leaveTurn()
      }
    },
    async flush() {
      // Values that are added meanwhile are written the next time.
      for (let left = pending.size(); left > 0; left -= rowsPerTransaction) {
        writeBatch()
        await leaveTurn()
      }
    },
    async flushNow() {
      while (pending.size() > 0) writeBatch()
    },
    async ofOne(tier, range, one, other, read) {
      const found = parts(tier, range).flatMap((part) => {
        const requested = JSON.stringify(bucketsIn(part.tier, part))
        const from = 'FROM json_each(?) AS requested CROSS JOIN TIER AS tier'
        const where = 'WHERE tier.bucket = requested.value AND tier.one = ?'
        if (other === undefined) return reader(part.tier, from, `${where} ORDER BY bucket, other`, read)(requested, one)
        return reader(part.tier, from, `${where} AND tier.other = ? ORDER BY bucket`, read)(requested, one, other)
      })
      return sumUp(found, tier)
    },
    async totalsOfOne(tier, range, one, read) {
      const totals = new Map<number, (number | null)[]>()
      const turn = takeTurns()
      for (const part of parts(tier, range)) {
        const found = reader(part.tier, 'FROM TIER', 'WHERE bucket = ? AND one = ?', read)
        for (const bucket of bucketsIn(part.tier, part)) {
          for (const { other, sums } of found(bucket, one)) {
            const existing = totals.get(other)
            if (existing) addTo(existing, sums)
            else totals.set(other, sums)
          }
          await turn()
        }
      }
      return totals
    },
    async ofOther(tier, range, other, read, ids = anyId) {
      const found: Bucket[] = []
      /** Those that are not over: by when they begin, and by `one`. */
      const open = new Map<number, Map<number, Bucket>>()
      const turn = takeTurns()
      for (const part of parts(tier, range)) {
        const rows = reader(part.tier, 'FROM TIER', 'WHERE bucket = ? AND one BETWEEN ? AND ? AND other = ?', read)
        for (const bucket of bucketsIn(part.tier, part)) {
          const at = bucketOf(bucket * 1000, tier) * 1000
          const sums = part.tier === tier ? undefined : (open.get(at) ?? new Map<number, Bucket>())
          if (sums) open.set(at, sums)
          for (const each of rows(bucket, ...ids, other)) {
            const existing = sums?.get(each.one)
            if (existing) addTo(existing.sums, each.sums)
            else if (sums) sums.set(each.one, { ...each, at })
            else found.push(each)
          }
          await turn()
        }
      }
      for (const sums of open.values()) for (const each of sums.values()) found.push(each)
      return found
    },
    async *steps(tier, range, ids, asked) {
      const read = asked.map((name) => `"${name}"`).join(', ')
      for (const part of parts(tier, range)) {
        const table = tableOf(definition, part.tier)
        const rowsOf = database.prepare(
          `SELECT one, ${read} FROM ${table} WHERE bucket = ? AND one BETWEEN ? AND ? AND other = 0 ORDER BY one`,
        )
        rowsOf.setReturnArrays(true)
        const anyOf = database.prepare(`SELECT 1 FROM ${table} WHERE bucket = ? LIMIT 1`)
        for (const bucket of bucketsIn(part.tier, part)) {
          const rows = rowsOf.all(bucket, ...ids) as unknown as Step['rows']
          if (rows.length === 0 && !anyOf.get(bucket)) continue
          yield { at: bucket * 1000, length: part.tier.step * 1000, rows }
        }
      }
    },
    all: async ({ from, until }) =>
      reader(
        finest,
        'FROM TIER',
        'WHERE bucket >= ? AND bucket < ? ORDER BY bucket',
      )(bucketOf(from, finest), Math.ceil(until / 1000)),
    thin: rollup.run,
    ids: rollup.ids,
    forget(side, ids) {
      const deletedIds = new Set(ids)
      pending.drop((key) => deletedIds.has(key[side]))
      rollup.forget(side, ids)
    },
  }
}

/** Makes the table of a tier. @param names of it and its columns, quoted */
export const tableStatement = (table: string, names: readonly string[]): string =>
  `CREATE TABLE IF NOT EXISTS ${table} (bucket INTEGER NOT NULL, one INTEGER NOT NULL, other INTEGER NOT NULL,
    ${names.join(', ')}, PRIMARY KEY (bucket, one, other)) WITHOUT ROWID`

/** The file may be older than a column. */
function addMissingColumns(database: DatabaseSync, table: string, columns: readonly string[]): void {
  const existing = database.prepare(`SELECT name FROM pragma_table_info(${table.replaceAll('"', "'")})`).all()
  const names = new Set(existing.map(({ name }) => name))
  for (const column of columns) {
    if (!names.has(column)) database.exec(`ALTER TABLE ${table} ADD COLUMN "${column}"`)
  }
}

type RawBucket = [bucket: number, one: number, other: number, ...sums: (number | null)[]]

const bucket = (row: RawBucket): Bucket => ({ at: row[0] * 1000, one: row[1], other: row[2], sums: row.slice(3) })
