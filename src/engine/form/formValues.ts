import { describeFields, emptyValue } from '../../schemas/define/describe.ts'
import type { Entity } from '../../schemas/define/entity.ts'
import { sameValue, type Values } from '../../schemas/define/values.ts'

/** The values of a form that creates: the schema's default, else the empty value of the field's kind. */
export function initialValues(entity: Entity): Values {
  return valuesFrom(entity, ({ initial, kind, newer }) =>
    // An older server does not know this field: it is sent only when somebody sets it.
    newer ? undefined : structuredClone(initial ?? emptyValue(kind)),
  )
}

/** The values of a form that edits: the record's own; what the wire left out has the empty value of its kind. */
export function valuesOf(entity: Entity, record: Values): Values {
  return valuesFrom(entity, ({ name, kind }) => record[name] ?? emptyValue(kind))
}

/** The fields whose values have changed: only these are validated and sent on an edit. */
export function changesBetween(before: Values, after: Values): Values {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => !sameValue(before[name], value)))
}

type EditableField = ReturnType<typeof describeFields>[number]

function valuesFrom(entity: Entity, valueFor: (field: EditableField) => unknown): Values {
  const editable = describeFields(entity).filter((field) => field.editable)
  return Object.fromEntries(editable.map((field) => [field.name, valueFor(field)]))
}
