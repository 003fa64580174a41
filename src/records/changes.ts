import type { z } from 'zod'
import { describeFields, emptyValue } from '../schemas/define/describe.ts'
import type { Entity } from '../schemas/define/entity.ts'
import { sameValue, type Values } from '../schemas/define/values.ts'
import type { Row } from './queryRows.ts'

/** Validates each changed field by its own rule. Fields that nobody changed are not judged by today's rules. */
export function parseChanges(entity: Entity, data: Values): Values {
  const touched = Object.entries<z.ZodType>(entity.form.shape).filter(([field]) => field in data)
  return Object.fromEntries(touched.map(([field, schema]) => [field, schema.parse(data[field])]))
}

/** The body of a refused update: the record as the server has it now, and the fields that two people changed. */
export interface Conflict {
  fresh: Row
  fields: readonly string[]
}

/** The fields that somebody else has changed since the record was opened, to another value than this person's. */
export function conflictingFields(entity: Entity, opened: Values | undefined, changes: Values, fresh: Row) {
  if (!opened) return []
  const kinds = new Map(describeFields(entity).map(({ name, kind }) => [name, kind]))
  const valueIn = (row: Values, field: string) => row[field] ?? emptyValue(kinds.get(field) ?? 'text')
  return Object.keys(changes).filter((field) => {
    const now = valueIn(fresh, field)
    return !sameValue(valueIn(opened, field), now) && !sameValue(now, changes[field])
  })
}
