import { insert, readRow, readVarint, remove, tableHeader } from './changeset.ts'

/** A value of SQLite. Whole numbers are `bigint`; `undefined` where a change leaves a column as it was. */
export type StoredValue = null | bigint | number | string | Buffer | undefined

/** What became of one row, its columns in the order of the table. */
export interface RowOperation {
  table: string
  kind: 'insert' | 'update' | 'delete'
  /** The places of the columns that make the key. */
  keys: readonly number[]
  /** The values before, at least those of the key; empty for an inserted row. */
  before: readonly StoredValue[]
  /** The values after; empty for a deleted row. */
  after: readonly StoredValue[]
}

/** Reads a changeset of SQLite (https://sqlite.org/session/changeset.html), row by row. */
export function readOperations(changeset: Uint8Array): RowOperation[] {
  const bytes = Buffer.from(changeset.buffer, changeset.byteOffset, changeset.byteLength)
  const operations: RowOperation[] = []
  let at = 0
  let table = ''
  let columns = 0
  let keys: number[] = []
  while (at < bytes.length) {
    const kind = bytes[at++]
    if (kind === tableHeader) {
      const [count, after] = readVarint(bytes, at)
      columns = count
      keys = [...bytes.subarray(after, after + count)].flatMap((flag, place) => (flag ? [place] : []))
      const end = bytes.indexOf(0, after + count)
      table = bytes.toString('utf8', after + count, end)
      at = end + 1
      continue
    }
    // The next byte tells whether a trigger made the change; there are none.
    const [row, end] = readRow(bytes, at + 1, columns)
    at = end
    const first = row.map(decode)
    if (kind === insert) operations.push({ table, kind: 'insert', keys, before: [], after: first })
    else if (kind === remove) operations.push({ table, kind: 'delete', keys, before: first, after: [] })
    else {
      const [changed, endOfChanged] = readRow(bytes, at, columns)
      at = endOfChanged
      operations.push({ table, kind: 'update', keys, before: first, after: changed.map(decode) })
    }
  }
  return operations
}

function decode(bytes: Buffer): StoredValue {
  switch (bytes[0]) {
    case 1:
      return bytes.readBigInt64BE(1)
    case 2:
      return bytes.readDoubleBE(1)
    case 3:
      return bytes.toString('utf8', readVarint(bytes, 1)[1])
    case 4:
      return bytes.subarray(readVarint(bytes, 1)[1])
    case 5:
      return null
    default:
      return undefined
  }
}
