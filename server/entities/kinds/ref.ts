import { type FieldKind, readerOf } from './fieldKind.ts'

export const ref: FieldKind = {
  column: () => 'INTEGER',
  schema: () => ({ type: 'integer' }),
  reader: () => readerOf({ kind: 'uint64' }),
}
