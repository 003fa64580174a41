import type { RaRecord } from 'react-admin'
import { isReadOnly } from '../../schemas/define/access.ts'
import {
  describeField,
  describeFields,
  emptyValue,
  type FieldDescription,
  isConcealed,
  type Kind,
} from '../../schemas/define/describe.ts'
import type { Entity } from '../../schemas/define/entity.ts'
import { fieldsIn, sameValue, type Values } from '../../schemas/define/values.ts'
import type { Resource } from '../define/defineResource.ts'
import type { FieldItem } from '../define/form.ts'
import { shownFields, withoutHidden } from '../form/newValues.ts'
import { changesBetween, type FieldError, initialValues, validate, valuesOf } from '../form/validate.ts'

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

/** What a bulk edit does to one field of every selected record. */
export type FieldChange =
  /** `value` as an input of the field holds it: all of the new value, or the entries to add or remove. */
  | { mode: 'set' | 'add' | 'remove'; value: unknown }
  | { mode: 'prefix' | 'suffix'; text: string }
  /** Every occurrence of `find`, in this very spelling, becomes `text`. An empty `find` finds nothing. */
  | { mode: 'replace'; find: string; text: string }

export type ChangeMode = FieldChange['mode']

/** @param before the stored value @returns the new one; `before` itself where there is nothing to change */
export function applyChange({ kind }: FieldDescription, before: unknown, change: FieldChange): unknown {
  const text = typeof before === 'string' ? before : ''
  switch (change.mode) {
    case 'set':
      return change.value
    case 'add':
    case 'remove':
      return kindChanges[kind].entries?.[change.mode](before, change.value)
    case 'prefix':
      return change.text + text
    case 'suffix':
      return text + change.text
    case 'replace':
      return change.find === '' ? before : text.replaceAll(change.find, () => change.text)
  }
}

/** A field that a bulk edit offers. */
export interface BulkField extends FieldItem {
  field: FieldDescription
  /** What can be done to it; the first is what most people want. */
  modes: readonly ChangeMode[]
}

/**
 * The fields that can be changed in many records at once, by the sections of the form. Left out: fields that servers
 * hide, because nobody could see or restore what is overwritten; fields that are never stored; newer fields that no
 * record has.
 */
export function bulkFields(
  { entity, form }: Pick<Resource, 'entity' | 'form'>,
  records: readonly RaRecord[],
): { section: string; fields: BulkField[] }[] {
  const offered = (item: string | FieldItem): BulkField[] => {
    const options: FieldItem = typeof item === 'string' ? { source: item } : item
    const field = describeField(entity, options.source)
    if (!field || field.transient || isConcealed(field)) return []
    if (field.newer && !records.some((record) => field.name in record)) return []
    return [{ ...options, field, modes: modesOf(field, entity.nameField) }]
  }
  return form
    .map(({ section, items }) => ({ section, fields: items.flatMap(offered) }))
    .filter(({ fields }) => fields.length > 0)
}

/** A name tells records apart, so it is never the same for all. */
function modesOf({ name, kind }: FieldDescription, nameField: string): ChangeMode[] {
  const { isText, entries } = kindChanges[kind]
  return [
    ...(entries ? (['add', 'remove'] as const) : []),
    ...(name === nameField ? [] : (['set'] as const)),
    ...(isText ? (['replace', 'prefix', 'suffix'] as const) : []),
  ]
}

/** The changes that a bulk edit can make to values of a kind, beside setting a new one. */
export interface KindChanges {
  /** The value is a text: it can get a prefix or a suffix, and a part of it can be replaced. */
  isText?: true
  /** The value has entries, which can be added and removed one by one; both get and give values as they are stored. */
  entries?: {
    add: (value: unknown, added: unknown) => unknown
    remove: (value: unknown, removed: unknown) => unknown
  }
}

type Entries = NonNullable<KindChanges['entries']>

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A list without repetition. A value that has nothing to change is given back as it is. */
const listEntries: Entries = {
  add: (value, added) => {
    const missing = listOf(added).filter((entry) => !listOf(value).includes(entry))
    return missing.length > 0 ? [...listOf(value), ...missing] : value
  },
  remove: (value, removed) => {
    const gone = new Set(listOf(removed))
    return listOf(value).some((entry) => gone.has(entry)) ? listOf(value).filter((entry) => !gone.has(entry)) : value
  },
}

/** `{ "3": true }` holds 3; an entry with `false` has no meaning and stays as it is. */
const setEntries: Entries = {
  add: (value, added) => ({ ...fieldsIn(value), ...trueOf(fieldsIn(added)) }),
  remove: (value, removed) => {
    const gone = trueOf(fieldsIn(removed))
    const rest = Object.entries(fieldsIn(value)).filter(([id, isOn]) => !isOn || !(id in gone))
    return rest.length < Object.keys(fieldsIn(value)).length ? Object.fromEntries(rest) : value
  },
}

const trueOf = (set: Values) => Object.fromEntries(Object.entries(set).filter(([, isOn]) => isOn))

/** Apart from `values.ts`, because only a bulk edit needs it. */
const kindChanges: Record<Kind, KindChanges> = {
  text: { isText: true },
  multiline: { isText: true },
  url: { isText: true },
  secret: {},
  number: {},
  flag: {},
  choice: {},
  ref: {},
  refs: { entries: listEntries },
  idSet: { entries: setEntries },
  list: { entries: listEntries },
  json: {},
  moment: {},
}
