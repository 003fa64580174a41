import { type FieldKind, readerOf } from './fieldKind.ts'

export const text: FieldKind = {
  column: () => 'TEXT',
  schema: () => ({ type: 'string' }),
  reader: () => readerOf({ kind: 'string' }),
}
