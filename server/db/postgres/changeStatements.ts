import type { RowOperation, StoredValue } from '../changesetRows.ts'
import { literalOf, type PostgresColumn, quoteName } from './columnTypes.ts'

/** The columns of each table, in the order in which SQLite has them. */
export type PostgresTables = ReadonlyMap<string, readonly PostgresColumn[]>

/**
 * The statements that make the same changes in PostgreSQL. Rows that follow each other in one table share a statement.
 * @param schema quoted
 * @throws TypeError for a value that PostgreSQL cannot hold
 */
export function changeStatements(
  operations: readonly RowOperation[],
  schema: string,
  tables: PostgresTables,
): string[] {
  const statements: string[] = []
  const highest = new Map<string, bigint>()
  for (let at = 0; at < operations.length; ) {
    const { table, kind } = operations[at] as RowOperation
    const columns = tables.get(table)
    if (!columns) throw new TypeError(`The table ${table} is not in PostgreSQL.`)
    let end = at + 1
    while (kind !== 'update' && operations[end]?.table === table && operations[end]?.kind === kind) end++
    const rows = operations.slice(at, end)
    const target = `${schema}.${quoteName(table)}`
    if (kind === 'insert')
      statements.push(
        insertStatement(
          target,
          columns,
          rows.map(({ after }) => after),
        ),
      )
    else if (kind === 'delete') statements.push(deleteStatement(target, columns, rows))
    else statements.push(...rows.map((row) => updateStatement(target, columns, row)))
    if (kind === 'insert') for (const { keys, after } of rows) noteHighest(highest, table, columns, keys, after)
    at = end
  }
  for (const [name, id] of highest) statements.push(sequenceStatement(schema, name, id))
  return statements
}

export function insertStatement(
  target: string,
  columns: readonly PostgresColumn[],
  rows: readonly (readonly StoredValue[])[],
): string {
  const values = rows.map((row) => `(${columns.map((column, place) => literalOf(row[place], column)).join(', ')})`)
  return `INSERT INTO ${target} (${columns.map(({ name }) => quoteName(name)).join(', ')}) VALUES ${values.join(', ')}`
}

/** The highest id that a table has given: it is never given again, also when its row is deleted. */
export const sequenceStatement = (schema: string, table: string, id: bigint): string =>
  `INSERT INTO ${schema}.sequence AS present (name, value) VALUES (${literalOf(table, nameColumn)}, ${id}) ` +
  'ON CONFLICT (name) DO UPDATE SET value = greatest(present.value, excluded.value)'

const nameColumn: PostgresColumn = { name: 'name', type: 'text' }

function deleteStatement(target: string, columns: readonly PostgresColumn[], rows: readonly RowOperation[]): string {
  const keys = rows[0]?.keys ?? []
  const names = keys.map((place) => quoteName(columnAt(columns, place).name)).join(', ')
  const values = rows.map(
    ({ before }) => `(${keys.map((place) => literalOf(before[place], columnAt(columns, place))).join(', ')})`,
  )
  return `DELETE FROM ${target} WHERE (${names}) IN (${values.join(', ')})`
}

function updateStatement(
  target: string,
  columns: readonly PostgresColumn[],
  { keys, before, after }: RowOperation,
): string {
  const equal = (place: number, value: StoredValue) =>
    `${quoteName(columnAt(columns, place).name)} = ${literalOf(value, columnAt(columns, place))}`
  const changes = after.flatMap((value, place) => (value === undefined ? [] : [equal(place, value)]))
  return `UPDATE ${target} SET ${changes.join(', ')} WHERE ${keys.map((place) => equal(place, before[place])).join(' AND ')}`
}

function noteHighest(
  highest: Map<string, bigint>,
  table: string,
  columns: readonly PostgresColumn[],
  keys: readonly number[],
  row: readonly StoredValue[],
): void {
  const [key = -1] = keys
  const id = row[key]
  if (columns[key]?.name !== 'id' || typeof id !== 'bigint') return
  if (id > (highest.get(table) ?? 0n)) highest.set(table, id)
}

function columnAt(columns: readonly PostgresColumn[], place: number): PostgresColumn {
  const column = columns[place]
  if (!column) throw new TypeError('A changed row has more columns than its table in PostgreSQL.')
  return column
}
