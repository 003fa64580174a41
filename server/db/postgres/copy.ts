import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { Client } from 'pg'
import type { StoredValue } from '../changesetRows.ts'
import { StoreError } from '../storeError.ts'
import { insertStatement, sequenceStatement } from './changeStatements.ts'
import { literalOf, type PostgresColumn, type PostgresType, quoteName, storedValue } from './columnTypes.ts'
import { type PostgresPlace, quotedSchema, readRows, run } from './connection.ts'

/** All rows of PostgreSQL in SQLite, and up to which commit. */
export interface LoadedCopy {
  database: DatabaseSync
  tables: Map<string, PostgresColumn[]>
  lastCommit: number
  /** See `markOfCommit`; '' where the log does not have the last commit. */
  mark: string
}

/** Of the commit log: what tells a commit from any other one that had its number before PostgreSQL was restored. */
export const markOfCommit = "commit_log.term || ' ' || commit_log.at"

/** Milliseconds for one statement of a copy: a table may have some hundred thousand rows. */
export const copyMs = 10 * 60_000
/** Rows of one statement that fills a table. */
const rowsPerStatement = 500

/** Reads everything as it is at one moment. */
export async function loadCopy(client: Client, place: PostgresPlace): Promise<LoadedCopy> {
  const schema = quotedSchema(place)
  const database = new DatabaseSync(':memory:', { enableForeignKeyConstraints: true })
  try {
    await run(client, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const [cluster] = await readRows(client, `SELECT last_commit, version FROM ${schema}.cluster`)
    const [last] = await readRows(
      client,
      `SELECT ${markOfCommit} FROM ${schema}.commit_log WHERE number = (SELECT last_commit FROM ${schema}.cluster)`,
    )
    for (const [statement] of await readRows(client, `SELECT statement FROM ${schema}.schema_statement ORDER BY place`))
      database.exec(statement ?? '')
    database.exec(`PRAGMA user_version = ${Number(cluster?.[1])}`)
    const tables = await readTables(client, place, database)
    for (const [table, columns] of tables) await loadTable(client, database, { schema, table, columns })
    for (const [name, value] of await readRows(client, `SELECT name, value FROM ${schema}.sequence`))
      setSequence(database, String(name), BigInt(value ?? 0))
    await run(client, 'COMMIT')
    return { database, tables, lastCommit: Number(cluster?.[0]), mark: last?.[0] ?? '' }
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * The tables of a copy with the types of their columns, which PostgreSQL alone knows. People may have views and tables
 * of their own beside them.
 * @throws StoreError when one of them is missing in PostgreSQL
 */
export async function readTables(
  client: Client,
  { schema }: PostgresPlace,
  copy: DatabaseSync,
): Promise<Map<string, PostgresColumn[]>> {
  const found = await readRows(
    client,
    'SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = $1',
    [schema],
  )
  const types = new Map(
    (found as [string, string, PostgresType][]).map(([table, name, type]) => [`${table} ${name}`, type]),
  )
  const columns = copy.prepare('SELECT name FROM pragma_table_info(?)')
  const typeOf = (table: string, name: string) => {
    const type = types.get(`${table} ${name}`)
    if (type) return type
    throw new StoreError(
      `In PostgreSQL, the schema ${schema} has no column ${name} in the table ${table}: somebody has changed it; restore a backup of the database.`,
    )
  }
  return new Map(
    tablesOf(copy).map((table) => [
      table,
      columns.all(table).map(({ name }) => ({ name: String(name), type: typeOf(table, String(name)) })),
    ]),
  )
}

const tablesOf = (database: DatabaseSync) =>
  schemaEntries(database).flatMap(({ type, name }) => (type === 'table' ? [name] : []))

interface TablePlace {
  schema: string
  table: string
  columns: readonly PostgresColumn[]
}

async function loadTable(
  client: Client,
  database: DatabaseSync,
  { schema, table, columns }: TablePlace,
): Promise<void> {
  const names = columns.map(({ name }) => quoteName(name)).join(', ')
  const rows = await readRows(client, `SELECT ${names} FROM ${schema}.${quoteName(table)}`, [], copyMs)
  const insert = database.prepare(
    `INSERT INTO ${quoteName(table)} (${names}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  database.exec('BEGIN')
  for (const row of rows) {
    insert.run(...columns.map(({ type }, place): SQLInputValue => storedValue(row[place] ?? null, type)))
  }
  database.exec('COMMIT')
}

function setSequence(database: DatabaseSync, name: string, value: bigint): void {
  const { changes } = database.prepare('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?').run(value, name)
  if (changes === 0) database.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(name, value)
}

interface Replacement {
  database: DatabaseSync
  /** The type of a column that SQLite alone does not tell: a flag is a number there, and JSON a text. */
  typeOf(table: string, column: string): PostgresType | undefined
  /** The tables that the store has in PostgreSQL so far. */
  former: ReadonlyMap<string, readonly PostgresColumn[]>
}

/**
 * Replaces all tables of the store in PostgreSQL by those of SQLite, within the transaction that is open on this
 * connection. The log begins anew: followers have to read everything, which they do when a number is missing in it.
 */
export async function replaceAll(
  client: Client,
  place: PostgresPlace,
  { database, typeOf, former }: Replacement,
): Promise<Map<string, PostgresColumn[]>> {
  const schema = quotedSchema(place)
  const entries = schemaEntries(database)
  const tables = new Map(
    tablesOf(database).map((table): [string, PostgresColumn[]] => [table, columnsIn(database, table, typeOf)]),
  )
  // Views of people hold up whoever drops a table, and go on with one that has other rows.
  const isSame = (name: string) => JSON.stringify(former.get(name)) === JSON.stringify(tables.get(name))
  for (const name of former.keys())
    await run(client, `${isSame(name) ? 'TRUNCATE' : 'DROP TABLE'} ${schema}.${quoteName(name)}`, copyMs)
  await run(client, `TRUNCATE ${schema}.commit_log, ${schema}.schema_statement, ${schema}.sequence`, copyMs)
  for (const { sql } of entries)
    await run(client, `INSERT INTO ${schema}.schema_statement (statement) VALUES (${literalOf(sql, textColumn)})`)
  for (const [table, columns] of tables) {
    if (!isSame(table)) await run(client, createStatement(schema, table, columns))
    await fillTable(client, database, { schema, table, columns })
  }
  for (const { name, seq } of sequencesOf(database))
    if (tables.has(String(name))) await run(client, sequenceStatement(schema, String(name), BigInt(Number(seq))))
  return tables
}

/** A database without any table that gives ids has none. */
const sequencesOf = (database: DatabaseSync) =>
  database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'").get()
    ? database.prepare('SELECT name, seq FROM sqlite_sequence').all()
    : []

const textColumn: PostgresColumn = { name: 'statement', type: 'text' }

/** What made the tables and indexes of a database, in its order, without what SQLite makes by itself. */
function schemaEntries(database: DatabaseSync): { type: string; name: string; sql: string }[] {
  const entries = database
    .prepare(
      "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
    )
    .all()
  return entries.map(({ type, name, sql }) => ({ type: String(type), name: String(name), sql: String(sql) }))
}

function columnsIn(
  database: DatabaseSync,
  table: string,
  typeOf: (table: string, column: string) => PostgresType | undefined,
): PostgresColumn[] {
  const columns = database.prepare('SELECT name, type FROM pragma_table_info(?)').all(table)
  return columns.map(({ name, type }) => ({
    name: String(name),
    type: typeOf(table, String(name)) ?? typeByName[String(type)] ?? 'text',
  }))
}

const typeByName: Readonly<Record<string, PostgresType>> = {
  INTEGER: 'bigint',
  REAL: 'double precision',
  BLOB: 'bytea',
}

export function createStatement(schema: string, table: string, columns: readonly PostgresColumn[]): string {
  // Every table has its key first: `id`, or the name of a value.
  const texts = columns.map(({ name, type }, place) => `${quoteName(name)} ${type}${place === 0 ? ' PRIMARY KEY' : ''}`)
  return `CREATE TABLE ${schema}.${quoteName(table)} (${texts.join(', ')})`
}

async function fillTable(
  client: Client,
  database: DatabaseSync,
  { schema, table, columns }: TablePlace,
): Promise<void> {
  const select = database.prepare(
    `SELECT ${columns.map(({ name }) => quoteName(name)).join(', ')} FROM ${quoteName(table)}`,
  )
  select.setReadBigInts(true)
  select.setReturnArrays(true)
  let rows: StoredValue[][] = []
  const write = async () => {
    if (rows.length > 0) await run(client, insertStatement(`${schema}.${quoteName(table)}`, columns, rows), copyMs)
    rows = []
  }
  for (const row of select.iterate() as unknown as Iterable<StoredValue[]>) {
    rows.push(row.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value)))
    if (rows.length === rowsPerStatement) await write()
  }
  await write()
}
