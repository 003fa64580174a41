/**
 * A column beside `id`. FLAG is kept as 0 or 1 and read as a boolean; JSON is kept as text and parsed on reading.
 * A missing value is `initial`, else null.
 */
export interface Column {
  name: string
  type: 'INTEGER' | 'REAL' | 'TEXT' | 'FLAG' | 'JSON'
  unique?: boolean
  /** Whether rows are found and counted by it without reading the others. */
  indexed?: boolean
  /** Value of rows that have none, also of those from before the column was added. */
  initial?: unknown
}

/** `id INTEGER PRIMARY KEY AUTOINCREMENT` comes by itself: an id is never given twice, deleted rows included. */
export interface TableDefinition {
  name: string
  columns: readonly Column[]
}

/** Values that the columns of rows equal; a list stands for one of its values. Not for columns of the type JSON. */
export type Where<Row> = { readonly [Name in keyof Row]?: Row[Name] | readonly Row[Name][] }

/** A table that is read from the disk at each call: for logs, and for what its owner holds in memory. */
export interface Table<Row extends { id: number }> {
  /** All rows by id, ascending. */
  all(): readonly Row[]
  get(id: number): Row | undefined
  /** Rows whose columns equal all of these values, by id. Keys with `undefined` do not count. */
  find(where: Partial<Row>): Row[]
  /** As `find`, the highest id first: `limit` of them after the first `offset`. For logs. */
  latest(where: Where<Row>, offset: number, limit: number): Row[]
  /** The first `limit` rows whose id is higher, by id. */
  after(id: number, limit: number): Row[]
  /**
   * @param row with an id only where its owner holds the rows in memory and could not store it before
   * @returns the new id
   */
  insert(row: Partial<Omit<Row, 'id'>> & { id?: number }): number
  /** Changes the named columns. @returns whether there is such a row */
  update(id: number, row: Partial<Omit<Row, 'id'>>): boolean
  /** Unknown ids are ignored. @returns the number of deleted rows */
  remove(ids: readonly number[]): number
  /** Removes rows whose column is less than the value. @returns the number of deleted rows */
  removeBelow(column: Extract<keyof Row, string>, value: number | string): number
  /** How many rows have these values; all of them by default. */
  count(where?: Where<Row>): number
  /** How many characters the texts of the rows with these values have, JSON included. */
  textLength(where: Partial<Row>): number
}

/**
 * A table of configuration or state: its rows are in memory, where they are read at once, and what is written is on the
 * disk when the call returns or its transaction ends. Also inside a transaction everybody reads what was written, and
 * after one that failed what was there before.
 *
 * The rows are shared: do not change them. A row, and the list of all, is the same object until it is written.
 */
export interface ResidentTable<Row extends { id: number }>
  extends Pick<Table<Row>, 'all' | 'get' | 'find' | 'insert' | 'update' | 'remove' | 'textLength'> {
  /** How many rows have these values; all of them by default. */
  count(where?: Partial<Row>): number
  /**
   * The rows by another key, kept up to date. Where several rows have a key, it is one of them.
   * @returns a function that gives the map, which changes with the table
   */
  index<Key>(keyOf: (row: Row) => Key): () => ReadonlyMap<Key, Row>
  /**
   * Calls `listener` with each change, in the transaction of the write: what it writes itself is on the disk with the
   * change or not at all. It may find out by itself who makes the change.
   * @param columns only changes for which one of these was written; rows that come and go always count
   */
  onChange(columns: readonly string[], listener: (change: RowChange<Row>) => void): void
}

/** A row before and after a write: one of both is missing where it was added or deleted. */
export interface RowChange<Row> {
  readonly before?: Row
  readonly after?: Row
}
