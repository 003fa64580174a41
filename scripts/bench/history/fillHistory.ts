import { DatabaseSync } from 'node:sqlite'
import { bucketsIn } from '../../../server/db/history/buckets.ts'
import { bucketOf, keepOf, type Tier } from '../../../server/db/history/definition.ts'
import { openHistory } from '../../../server/db/history/openHistory.ts'
import { quoteName } from '../../../server/db/postgres/columnTypes.ts'
import {
  historyPrefix,
  historyTable,
  partitionOf,
  partitionStatement,
} from '../../../server/db/postgres/historyTables.ts'
import { tiers } from '../../../server/services/history/periods.ts'
import { openServerHistory } from '../../../server/services/history/serverHistory.ts'
import { openSamples } from '../../../server/services/history/serviceHistory.ts'
import { ask } from '../../../tests/support/postgres/startPostgres.ts'

/** What to fill: a value in each column of each bucket, for ids from 1. */
export interface FilledHistory {
  /** Of the series: `server` for metrics, `check` for services. */
  name: 'server' | 'check'
  /** Machines, or services. */
  ones: number
  /** The machines that have checked them. Default: none, as metrics have it. */
  others?: number
  days: number
  /** Milliseconds since 1970: when it ends. */
  now: number
}

/** Fills a file; what is there stays. */
export function fillFile(path: string, filled: FilledHistory): void {
  const { name, ones, others = 0 } = filled
  const history = openHistory(path, filled.days)
  openServerHistory(history)
  openSamples(history)
  history.close()
  const database = new DatabaseSync(path)
  database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF')
  for (const tier of tiers) {
    const table = `"${name}_${tier.step}"`
    const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all(`${name}_${tier.step}`)
    const insert = database.prepare(
      `INSERT OR IGNORE INTO ${table}
       WITH RECURSIVE one(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM one WHERE n < ?2),
         other(n) AS (SELECT min(1, ?3) UNION ALL SELECT n + 1 FROM other WHERE n < ?3)
       SELECT ?1, one.n, other.n, ${valuesOf(
         columns.slice(3).map((column) => String(column.name)),
         'one.n',
       )} FROM one CROSS JOIN other`,
    )
    database.exec('BEGIN')
    for (const bucket of bucketsOf(tier, filled)) insert.run(bucket, ones, others)
    const end = bucketOf(filled.now, tier)
    if (tier !== tiers[0]) database.exec(`INSERT OR REPLACE INTO progress VALUES ('${name}_${tier.step}', ${end})`)
    database.exec('COMMIT')
  }
  database.close()
}

/** Fills the tables of metrics that a node has made. @param schema its name */
export async function fillPostgres(url: string, schema: string, filled: FilledHistory): Promise<void> {
  const quoted = quoteName(schema)
  const { name, ones } = filled
  for (const tier of tiers) {
    const own = `${name}_${tier.step}`
    const found = await ask(
      { url },
      `SELECT attname FROM pg_attribute WHERE attrelid = '${historyTable(quoted, own)}'::regclass AND attnum > 3
       AND NOT attisdropped ORDER BY attnum`,
    )
    const columns = found.map(({ attname }) => attname ?? '')
    const buckets = bucketsOf(tier, filled)
    const starts = new Set(buckets.map((bucket) => partitionOf(bucket, tier).from))
    for (const from of starts) await ask({ url }, partitionStatement(quoted, own, partitionOf(from, tier)))
    for (const from of starts) {
      const some = buckets.filter((bucket) => partitionOf(bucket, tier).from === from)
      await ask(
        { url },
        `INSERT INTO ${historyTable(quoted, own)} (bucket, one, other, ${columns.map(quoteName).join()})
         SELECT bucket, id, 0, ${valuesOf(columns)}
         FROM unnest('{${some.join()}}'::bigint[]) AS bucket, generate_series(1, ${ones}) AS id`,
      )
    }
    if (tier === tiers[0]) continue
    const values = `('${own}', ${bucketOf(filled.now, tier)})`
    const conflict = 'ON CONFLICT (name) DO UPDATE SET until = excluded.until'
    await ask({ url }, `INSERT INTO ${quoted}.${historyPrefix}progress (name, until) VALUES ${values} ${conflict}`)
  }
  // As PostgreSQL does by itself after a while.
  await ask({ url }, 'VACUUM ANALYZE')
}

/** Those that are over. */
function bucketsOf(tier: Tier, { name, days, now }: FilledHistory): number[] {
  const until = bucketOf(now, tier) * 1000
  return bucketsIn(tier, { from: now - keepOf({ name, columns: [], tiers }, tier, days) * 1000, until })
}

/** Sums that differ from each other; every report had all metrics. */
const valuesOf = (columns: readonly string[], id = 'id') =>
  columns
    .map((column, at) =>
      column.endsWith('_missing') || column === 'not_permitted'
        ? 'NULL'
        : `(1000 + (${id} * 7919 + ${at} * 104729) % 99991) / 7.0`,
    )
    .join()
