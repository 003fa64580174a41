import { type FieldKind, readerOf } from './fieldKind.ts'
import { structuredType } from './structuredType.ts'

export const list: FieldKind = {
  column: () => 'JSON',
  schema: () => ({ type: ['array', 'null'], items: { type: 'string' } }),
  reader: (field, entity) => readerOf(structuredType(field, entity)),
}
