import { type FieldKind, readerOf } from './fieldKind.ts'
import { structuredType } from './structuredType.ts'

export const json: FieldKind = {
  column: () => 'JSON',
  schema: () => ({}),
  reader: (field, entity) => readerOf(structuredType(field, entity)),
}
