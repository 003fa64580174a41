import { describeFields, isConcealed } from '../../src/schemas/define/describe.ts'
import type { Entity } from '../../src/schemas/define/entity.ts'
import type { Row } from '../db/table.ts'
import type { Form } from './readForm.ts'

/**
 * What clients are not shown they cannot send back: where a form has nothing for a concealed field, the stored value
 * stays (docs/contract/CONTRACT.md#1-spec-vs-current-server, rows 11 and 12).
 */
export function keepConcealed(entity: Entity, form: Form, row: Row): Form {
  const blank = describeFields(entity).filter((field) => field.editable && isConcealed(field) && !form[field.name])
  return { ...form, ...Object.fromEntries(blank.map(({ name }) => [name, row[name]])) }
}

/** The form without what is only said with a save. */
export function kept(entity: Entity, form: Form): Form {
  const said = new Set(describeFields(entity).flatMap(({ name, transient }) => (transient ? [name] : [])))
  return Object.fromEntries(Object.entries(form).filter(([name]) => !said.has(name)))
}
