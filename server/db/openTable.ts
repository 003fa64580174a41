import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import type { SchemaChange } from './replication.ts'
import { storedJson } from './storedJson.ts'
import type { Column, Table, TableDefinition } from './table.ts'

type Raw = Record<string, SQLOutputValue>

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

/** What a store does with the writes of its tables. */
export interface Writer {
  /** Runs a write and notices when the disk is full. @throws what `work` throws */
  run<T>(work: () => T): T
  /** @param ids of the rows that were written; `undefined` when that is not known */
  wrote(table: string, ids: readonly number[] | undefined): void
  changedSchema(change: SchemaChange): void
}

/** Creates the table and its missing columns, and gives access to its rows. */
export function openTable<Row extends { id: number }>(
  database: DatabaseSync,
  definition: TableDefinition,
  { writer, present }: { writer: Writer; present: PresentSchema },
): Table<Row> {
  const change = prepareTable(database, definition, present)
  if (change) writer.changedSchema(change)
  const table = quote(definition.name)
  const types = new Map(definition.columns.map((column) => [column.name, column.type]))
  const parsed = definition.columns.filter(({ type }) => type === 'JSON').map(({ name }) => name)
  const flags = definition.columns.filter(({ type }) => type === 'FLAG').map(({ name }) => name)
  const texts = definition.columns.filter(({ type }) => type === 'JSON' || type === 'TEXT').map(({ name }) => name)
  const select = `SELECT ${['id', ...types.keys()].map(quote).join(', ')} FROM ${table}`
  const statements = new Map<string, StatementSync>()

  function sql(text: string): StatementSync {
    const statement = statements.get(text) ?? database.prepare(text)
    statements.set(text, statement)
    return statement
  }

  const run = (text: string, values: readonly SQLInputValue[]) => writer.run(() => sql(text).run(...values))
  const wrote = (ids: readonly number[] | undefined) => writer.wrote(definition.name, ids)

  /** In place: a list may have ten thousand rows. */
  function decode(raw: Raw): Row {
    const row: Record<string, unknown> = raw
    for (const name of parsed) {
      if (raw[name] !== null) row[name] = storedJson(raw[name], definition.name, Number(raw.id), name)
    }
    for (const name of flags) if (raw[name] !== null) row[name] = raw[name] !== 0
    return row as Row
  }

  /** Column names and values to bind, of the keys that have a value. */
  function columnsOf(row: object): [names: string[], values: SQLInputValue[]] {
    const entries = Object.entries(row).filter(([, value]) => value !== undefined)
    const unknown = entries.find(([name]) => name !== 'id' && !types.has(name))
    if (unknown) throw new TypeError(`The table ${definition.name} has no column ${unknown[0]}.`)
    return [entries.map(([name]) => name), entries.map(([name, value]) => bindable(types.get(name), value))]
  }

  /** A condition that rows meet whose columns equal these values, or one of each list of them. */
  function matching(where: object): [filter: string, values: SQLInputValue[]] {
    const [names, values] = columnsOf(where)
    const isOneOf = (name: string) => types.get(name) !== 'JSON' && Array.isArray(Reflect.get(where, name))
    const conditions = names.map((name) =>
      isOneOf(name) ? `${quote(name)} IN (SELECT value FROM json_each(?))` : `${quote(name)} IS ?`,
    )
    return [conditions.join(' AND ') || 'TRUE', values]
  }

  return {
    all: () => sql(`${select} ORDER BY id`).all().map(decode),
    get(id) {
      const raw = sql(`${select} WHERE id = ?`).get(id)
      return raw && decode(raw)
    },
    find(where) {
      const [filter, values] = matching(where)
      return sql(`${select} WHERE ${filter} ORDER BY id`)
        .all(...values)
        .map(decode)
    },
    latest(where, offset, limit) {
      const [filter, values] = matching(where)
      const text = `${select} WHERE ${filter} ORDER BY id DESC LIMIT ? OFFSET ?`
      return sql(text)
        .all(...values, limit, offset)
        .map(decode)
    },
    after(id, limit) {
      return sql(`${select} WHERE id > ? ORDER BY id LIMIT ?`).all(id, limit).map(decode)
    },
    insert(row) {
      const [names, values] = columnsOf(row)
      const columns = names.map(quote).join(', ')
      const places = names.map(() => '?').join(', ')
      const columnList = names.length > 0 ? `(${columns}) VALUES (${places})` : 'DEFAULT VALUES'
      const id = Number(run(`INSERT INTO ${table} ${columnList}`, values).lastInsertRowid)
      wrote([id])
      return id
    },
    update(id, row) {
      const [names, values] = columnsOf(row)
      const changes = names.map((name) => `${quote(name)} = ?`).join(', ') || 'id = id'
      const { changes: count } = run(`UPDATE ${table} SET ${changes} WHERE id = ?`, [...values, id])
      wrote([id])
      return count !== 0
    },
    remove(ids) {
      const text = `DELETE FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`
      const { changes: count } = run(text, [JSON.stringify(ids)])
      wrote(ids)
      return Number(count)
    },
    removeBelow(column, value) {
      if (column !== 'id' && !types.has(column)) throw new TypeError(`The table ${definition.name} has no ${column}.`)
      const { changes: count } = run(`DELETE FROM ${table} WHERE ${quote(column)} < ?`, [value])
      wrote(undefined)
      return Number(count)
    },
    count(where = {}) {
      const [filter, values] = matching(where)
      return Number(sql(`SELECT count(*) AS n FROM ${table} WHERE ${filter}`).get(...values)?.n)
    },
    textLength(where) {
      const [filter, values] = matching(where)
      const length = texts.map((name) => `coalesce(length(${quote(name)}), 0)`).join(' + ') || '0'
      return Number(sql(`SELECT coalesce(sum(${length}), 0) AS n FROM ${table} WHERE ${filter}`).get(...values)?.n)
    },
  }
}

