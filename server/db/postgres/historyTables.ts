import type { SeriesDefinition, Tier } from '../history/definition.ts'
import { literalOf, quoteName } from './columnTypes.ts'
import { fencedCode } from './connection.ts'

/** The tables of the history begin with this, and their partitions too: no table of the store does. */
export const historyPrefix = 'history_'

/** How many buckets of a tier a partition holds: an hour of the shortest ones, 30 days of six hours. */
const bucketsOfPartition = 120

/** A partition: the seconds at which its first bucket begins, and that of the next one. */
export interface Partition {
  from: number
  until: number
}

export const partitionOf = (bucket: number, { step }: Pick<Tier, 'step'>): Partition => {
  const length = step * bucketsOfPartition
  const from = Math.floor(bucket / length) * length
  return { from, until: from + length }
}

/** The name of a tier, which is that of its table in a file. */
export const tierName = ({ name }: SeriesDefinition, { step }: Tier): string => `${name}_${step}`

/** @param schema quoted */
export const historyTable = (schema: string, name: string): string => `${schema}.${quoteName(historyPrefix + name)}`

export const partitionName = (name: string, { from }: Partition): string => `${historyPrefix}${name}_from_${from}`

/**
 * Makes the table of a tier, and the columns that it does not have yet: only those, because it waits for everybody who
 * reads the table, such as a dump of the database that takes hours.
 * @param present names of its columns; none where there is no table
 */
export function tableStatements(
  schema: string,
  name: string,
  columns: readonly string[],
  present: readonly string[],
): string[] {
  const missing = columns.filter((column) => !present.includes(column))
  if (present.length > 0 && missing.length === 0) return []
  return [
    `CREATE TABLE IF NOT EXISTS ${historyTable(schema, name)} (bucket bigint NOT NULL, one bigint NOT NULL, other bigint NOT NULL,
       PRIMARY KEY (bucket, one, other)) PARTITION BY RANGE (bucket)`,
    `ALTER TABLE ${historyTable(schema, name)} ${missing
      .map((column) => `ADD COLUMN IF NOT EXISTS ${quoteName(column)} double precision`)
      .join(', ')}`,
  ]
}

/** What there is of the history. */
export interface StoredHistory {
  /** The names of the columns of each table, by its name. */
  columns: ReadonlyMap<string, readonly string[]>
  /** The names of all partitions. */
  partitions: readonly string[]
  /** The second up to which each tier is summed up, by its name. */
  progress: ReadonlyMap<string, number>
}

/** Reads it for all series at once: the first chart of a new leader waits for it. @param schema quoted */
export async function readStored(
  schema: string,
  run: (statement: string) => Promise<(string | null)[][]>,
): Promise<StoredHistory> {
  const place = `to_regnamespace(${textLiteral(schema)})`
  const columns = await run(
    `SELECT relname, string_agg(attname, ' ' ORDER BY attnum) FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
     WHERE relnamespace = ${place} AND relkind = 'p' AND attnum > 0 AND NOT attisdropped GROUP BY relname`,
  )
  const partitions = await run(
    `SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE relnamespace = ${place}`,
  )
  const progress = await run(`SELECT name, until FROM ${schema}.${historyPrefix}progress`)
  return {
    columns: new Map(columns.map(([name, list]) => [name ?? '', (list ?? '').split(' ')])),
    partitions: partitions.map(([name]) => name ?? ''),
    progress: new Map(progress.map(([name, second]) => [name ?? '', Number(second)])),
  }
}

const textLiteral = (text: string) => literalOf(text, { name: 'name', type: 'text' })

/** Makes a partition where there is none. */
export const partitionStatement = (schema: string, name: string, partition: Partition): string =>
  `SELECT ${schema}.make_partition(${textLiteral(historyPrefix + name)}, ${textLiteral(partitionName(name, partition))}, ${partition.from}, ${partition.until})`

