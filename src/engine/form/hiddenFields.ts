import { describeFields, emptyValue, isConcealed } from '../../schemas/define/describe.ts'
import type { Values } from '../../schemas/define/values.ts'
import type { Resource } from '../define/defineResource.ts'
import { initialValues } from './formValues.ts'

/** The names of the fields that a form shows for these values. */
export function shownFields({ form }: Pick<Resource, 'form'>, values: Values): Set<string> {
  const shown = form.filter(({ when }) => !when || when(values))
  return new Set(shown.flatMap(({ items }) => items.map((item) => (typeof item === 'string' ? item : item.source))))
}

/** What becomes of the stored values of fields that were on screen when the form opened, and that a choice has hidden. */
export interface HiddenFields {
  /** Fields whose stored value a save clears. */
  cleared: readonly string[]
  /** Fields whose value stays stored, because servers hide it: nobody could enter it again by looking at it. */
  kept: readonly string[]
}

interface Opened {
  /** The form's values when it opened. */
  before: Values
  /** Whether it edits a stored record. */
  isStored: boolean
}

/**
 * The fields of a stored record that this form's choices hide. What was hidden already when the form opened is not
 * among them: nobody chose anything about it.
 */
export function newlyHidden(definition: Resource, { before, isStored }: Opened, values: Values): HiddenFields {
  const shown = shownFields(definition, values)
  const shownBefore = shownFields(definition, before)
  const hidden = describeFields(definition.entity).filter(
    ({ name }) => isStored && shownBefore.has(name) && !shown.has(name),
  )
  return {
    cleared: hidden.filter((field) => !isConcealed(field)).map(({ name }) => name),
    kept: hidden.filter(isConcealed).map(({ name }) => name),
  }
}

/**
 * The values that a save sends. The form keeps what somebody entered before a choice has hidden it, so that choosing
 * back brings it back; a save does not: hidden fields are as in a new record, or as stored where they must stay.
 */
export function withoutHidden(definition: Resource, opened: Opened, values: Values): Values {
  const { before, isStored } = opened
  const shown = shownFields(definition, values)
  const inForm = shownFields({ form: definition.form.map((section) => ({ ...section, when: undefined })) }, values)
  const hidden = describeFields(definition.entity).filter(({ name }) => inForm.has(name) && !shown.has(name))
  // A bulk edit asks this ten thousand times, and most forms hide nothing.
  if (hidden.length === 0) return values
  const cleared = new Set(newlyHidden(definition, opened, values).cleared)
  const fresh = initialValues(definition.entity)
  const replaced = hidden.map(({ name, kind }) => {
    if (!isStored) return [name, fresh[name]]
    return [name, cleared.has(name) ? (fresh[name] ?? emptyValue(kind)) : before[name]]
  })
  return { ...values, ...Object.fromEntries(replaced) }
}
