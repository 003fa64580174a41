import { describeFields, emptyValue } from '../../../schemas/define/describe.ts'
import type { Entity } from '../../../schemas/define/entity.ts'
import { sameValue } from '../../../schemas/define/sameValue.ts'

export type Values = Record<string, unknown>

/** The values of a form that creates: what the schema names, else the kind's "nothing". */
export function initialValues(entity: Entity): Values {
  return valuesFrom(entity, ({ initial, kind, newer }) =>
    // An older server would not know what to do with it: it is sent when somebody sets it.
    newer ? undefined : structuredClone(initial ?? emptyValue(kind)),
  )
}

/** The values of a form that edits: the record's own; what the wire left out is the kind's "nothing". */
export function valuesOf(entity: Entity, record: Values): Values {
  return valuesFrom(entity, ({ name, kind }) => record[name] ?? emptyValue(kind))
}

/** The fields whose value is another than at the start: only these are checked and sent on an edit. */
export function changesBetween(before: Values, after: Values): Values {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => !sameValue(before[name], value)))
}

type EditableField = ReturnType<typeof describeFields>[number]

function valuesFrom(entity: Entity, valueFor: (field: EditableField) => unknown): Values {
  const editable = describeFields(entity).filter((field) => field.editable)
  return Object.fromEntries(editable.map((field) => [field.name, valueFor(field)]))
}
