import { escapeLiteral } from 'pg'
import type { StoredValue } from '../changesetRows.ts'
import type { Column } from '../table.ts'

/**
 * The types of columns in PostgreSQL. `json` rather than `jsonb`, because it keeps the text as it was written: the order of
 * keys is that of the form, and a copy back into SQLite is equal byte for byte.
 */
export type PostgresType = 'bigint' | 'double precision' | 'text' | 'boolean' | 'json' | 'bytea'

export interface PostgresColumn {
  name: string
  type: PostgresType
}

export const typeOfColumn: Readonly<Record<Column['type'], PostgresType>> = {
  INTEGER: 'bigint',
  REAL: 'double precision',
  TEXT: 'text',
  FLAG: 'boolean',
  JSON: 'json',
}

/**
 * A text of PostgreSQL cannot hold the character NUL. In its place stands one that Unicode gives to no text; where a text
 * has that one all the same, or the next one, the next one goes before it.
 */
const [nul, inPlaceOfNul, before] = ['\u0000', '\ufdd0', '\ufdd1']
const storedText = (text: string): string =>
  text.replace(/[\ufdd0\ufdd1]/g, `${before}$&`).replaceAll(nul, inPlaceOfNul)

/** @throws TypeError for a value that the column cannot hold: such a transaction must not be committed anywhere */
export function literalOf(value: StoredValue, { name, type }: PostgresColumn): string {
  if (value === null || value === undefined) return 'NULL'
  if (type === 'bytea' && Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`
  if (type === 'text' || type === 'json') return escapeLiteral(storedText(String(value)))
  if (type === 'bigint' && (typeof value === 'bigint' || Number.isSafeInteger(value))) return String(value)
  if (type === 'double precision' && typeof value === 'bigint') return String(value)
  if (type === 'double precision' && typeof value === 'number') return `'${value}'`
  if (type === 'boolean' && (typeof value === 'bigint' || typeof value === 'number'))
    return Number(value) === 0 ? 'false' : 'true'
  throw new TypeError(`The column ${name} is of the type ${type} and cannot hold a ${typeof value}.`)
}

/** A text as it was before `literalOf`. */
export const restoredText = (text: string): string =>
  text.replace(/\ufdd1([\ufdd0\ufdd1])|\ufdd0/g, (_, kept?: string) => kept ?? nul)

/** The value for SQLite of what PostgreSQL sends as text. */
export function storedValue(text: string | null, type: PostgresType): null | bigint | number | string | Buffer {
  if (text === null) return null
  switch (type) {
    case 'bigint':
      return BigInt(text)
    case 'double precision':
      return Number(text)
    case 'boolean':
      return text === 't' ? 1n : 0n
    case 'bytea':
      return Buffer.from(text.slice(2), 'hex')
    default:
      return restoredText(text)
  }
}

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`
