/**
 * What takes changes back that a session of SQLite has recorded: an inserted row is deleted, a deleted one inserted, and
 * an updated one gets its values from before (https://sqlite.org/session/changeset.html).
 */
export function inverse(changeset: Uint8Array): Uint8Array {
  const bytes = Buffer.from(changeset)
  const parts: Buffer[] = []
  let at = 0
  let keys: readonly boolean[] = []

  while (at < bytes.length) {
    const from = at
    const kind = bytes[at++]
    if (kind === tableHeader) {
      const [count, after] = readVarint(bytes, at)
      keys = [...bytes.subarray(after, after + count)].map((flag) => flag !== 0)
      at = bytes.indexOf(0, after + count) + 1
      parts.push(bytes.subarray(from, at))
      continue
    }
    const isIndirect = bytes[at++] ?? 0
    const [row, end] = readRow(bytes, at, keys.length)
    at = end
    if (kind !== update) {
      parts.push(Buffer.of(kind === insert ? remove : insert, isIndirect), ...row)
      continue
    }
    const [changed, endOfChanged] = readRow(bytes, at, keys.length)
    at = endOfChanged
    // The key stays where it was: only what has changed has a value on both sides.
    const before = changed.map((value, column) => (keys[column] ? (row[column] as Buffer) : value))
    const after = row.map((value, column) => (keys[column] ? nothing : value))
    parts.push(Buffer.of(update, isIndirect), ...before, ...after)
  }
  return Buffer.concat(parts)
}

export const tableHeader = 0x54
/** The numbers of SQLite for the three kinds of changes. */
export const [remove, insert, update] = [9, 18, 23] as const

/** A column without a value. */
const nothing = Buffer.of(0)
/** Bytes of values that all have the same length, by their type. */
const fixedLengths: Readonly<Record<number, number>> = { 0: 0, 1: 8, 2: 8, 5: 0 }

/** @returns the values of a row as they stand there, and the place behind them */
export function readRow(bytes: Buffer, start: number, columns: number): [values: Buffer[], end: number] {
  const values: Buffer[] = []
  let at = start
  for (let column = 0; column < columns; column++) {
    const end = endOfValue(bytes, at)
    values.push(bytes.subarray(at, end))
    at = end
  }
  return [values, at]
}

function endOfValue(bytes: Buffer, at: number): number {
  const fixed = fixedLengths[bytes[at] ?? 0]
  if (fixed !== undefined) return at + 1 + fixed
  const [length, after] = readVarint(bytes, at + 1)
  return after + length
}

/** A number of SQLite: seven bits in each byte, the highest first, and all eight in the ninth. */
export function readVarint(bytes: Buffer, start: number): [value: number, end: number] {
  let value = 0
  for (let at = start; ; at++) {
    const byte = bytes[at] ?? 0
    if (at === start + 8) return [value * 256 + byte, at + 1]
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) return [value, at + 1]
  }
}
