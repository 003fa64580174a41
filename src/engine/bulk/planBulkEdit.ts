import type { RaRecord } from 'react-admin'
import { isReadOnly } from '../../schemas/define/access.ts'
import { describeField, describeFields, emptyValue } from '../../schemas/define/describe.ts'
import type { Entity } from '../../schemas/define/entity.ts'
import { sameValue, type Values } from '../../schemas/define/values.ts'
import type { Resource } from '../define/defineResource.ts'
import { changesBetween, initialValues, valuesOf } from '../form/formValues.ts'
import { shownFields, withoutHidden } from '../form/hiddenFields.ts'
import { type FieldError, validate } from '../form/validate.ts'
import { applyChange, type FieldChange } from './fieldChange.ts'

/** By field. */
export type FieldChanges = Readonly<Record<string, FieldChange>>

/** A record that will be written. */
export interface PlannedUpdate {
  record: RaRecord
  /** The values of its form before. */
  before: Values
  /** The fields to write, parsed by the schema. */
  data: Values
}

/** A record that would be refused, and why. */
export interface Refusal {
  record: RaRecord
  reasons: readonly (FieldError & { field?: string })[]
}

export interface BulkPlan {
  updates: PlannedUpdate[]
  refusals: Refusal[]
  unchanged: RaRecord[]
}

/**
 * What a bulk edit would do to each record, by the rules of its form: only changed fields are judged and written, and a
 * field that a record's other choices do not use is not written to it.
 */
export function planBulkEdit(definition: Resource, records: readonly RaRecord[], changes: FieldChanges): BulkPlan {
  const plan: BulkPlan = { updates: [], refusals: [], unchanged: [] }
  for (const record of records) {
    const outcome = planRecord(definition, record, changes)
    if ('reasons' in outcome) plan.refusals.push(outcome)
    else if (Object.keys(outcome.data).length > 0) plan.updates.push(outcome)
    else plan.unchanged.push(record)
  }
  return plan
}

/** Records that are planned in one go: a few milliseconds, which delay no keystroke. */
const recordsAtOnce = 200

/** The same for many records, so that the page stays alive meanwhile: ten thousand take a second or two. */
export async function planInSlices(
  definition: Resource,
  records: readonly RaRecord[],
  changes: FieldChanges,
): Promise<BulkPlan> {
  const plan: BulkPlan = { updates: [], refusals: [], unchanged: [] }
  for (let from = 0; from < records.length; from += recordsAtOnce) {
    const slice = planBulkEdit(definition, records.slice(from, from + recordsAtOnce), changes)
    plan.updates.push(...slice.updates)
    plan.refusals.push(...slice.refusals)
    plan.unchanged.push(...slice.unchanged)
    await new Promise((resume) => setTimeout(resume))
  }
  return plan
}

function planRecord(definition: Resource, record: RaRecord, changes: FieldChanges): PlannedUpdate | Refusal {
  const { entity } = definition
  if (isReadOnly(record)) return { record, reasons: [{ message: 'app.form.read_only' }] }
  const before = valuesOf(entity, record)
  const entered = { ...before, ...changedValues(entity, record, before, changes) }
  const changed = Object.keys(changesBetween(before, entered))
  const shown = shownFields(definition, entered)
  const unused = changed.filter((field) => !shown.has(field))
  if (unused.length > 0) {
    return { record, reasons: unused.map((field) => ({ field, message: 'app.bulk.unused_field' })) }
  }
  const values = withoutHidden(definition, { before, isStored: true }, entered)
  const { values: parsed, errors } = validate(entity, values, Object.keys(changesBetween(before, values)))
  if (errors) return { record, reasons: Object.entries(errors).map(([field, error]) => ({ field, ...error })) }
  // Parsing trims texts and sorts ids, which may leave what was there.
  return { record, before, data: changesBetween(before, parsed) }
}

function changedValues(entity: Entity, record: RaRecord, before: Values, changes: FieldChanges): Values {
  const changed = Object.entries(changes).flatMap(([name, change]) => {
    const field = describeField(entity, name)
    // An older server does not know a newer field.
    return field && !(field.newer && !(name in record)) ? [{ field, change }] : []
  })
  return Object.fromEntries(
    changed.map(({ field, change }) => {
      const value = applyChange(field, before[field.name], change)
      return [field.name, isSameOrEmpty(value, before[field.name]) ? before[field.name] : value]
    }),
  )
}

/** Servers and inputs have several values for "nothing": `null`, no entries, an empty text. */
const isSameOrEmpty = (value: unknown, before: unknown) =>
  sameValue(value, before) || (isBlank(value) && isBlank(before))

const isBlank = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

/** What the inputs of a bulk edit start with: the values that all records share, else those of a new record. */
export function commonValues(entity: Entity, records: readonly RaRecord[]): Values {
  const fresh = initialValues(entity)
  const [first, ...others] = records
  return Object.fromEntries(
    describeFields(entity)
      .filter(({ editable }) => editable)
      .map(({ name, kind }) => {
        const isShared = first !== undefined && others.every((other) => sameValue(other[name], first[name]))
        return [name, structuredClone((isShared ? first[name] : fresh[name]) ?? emptyValue(kind))]
      }),
  )
}
