import { moment as momentSchema } from '../../../src/schemas/define/fields.ts'
import { ApiError } from '../../wire/apiError.ts'
import type { FieldKind, FieldReader } from './fieldKind.ts'

const example = '2026-01-31T09:30:00+01:00'

/** RFC 3339 has seconds; the schema also takes times without. */
const seconds = /T\d\d:\d\d:\d\d/

/** Stored as it was sent, with its UTC offset and all digits of its fraction. */
const read: FieldReader = (node, place) => {
  if (node.kind === 'null') return ''
  const value = node.kind === 'string' ? node.value : undefined
  check(value, place.split('.').at(-1) ?? place)
  return value
}

function check(value: unknown, name: string): void {
  if (typeof value === 'string' && seconds.test(value) && momentSchema().safeParse(value).success) return
  throw new ApiError(`${name} must be a date and time in RFC 3339, such as ${example}`)
}

export const moment: FieldKind = {
  column: () => 'TEXT',
  schema: ({ nullable }) => ({ type: nullable ? ['string', 'null'] : 'string', format: 'date-time' }),
  reader: () => read,
  check,
}
