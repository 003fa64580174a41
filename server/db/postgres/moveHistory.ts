import { createHash, type Hash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import type { Client } from 'pg'
import { StartError } from '../../log.ts'
import { openHistory } from '../history/openHistory.ts'
import { tableStatement } from '../history/series.ts'
import { literalOf, quoteName } from './columnTypes.ts'
import { connect, connectionError, drop, type PostgresPlace, quotedSchema, readRows, run } from './connection.ts'
import { copyMs } from './copy.ts'
import {
  historyPrefix,
  historyTable,
  partitionOf,
  partitionStatement,
  rowsStatement,
  tableStatements,
} from './historyTables.ts'

/** Rows of one statement, and of one transaction of the file. */
const rowsAtOnce = 1000

/** The keys of a bucket and its sums. */
type Row = [bucket: number, one: number, other: number, ...sums: (number | null)[]]

/** The table of a tier: its name in a file, and the columns beside its keys. */
interface HistoryTable {
  name: string
  step: number
  columns: string[]
}

/**
 * Writes the history of a file, within the transaction that is open, a thousand rows at a time, and compares what is there
 * then.
 * @returns how many buckets there are
 * @throws StartError where the file cannot be read, or what was written is not what is read
 */
export async function writeHistory(client: Client, place: PostgresPlace, file: string): Promise<number> {
  const schema = quotedSchema(place)
  const source = openSource(file)
  let count = 0
  try {
    for (const table of tablesInFile(source)) {
      const { name, step, columns } = table
      for (const statement of tableStatements(schema, name, columns, [])) await run(client, statement, copyMs)
      const written = createHash('sha256')
      const partitions = new Set<number>()
      for (const rows of inParts(rowsInFile(source, table))) {
        for (const [bucket] of rows) {
          const partition = partitionOf(bucket, { step })
          if (partitions.has(partition.from)) continue
          partitions.add(partition.from)
          await run(client, partitionStatement(schema, name, partition), copyMs)
        }
        const found = rows.map(([bucket, one, other, ...sums]) => ({ bucket, one, other, sums }))
        await run(client, rowsStatement(historyTable(schema, name), columns, found), copyMs)
        for (const row of rows) addTo(written, row)
        count += rows.length
      }
      const read = createHash('sha256')
      for await (const rows of rowsInPostgres(client, schema, table)) for (const row of rows) addTo(read, row)
      assertEqual(written, read, name)
    }
    for (const { name, until } of source.prepare('SELECT name, until FROM progress').all())
      await run(
        client,
        `INSERT INTO ${schema}.${historyPrefix}progress (name, until)
         VALUES (${literalOf(String(name), { name: 'name', type: 'text' })}, ${Number(until)})`,
      )
    return count
  } finally {
    source.close()
  }
}

/**
 * Writes the history to a file that does not exist yet, reads it back, and compares every row.
 * @returns how many buckets there are
 * @throws StartError or StoreError with a sentence for the operator
 */
export async function readHistory(place: PostgresPlace, file: string): Promise<number> {
  const schema = quotedSchema(place)
  openHistory(file).close()
  const target = new DatabaseSync(file)
  let client: Client | undefined
  let count = 0
  try {
    client = await connect(place, 'move')
    await run(client, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    for (const table of await tablesInPostgres(client, place)) {
      const names = table.columns.map(quoteName)
      target.exec(tableStatement(quoteName(table.name), names))
      const insert = target.prepare(
        `INSERT INTO ${quoteName(table.name)} VALUES (${['?', '?', '?', ...names.map(() => '?')].join(', ')})`,
      )
      const read = createHash('sha256')
      for await (const rows of rowsInPostgres(client, schema, table)) {
        target.exec('BEGIN')
        for (const row of rows) {
          insert.run(...row)
          addTo(read, row)
        }
        target.exec('COMMIT')
        count += rows.length
      }
      const written = createHash('sha256')
      for (const row of rowsInFile(target, table)) addTo(written, row)
      assertEqual(written, read, table.name)
    }
    const proceed = target.prepare('INSERT INTO progress (name, until) VALUES (?, ?)')
    for (const [name, until] of await readRows(client, `SELECT name, until FROM ${schema}.${historyPrefix}progress`))
      proceed.run(name ?? '', Number(until))
    await run(client, 'COMMIT')
    return count
  } catch (error) {
    throw error instanceof StartError ? error : connectionError(place, error)
  } finally {
    drop(client)
    target.close()
  }
}

function openSource(file: string): DatabaseSync {
  try {
    const source = new DatabaseSync(file, { timeout: 5000 })
    source.prepare('SELECT name FROM progress LIMIT 1').get()
    return source
  } catch (error) {
    throw new StartError(
      `The history ${file} cannot be read: move it away to leave its charts behind, and repeat this.`,
      {
        cause: error,
      },
    )
  }
}

const addTo = (hash: Hash, row: Row) => void hash.update(`${row.join()}\n`)

function assertEqual(one: Hash, other: Hash, name: string): void {
  if (one.digest('hex') !== other.digest('hex'))
    throw new StartError(`The copy of the history ${name} differs from what is there: it must not be used.`)
}

function tablesInFile(source: DatabaseSync): HistoryTable[] {
  const names = source.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
  return names.flatMap(({ name }) => {
    const columns = source.prepare('SELECT name FROM pragma_table_info(?)').all(String(name))
    return tableFrom(
      String(name),
      columns.map((column) => String(column.name)),
    )
  })
}

async function tablesInPostgres(client: Client, { schema }: PostgresPlace): Promise<HistoryTable[]> {
  const found = await readRows(
    client,
    `SELECT relname, string_agg(attname, ' ' ORDER BY attnum) FROM pg_class
       JOIN pg_namespace ON pg_namespace.oid = relnamespace JOIN pg_attribute ON attrelid = pg_class.oid
     WHERE relkind = 'p' AND nspname = $1 AND attnum > 0 AND NOT attisdropped GROUP BY relname ORDER BY relname`,
    [schema],
  )
  return found.flatMap(([name, columns]) =>
    tableFrom((name ?? '').slice(historyPrefix.length), columns?.split(' ') ?? []),
  )
}

function tableFrom(name: string, [bucket, , , ...columns]: readonly string[]): HistoryTable[] {
  const [, step] = /_(\d+)$/.exec(name) ?? []
  return step === undefined || bucket !== 'bucket' ? [] : [{ name, step: Number(step), columns }]
}

function* rowsInFile(database: DatabaseSync, { name, columns }: HistoryTable): Iterable<Row> {
  const names = ['bucket', 'one', 'other', ...columns].map(quoteName).join(', ')
  const select = database.prepare(`SELECT ${names} FROM ${quoteName(name)} ORDER BY bucket, one, other`)
  select.setReturnArrays(true)
  yield* select.iterate() as unknown as Iterable<Row>
}

function* inParts(rows: Iterable<Row>): Iterable<Row[]> {
  let part: Row[] = []
  for (const row of rows) {
    part.push(row)
    if (part.length < rowsAtOnce) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}

async function* rowsInPostgres(
  client: Client,
  schema: string,
  { name, columns }: HistoryTable,
): AsyncIterable<readonly Row[]> {
  const names = ['bucket', 'one', 'other', ...columns].map(quoteName).join(', ')
  await run(
    client,
    `DECLARE moved NO SCROLL CURSOR FOR SELECT ${names} FROM ${historyTable(schema, name)} ORDER BY bucket, one, other`,
    copyMs,
  )
  for (;;) {
    const found = await readRows(client, `FETCH ${rowsAtOnce} FROM moved`, [], copyMs)
    if (found.length === 0) break
    yield found.map(
      ([bucket, one, other, ...sums]): Row => [
        Number(bucket),
        Number(one),
        Number(other),
        ...sums.map((sum) => (sum === null ? null : Number(sum))),
      ],
    )
  }
  await run(client, 'CLOSE moved')
}