/** What a database has: asked once, so that opening a table that is there costs nothing. */
export interface PresentSchema {
  /** By table. */
  columns: Map<string, Set<string>>
  indexes: Set<string>
}

export function readSchema(database: DatabaseSync): PresentSchema {
  const columns = new Map<string, Set<string>>()
  const indexes = new Set<string>()
  // A row for each table, and not for each of its columns: that takes a third of the time.
  const entries = database.prepare(`SELECT type, name,
    iif(type = 'table', (SELECT json_group_array(name) FROM pragma_table_info(entry.name)), '[]') AS "columns"
    FROM sqlite_schema AS entry`)
  for (const entry of entries.all()) {
    const name = String(entry.name)
    if (entry.type === 'index') indexes.add(name)
    else columns.set(name, new Set(JSON.parse(String(entry.columns))))
  }
  return { columns, indexes }
}

function prepareTable(
  database: DatabaseSync,
  definition: TableDefinition,
  { columns: columnsByTable, indexes }: PresentSchema,
): SchemaChange | undefined {
  const { name, columns } = definition
  const table = quote(name)
  const present = columnsByTable.get(name)
  const missing = columns.filter((column) => !present?.has(column.name))
  const added = columns
    .filter(({ unique, indexed }) => unique || indexed)
    .map((column) => ({ ...column, index: `${name}.${column.name} ${column.unique ? 'unique' : 'index'}` }))
    .filter(({ index }) => !indexes.has(index))
  const changes = [
    ...(present
      ? missing.map((column) => `ALTER TABLE ${table} ADD COLUMN ${declaration(column)}`)
      : [
          `CREATE TABLE ${table} (${['id INTEGER PRIMARY KEY AUTOINCREMENT', ...columns.map(declaration)].join(', ')})`,
        ]),
    ...added.map(
      ({ name, unique, index }) =>
        `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${quote(index)} ON ${table} (${quote(name)})`,
    ),
  ]
  if (changes.length === 0) return undefined
  changeSchema(database, changes)
  columnsByTable.set(name, new Set(columns.map((column) => column.name)))
  for (const { index } of added) indexes.add(index)
  return { definition, added: missing, isNew: !present, statements: changes }
}

/**
 * Without waiting for the disk: if the power goes before the next write, which does wait, the next start makes the same
 * changes again.
 */
function changeSchema(database: DatabaseSync, changes: readonly string[]): void {
  const isOwnTransaction = !database.isTransaction
  try {
    if (isOwnTransaction) database.exec('PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE')
    database.exec(changes.join('; '))
    if (isOwnTransaction) database.exec('COMMIT')
  } finally {
    if (isOwnTransaction) {
      if (database.isTransaction) database.exec('ROLLBACK')
      database.exec('PRAGMA synchronous = FULL')
    }
  }
}

function declaration({ name, type, initial }: Column): string {
  const affinity = type === 'FLAG' ? 'INTEGER' : type === 'JSON' ? 'TEXT' : type
  if (initial === undefined || initial === null) return `${quote(name)} ${affinity}`
  const value = bindable(type, initial)
  const literal = typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
  return `${quote(name)} ${affinity} DEFAULT ${literal}`
}

function bindable(type: Column['type'] | undefined, value: unknown): SQLInputValue {
  if (value === null) return null
  if (type === 'JSON' || Array.isArray(value)) return JSON.stringify(value)
  if (typeof value === 'boolean') return value ? 1 : 0
  return value as SQLInputValue
}
