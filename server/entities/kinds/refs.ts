import { type FieldKind, readerOf } from './fieldKind.ts'

export const refs: FieldKind = {
  column: () => 'JSON',
  schema: () => ({ type: ['array', 'null'], items: { type: 'integer' } }),
  reader: () => readerOf({ kind: 'list', of: { kind: 'uint64' } }),
}
