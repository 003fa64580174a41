import { type FieldDescription, isConcealed } from '../../src/schemas/define/describe.ts'
import { isEmpty } from '../wire/withoutEmpty.ts'
import type { ResponseRow, Row } from './row.ts'

const stamps = ['id', 'created_at', 'updated_at']

/**
 * Gives a function that writes a stored record as replies have it: without its owner and its secrets, and without
 * empty values where the contract omits them.
 */
export function createRowEncoder(fields: readonly FieldDescription[]): (row: Row) => ResponseRow {
  const sent = fields.filter(({ name, transient }) => !stamps.includes(name) && !transient)
  const names = [...stamps, ...sent.map(({ name }) => name)]
  // Fields that only newer servers have are always sent: by them clients recognise a newer server.
  const omittable = new Set(sent.filter((field) => field.omittable && !field.newer).map(({ name }) => name))
  const concealed = new Set(sent.filter(isConcealed).map(({ name }) => name))

  return (row) => {
    const encoded: ResponseRow = {}
    for (const name of names) {
      const value = concealed.has(name) ? '' : row[name]
      if (!omittable.has(name) || !isEmpty(value)) encoded[name] = value
    }
    return encoded
  }
}