/** A row: when its bucket begins in seconds, its keys, and its sums in the order of the columns. */
export interface HistoryRow {
  bucket: number
  one: number
  other: number
  sums: readonly (number | null)[]
}

/** The statement that writes rows; without `onConflict`, none may be there. */
export function rowsStatement(
  target: string,
  columns: readonly string[],
  rows: readonly HistoryRow[],
  onConflict = '',
): string {
  const values = rows.map(
    ({ bucket, one, other, sums }) =>
      `(${bucket},${one},${other},${columns.map((_, at) => numberText(sums[at])).join()})`,
  )
  const names = columns.map(quoteName).join(', ')
  return `INSERT INTO ${target} AS present (bucket, one, other, ${names}) VALUES ${values.join()} ${onConflict}`
}

const numberText = (value: number | null | undefined) => (value == null ? 'NULL' : `'${value}'`)

/** What adds rows to those that are there: a null leaves the sum as it is. */
export const addingOnConflict = (columns: readonly string[]): string =>
  `ON CONFLICT (bucket, one, other) DO UPDATE SET ${columns
    .map(quoteName)
    .map((name) => `${name} = coalesce(present.${name} + excluded.${name}, present.${name}, excluded.${name})`)
    .join(', ')}`

/** The seconds at which the partitions in a list of names begin. */
export const startsIn = (names: readonly string[], name: string): number[] =>
  names.flatMap((each) => {
    const [, from] = new RegExp(`^${historyPrefix}${name}_from_(-?\\d+)$`).exec(each) ?? []
    return from === undefined ? [] : [Number(from)]
  })

/**
 * Who writes the history is a row of its own, so that neither a commit of rows nor a new leader waits for a batch; a new
 * one takes it when what the last one had under way has ended. What sums up and deletes changes nothing when it is repeated.
 *
 * A partition is attached rather than made as one: this alone waits for nobody who reads the table.
 */
export const leadStatements = (schema: string): string => `
  CREATE TABLE IF NOT EXISTS ${schema}.${historyPrefix}lead (
    id boolean PRIMARY KEY DEFAULT true CHECK (id), term bigint NOT NULL, batch bigint NOT NULL);
  CREATE TABLE IF NOT EXISTS ${schema}.${historyPrefix}progress (name text PRIMARY KEY, until bigint NOT NULL);
  CREATE OR REPLACE FUNCTION ${schema}.begin_history(own_term bigint, number bigint) RETURNS void
  LANGUAGE plpgsql AS $$ BEGIN
    UPDATE ${schema}.${historyPrefix}lead SET batch = number WHERE term = own_term AND batch = number - 1
      AND EXISTS (SELECT FROM ${schema}.cluster WHERE cluster.term = own_term);
    IF NOT FOUND THEN RAISE EXCEPTION 'another node leads' USING ERRCODE = '${fencedCode}'; END IF;
  END $$;
  CREATE OR REPLACE FUNCTION ${schema}.check_history(own_term bigint) RETURNS void
  LANGUAGE plpgsql AS $$ BEGIN
    PERFORM FROM ${schema}.${historyPrefix}lead WHERE term = own_term
      AND EXISTS (SELECT FROM ${schema}.cluster WHERE cluster.term = own_term) FOR SHARE;
    IF NOT FOUND THEN RAISE EXCEPTION 'another node leads' USING ERRCODE = '${fencedCode}'; END IF;
  END $$;
  CREATE OR REPLACE FUNCTION ${schema}.make_partition(parent text, partition text, first bigint, beyond bigint) RETURNS void
  LANGUAGE plpgsql AS $$ BEGIN
    IF to_regclass(format('${schema}.%I', partition)) IS NOT NULL THEN RETURN; END IF;
    EXECUTE format('CREATE TABLE ${schema}.%I (LIKE ${schema}.%I)', partition, parent);
    EXECUTE format('ALTER TABLE ${schema}.%I ATTACH PARTITION ${schema}.%I FOR VALUES FROM (%s) TO (%s)',
      parent, partition, first, beyond);
  END $$;`
