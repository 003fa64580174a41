import type { FieldDescription } from '../../../src/schemas/define/describe.ts'
import type { WireType } from '../../wire/wireType.ts'
import { type FieldKind, readerOf } from './fieldKind.ts'

export const number: FieldKind = {
  column: ({ integer }) => (integer ? 'INTEGER' : 'REAL'),
  schema: ({ integer }) => ({ type: integer ? 'integer' : 'number' }),
  reader: (field) => readerOf(wireType(field)),
}

function wireType({ integer, minimum, maximum }: FieldDescription): WireType {
  if (!integer) return { kind: 'float64' }
  if (minimum === undefined || minimum < 0) return { kind: 'int' }
  return maximum !== undefined && maximum <= 255 ? { kind: 'uint8' } : { kind: 'uint64' }
}
