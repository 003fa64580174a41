import { createHash } from 'node:crypto'
import { chmodSync, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { Client } from 'pg'
import type { Values } from '../../../src/schemas/define/values.ts'
import { StartError } from '../../log.ts'
import { checkWritable } from '../createBackup.ts'
import { migrate } from '../migrate.ts'
import { migrations } from '../migrations/index.ts'
import { createJournal, takeBackUnfinished } from '../slices.ts'
import type { TableDefinition } from '../table.ts'
import { quoteName, typeOfColumn } from './columnTypes.ts'
import { connect, connectionError, drop, type PostgresPlace, quotedSchema, readRows, run } from './connection.ts'
import { loadCopy, replaceAll } from './copy.ts'
import { writeAuditLines } from './moveAudit.ts'
import { writeHistory } from './moveHistory.ts'
import { keyCheckOf, typeOfValue } from './newCluster.ts'
import { createOwnTables, lockNumber, readCluster } from './ownTables.ts'

/** What was copied: tables with rows, and all rows. */
export interface MovedRows {
  tables: number
  rows: number
}

interface MoveOptions {
  place: PostgresPlace
  /** 32 bytes: that of the cluster. */
  key: Buffer
  /** Values by name that are in the target beside those of the source; `undefined` where one is not. */
  values: Values
  /** The lines of the audit log, the oldest first. */
  auditLines: Iterable<string>
  /** The file of the history; `undefined` where there is none. */
  history: string | undefined
}

/** The same, with what is no table of the store. */
interface MovedDatabase extends MovedRows {
  auditLines: number
  /** Rows of the history. */
  buckets: number
}

const mover = 'move'

/**
 * Fills PostgreSQL with a database file, reads it back and compares every row. The file stays as it is.
 * @param definitions of all tables, which tell flags and JSON from other values
 * @throws StartError or StoreError with a sentence for the operator; PostgreSQL is then as it was
 */
export async function moveToPostgres(
  file: string,
  definitions: ReadonlyMap<string, TableDefinition>,
  { place, key, values, auditLines, history }: MoveOptions,
): Promise<MovedDatabase> {
  const source = copyInMemory(file)
  let client: Client | undefined
  try {
    migrate(source, ':memory:', migrations)
    takeBackUnfinished(source)
    createJournal(source)
    setValues(source, values)
    client = await connect(place, mover)
    await createOwnTables(client, place)
    await run(client, 'BEGIN')
    await refuseUsed(client, place)
    const types = new Map(
      [...definitions].map(([table, { columns }]) => [
        table,
        new Map(columns.map(({ name, type }) => [name, typeOfColumn[type]])),
      ]),
    )
    await replaceAll(client, place, {
      database: source,
      typeOf: (table, column) => types.get(table)?.get(column) ?? typeOfValue(table, column),
      former: new Map(),
    })
    const lines = await writeAuditLines(client, place, auditLines)
    const buckets = history === undefined ? 0 : await writeHistory(client, place, history)
    await readRows(
      client,
      `INSERT INTO ${quotedSchema(place)}.cluster (key_check, version, term, last_commit) VALUES ($1, $2, 0, 0)`,
      [keyCheckOf(key), migrations.length],
    )
    await run(client, 'COMMIT')
    const { database: copy } = await loadCopy(client, place)
    try {
      compare(source, copy)
    } finally {
      copy.close()
    }
    return { ...countRows(source), auditLines: lines, buckets }
  } catch (error) {
    if (error instanceof StartError || error instanceof TypeError) throw error
    throw connectionError(place, error)
  } finally {
    drop(client)
    source.close()
  }
}

/** Puts what makes PostgreSQL's copy differ from a file aside: the second one is written by itself. */
export async function readMoved(place: PostgresPlace): Promise<DatabaseSync> {
  let client: Client | undefined
  try {
    client = await connect(place, mover)
    if (!(await hasCluster(client, place)))
      throw new StartError(`There is nothing of Wheelhouse in the schema ${place.schema} of this PostgreSQL.`)
    return (await loadCopy(client, place)).database
  } catch (error) {
    if (error instanceof StartError) throw error
    throw connectionError(place, error)
  } finally {
    drop(client)
  }
}

/**
 * Writes all rows of PostgreSQL to a database file, reads it back and compares every row. PostgreSQL stays as it is, and
 * servers may go on working with it: the file is what was there at one moment.
 * @param valueOf what the file has in place of values by name, from what is there
 * @throws StartError or StoreError with a sentence for the operator
 */
export async function moveToFile(
  place: PostgresPlace,
  file: string,
  valuesFor: (read: (name: string) => unknown) => Values,
): Promise<MovedRows> {
  if (existsSync(file)) throw new StartError(`${file} is there already: choose another name, or move it away.`)
  checkWritable(dirname(file))
  const source = await readMoved(place)
  try {
    takeBackUnfinished(source)
    source.exec('DROP TABLE IF EXISTS "unfinished"')
    const read = source.prepare('SELECT json FROM "value" WHERE name = ?')
    setValues(
      source,
      valuesFor((name) => {
        const row = read.get(name)
        return row && JSON.parse(String(row.json))
      }),
    )
    source.prepare('VACUUM INTO ?').run(file)
    chmodSync(file, 0o600)
    const written = new DatabaseSync(file, { readOnly: true })
    try {
      compare(source, written)
    } finally {
      written.close()
    }
    return countRows(source)
  } finally {
    source.close()
  }
}

async function hasCluster(client: Client, place: PostgresPlace): Promise<boolean> {
  const [found] = await readRows(client, 'SELECT to_regclass($1)', [`${quotedSchema(place)}.cluster`])
  return found?.[0] != null && (await readCluster(client, place)) !== undefined
}

/** @throws StartError when there is a cluster already, or servers begin one at this moment */
async function refuseUsed(client: Client, place: PostgresPlace): Promise<void> {
  const [row] = await readRows(client, `SELECT pg_try_advisory_lock(${lockNumber(place)})`)
  if (row?.[0] === 't' && !(await readCluster(client, place))) return
  throw new StartError(
    `The schema ${place.schema} of this PostgreSQL is in use already, and nothing was changed: name another one with WHEELHOUSE_SCHEMA.`,
  )
}

function copyInMemory(file: string): DatabaseSync {
  const source = new DatabaseSync(file, { timeout: 5000 })
  try {
    const image = source.serialize()
    // In memory there is no write-ahead log, which these two bytes of the header ask for.
    image.set([1, 1], 18)
    const copy = new DatabaseSync(':memory:')
    copy.deserialize(image)
    return copy
  } finally {
    source.close()
  }
}

function setValues(database: DatabaseSync, values: Values): void {
  for (const [name, value] of Object.entries(values)) {
    database.prepare('DELETE FROM "value" WHERE name = ?').run(name)
    if (value !== undefined)
      database.prepare('INSERT INTO "value" (name, json) VALUES (?, ?)').run(name, JSON.stringify(value))
  }
}

const tablesIn = (database: DatabaseSync): string[] =>
  database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all()
    .map(({ name }) => String(name))

/** @throws StartError where both do not hold the same tables, rows and last ids */
function compare(one: DatabaseSync, other: DatabaseSync): void {
  for (const table of new Set([...tablesIn(one), ...tablesIn(other)])) {
    if (fingerprint(one, table) !== fingerprint(other, table))
      throw new StartError(`The copy of the table ${table} differs from what is there: it must not be used.`)
  }
}

function fingerprint(database: DatabaseSync, table: string): string {
  const columns = database
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all(table)
    .map(({ name }) => quoteName(String(name)))
  const hash = createHash('sha256').update(columns.join())
  if (columns.length === 0) return ''
  const select = database.prepare(`SELECT ${columns.join(', ')} FROM ${quoteName(table)} ORDER BY 1`)
  select.setReadBigInts(true)
  select.setReturnArrays(true)
  for (const row of select.iterate() as unknown as Iterable<SQLInputValue[]>) {
    for (const value of row) {
      const bytes = value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)
      hash.update(`${typeof value} ${bytes.length} ${bytes}`)
    }
  }
  return hash.digest('hex')
}

function countRows(database: DatabaseSync): MovedRows {
  const counts = tablesIn(database).map((table) =>
    Number(database.prepare(`SELECT count(*) AS n FROM ${quoteName(table)}`).get()?.n),
  )
  return { tables: counts.filter((count) => count > 0).length, rows: counts.reduce((sum, count) => sum + count, 0) }
}
