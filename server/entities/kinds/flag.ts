import { type FieldKind, readerOf } from './fieldKind.ts'

export const flag: FieldKind = {
  column: () => 'FLAG',
  schema: () => ({ type: 'boolean' }),
  reader: () => readerOf({ kind: 'bool' }),
}
