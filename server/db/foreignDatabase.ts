import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { constants, DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { isWhole } from './inspectDatabase.ts'

/** The database of another program, which may be anything: it is only read, and nothing that it says is taken for true. */
export interface ForeignDatabase {
  /** The columns of a table; `undefined` where there is no such table. Views and virtual tables are none. */
  columnsOf(table: string): ReadonlySet<string> | undefined
  /**
   * The rows of a table, in the order of a column; none where there is no such table.
   * @param columns those that are read, as far as there are such columns; the others are empty
   */
  rows(table: string, columns: readonly string[], options?: RowOptions): Iterable<ForeignRow>
  close(): void
}

interface RowOptions {
  /** Only rows whose column has at least this value. */
  from?: { column: string; value: number | string }
  /** Default: as they are stored. */
  order?: string
  /** Default: `maxForeignRows`. */
  limit?: number
}

/** One row; a value of another type than asked for counts as missing. */
export interface ForeignRow {
  /** '' where there is none; the beginning of one that is longer than anything may be here. */
  text(column: string): string
  /** A whole number. Default: 0 */
  integer(column: string): number
  /** Any finite number. Default: 0 */
  number(column: string): number
  flag(column: string): boolean
  /** What a text in JSON says; `undefined` where there is none, or it is broken. */
  json(column: string): unknown
  /** Milliseconds since 1970; `undefined` where there is no time in the text. Without a zone it is UTC. */
  time(column: string): number | undefined
  bytes(column: string): Uint8Array | undefined
}

/** Why a file cannot be read. */
export class ForeignFileError extends Error {
  readonly code: 'not_a_database' | 'damaged' | 'unfinished'

  constructor(code: ForeignFileError['code']) {
    super(code)
    this.code = code
  }
}

/** More rows of one table are not read. */
export const maxForeignRows = 20_000
/** Characters of a value. */
const maxValueLength = 1024 * 1024
const magic = 'SQLite format 3\0'

/**
 * Opens a file as it lies there: nothing is written beside it, and a program that works on it is not waited for.
 * @throws ForeignFileError
 */
export function openForeignDatabase(path: string): ForeignDatabase {
  if (startOf(path) !== magic) throw new ForeignFileError('not_a_database')
  // Without these, the latest changes would be missing.
  if (['-wal', '-journal'].some((ending) => (statSync(path + ending, { throwIfNoEntry: false })?.size ?? 0) > 0))
    throw new ForeignFileError('unfinished')
  const url = pathToFileURL(path)
  url.search = 'immutable=1'
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(url, { readOnly: true, defensive: true, enableForeignKeyConstraints: false })
    database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA query_only = ON')
    if (!isWhole(database)) throw new ForeignFileError('damaged')
    const tables = readTables(database)
    // From now on it can be read, and nothing else: no other file is attached, no function of its own is called.
    database.setAuthorizer((action) => (allowed.has(action) ? constants.SQLITE_OK : constants.SQLITE_DENY))
    return foreignDatabase(database, tables)
  } catch (error) {
    if (database?.isOpen) database.close()
    throw error instanceof ForeignFileError ? error : new ForeignFileError('damaged')
  }
}

const allowed = new Set<number>([constants.SQLITE_SELECT, constants.SQLITE_READ, constants.SQLITE_FUNCTION])

function startOf(path: string): string {
  const file = openSync(path, 'r')
  try {
    const start = Buffer.alloc(magic.length)
    readSync(file, start)
    return start.toString('latin1')
  } finally {
    closeSync(file)
  }
}

function readTables(database: DatabaseSync): Map<string, Set<string>> {
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
    .all()
  const columns = database.prepare('SELECT name FROM pragma_table_info(?)')
  return new Map(
    tables.map(({ name }) => [String(name), new Set(columns.all(name ?? '').map((column) => String(column.name)))]),
  )
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

function foreignDatabase(database: DatabaseSync, tables: ReadonlyMap<string, ReadonlySet<string>>): ForeignDatabase {
  return {
    columnsOf: (table) => tables.get(table),
    *rows(table, columns, { from, order, limit = maxForeignRows } = {}) {
      const present = tables.get(table)
      const read = columns.filter((column) => present?.has(column))
      if (!present || read.length === 0) return
      const values = read.map((name) => {
        const column = quote(name)
        return `CASE WHEN length(${column}) > ${maxValueLength} THEN substr(${column}, 1, ${maxValueLength}) ELSE ${column} END AS ${column}`
      })
      const filter = from && present.has(from.column) ? `WHERE ${quote(from.column)} >= ?` : ''
      const sorted = order !== undefined && present.has(order) ? `ORDER BY ${quote(order)}` : ''
      const statement = database.prepare(`SELECT ${values.join(', ')} FROM ${quote(table)} ${filter} ${sorted} LIMIT ?`)
      // A number beyond what JavaScript has would throw otherwise.
      statement.setReadBigInts(true)
      for (const row of statement.iterate(...(filter && from ? [from.value] : []), limit)) yield foreignRow(row)
    },
    close: () => database.close(),
  }
}

function foreignRow(row: Record<string, SQLOutputValue>): ForeignRow {
  function text(column: string): string {
    const value = row[column]
    if (typeof value === 'string') return value.toWellFormed()
    // Some programs store their JSON as bytes.
    if (value instanceof Uint8Array) return new TextDecoder().decode(value)
    return typeof value === 'bigint' || typeof value === 'number' ? String(value) : ''
  }
  function number(column: string): number {
    const value = row[column]
    const read = typeof value === 'bigint' || typeof value === 'string' ? Number(value) : value
    return typeof read === 'number' && Number.isFinite(read) ? read : 0
  }
  return {
    text,
    number,
    integer: (column) => (Number.isSafeInteger(Math.trunc(number(column))) ? Math.trunc(number(column)) : 0),
    flag: (column) => number(column) !== 0,
    json(column) {
      try {
        return JSON.parse(text(column))
      } catch {
        return undefined
      }
    },
    time(column) {
      const [, day, clock, zone = 'Z'] = timePattern.exec(text(column)) ?? []
      const at = Date.parse(`${day}T${clock}${zone}`)
      return Number.isNaN(at) ? undefined : at
    },
    bytes(column) {
      const value = row[column]
      return value instanceof Uint8Array ? value : undefined
    },
  }
}

/** `2026-11-26 18:20:51.810558263+00:00`: further digits of a second are left out. */
const timePattern = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,3})?)\d*(Z|[+-]\d\d:\d\d)?$/
