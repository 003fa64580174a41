import { type FieldKind, readerOf } from './fieldKind.ts'

export const idSet: FieldKind = {
  column: () => 'JSON',
  schema: () => ({ type: ['object', 'null'], additionalProperties: { type: 'boolean' } }),
  reader: () => readerOf({ kind: 'map', key: 'uint64', of: { kind: 'bool' } }),
}
