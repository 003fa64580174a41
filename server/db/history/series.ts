import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { breathe } from './breathe.ts'
import { bucketsIn, sumUp } from './buckets.ts'
import { type Bucket, bucketOf, type Key, type Range, type SeriesDefinition, type Tier, tableOf } from './definition.ts'
import { createPending, type Sum } from './pending.ts'
import { createUpkeep } from './upkeep.ts'

/** Figures over time, thinned with age. Nothing here holds up the process for more than a few milliseconds. */
export interface Series {
  /** Adds figures to the bucket of a moment. They are in memory until the next `flush`. @param at ms since 1970 */
  add(key: Key, at: number, figures: readonly (number | null)[]): void
  /** Writes what waits, in short transactions with a breath between them. */
  flush(): Promise<void>
  /** Writes what waits at once, for the end. */
  flushNow(): void
  /**
   * The buckets of `one`, with every `other`, or with that one; oldest first. The last ones have what was flushed.
   */
  ofOne(tier: Tier, range: Range, one: number, other?: number): Bucket[]
  /** The buckets of `other`, with every `one`; oldest first. Looks at more, so it takes breaths. */
  ofOther(tier: Tier, range: Range, other: number): Promise<Bucket[]>
  /** All buckets of the finest tier that begin in a range. */
  all(range: Range): Bucket[]
  /** Makes coarse buckets of fine ones and drops what is too old. @param now ms since 1970 */
  thin(now: number): Promise<void>
  /** All ids that there is anything of, what waits not counted. */
  ids(side: keyof Key): Promise<Set<number>>
  /** Takes away everything of these ids, in the background of the next `thin`; waiting figures at once. */
  forget(side: keyof Key, ids: readonly number[]): void
}

interface Part extends Range {
  tier: Tier
}

/** Rows of one transaction: some five milliseconds. */
const slice = 500

export function createSeries(database: DatabaseSync, definition: SeriesDefinition): Series {
  const { columns, tiers } = definition
  const names = columns.map((name) => `"${name}"`)
  for (const tier of tiers) {
    database.exec(`CREATE TABLE IF NOT EXISTS ${tableOf(definition, tier)} (
      bucket INTEGER NOT NULL, one INTEGER NOT NULL, other INTEGER NOT NULL, ${names.join(', ')},
      PRIMARY KEY (bucket, one, other)) WITHOUT ROWID`)
  }
  const pending = createPending()
  const upkeep = createUpkeep(database, definition)
  const [finest] = tiers
  // What says nothing leaves the sum as it is.
  const sums = names.map((name) => `${name} = coalesce(${name} + excluded.${name}, ${name}, excluded.${name})`)
  const write = database.prepare(
    `INSERT INTO ${tableOf(definition, finest)} VALUES (${['?', '?', '?', ...names.map(() => '?')].join(', ')})
     ON CONFLICT DO UPDATE SET ${sums.join(', ')}`,
  )
  const readers = new Map<string, (...values: SQLInputValue[]) => Bucket[]>()

  function reader(tier: Tier, from: string, where: string) {
    const sql = `SELECT bucket, one, other, ${names.join(', ')} ${from.replace('TIER', tableOf(definition, tier))} ${where}`
    const known = readers.get(sql)
    if (known) return known
    const statement = database.prepare(sql)
    statement.setReturnArrays(true)
    const read = (...values: SQLInputValue[]) => (statement.all(...values) as unknown as RawBucket[]).map(bucket)
    readers.set(sql, read)
    return read
  }

  /** A tier as far as it has its sums, then what the finer ones have. */
  function partsOf(tier: Tier, { from, until }: Range): Part[] {
    const parts: Part[] = []
    let next = from
    for (const each of tiers.slice(0, tiers.indexOf(tier) + 1).reverse()) {
      const end = Math.min(until, upkeep.summedUntil(each) * 1000)
      // Further back, a finer one has nothing any more.
      if (each !== tier) next = Math.max(next, until - (each.keep + tier.step) * 1000)
      if (end <= next) continue
      parts.push({ tier: each, from: next, until: end })
      next = end
    }
    return parts
  }

  function writeSlice(): void {
    const taken = pending.take(slice)
    if (taken.length === 0) return
    try {
      database.exec('BEGIN IMMEDIATE')
      for (const { bucket, one, other, sums } of taken) write.run(bucket, one, other, ...sums)
      database.exec('COMMIT')
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      putBack(taken)
      throw error
    }
  }

  function putBack(taken: readonly Sum[]): void {
    for (const { bucket, sums, ...key } of taken) pending.add(key, bucket, sums)
  }

  return {
    add: (key, at, figures) => pending.add(key, bucketOf(at, finest), figures),
    async flush() {
      // What comes meanwhile waits for the next time.
      for (let left = pending.size(); left > 0; left -= slice) {
        writeSlice()
        await breathe()
      }
    },
    flushNow() {
      while (pending.size() > 0) writeSlice()
    },
    ofOne(tier, range, one, other) {
      const found = partsOf(tier, range).flatMap((part) => {
        const wanted = JSON.stringify(bucketsIn(part.tier, part))
        const from = 'FROM json_each(?) AS wanted CROSS JOIN TIER AS tier'
        const where = 'WHERE tier.bucket = wanted.value AND tier.one = ?'
        if (other === undefined) return reader(part.tier, from, `${where} ORDER BY bucket, other`)(wanted, one)
        return reader(part.tier, from, `${where} AND tier.other = ? ORDER BY bucket`)(wanted, one, other)
      })
      return sumUp(found, tier)
    },
    async ofOther(tier, range, other) {
      const found: Bucket[] = []
      for (const part of partsOf(tier, range)) {
        const read = reader(part.tier, 'FROM TIER', 'WHERE bucket = ? AND other = ?')
        for (const [index, bucket] of bucketsIn(part.tier, part).entries()) {
          found.push(...read(bucket, other))
          if (index % 8 === 7) await breathe()
        }
      }
      return sumUp(found, tier)
    },
    all: ({ from, until }) =>
      reader(
        finest,
        'FROM TIER',
        'WHERE bucket >= ? AND bucket < ? ORDER BY bucket',
      )(bucketOf(from, finest), Math.ceil(until / 1000)),
    thin: upkeep.run,
    ids: upkeep.ids,
    forget(side, ids) {
      const gone = new Set(ids)
      pending.drop((key) => gone.has(key[side]))
      upkeep.forget(side, ids)
    },
  }
}

type RawBucket = [bucket: number, one: number, other: number, ...sums: (number | null)[]]

const bucket = ([bucket, one, other, ...sums]: RawBucket): Bucket => ({ at: bucket * 1000, one, other, sums })
