import { createContext } from 'react'
import type { Identifier, RaRecord } from 'react-admin'
import { describeFields, emptyValue, type FieldDescription, isConcealed } from '../../schemas/define/describe.ts'
import type { Entity } from '../../schemas/define/entity.ts'
import type { Values } from '../../schemas/define/values.ts'
import type { Resource } from '../define/defineResource.ts'
import { initialValues, valuesOf } from './validate.ts'

/** The state of a navigation to the create dialog that asks for a copy. */
export interface DuplicateState {
  duplicate: Identifier
}

/** A record that is being created as a copy. */
export interface Copy {
  original: RaRecord
  /** The fields that somebody chose to leave empty. */
  without: ReadonlySet<string>
  leaveOut: (field: string, isLeftOut: boolean) => void
}

/** Set around a form that creates a copy. */
export const CopyContext = createContext<Copy | undefined>(undefined)

/** Whether the value cannot be copied: secrets, and what the server hides. */
export const isNotCopied = ({ kind, concealedBy }: FieldDescription, original: Values): boolean =>
  kind === 'secret' || (concealedBy !== undefined && !original[concealedBy])

/** Whether a person has to enter the value again, or to choose that the copy is created without it. */
export const mustBeEnteredAgain = (field: FieldDescription, original: Values): boolean =>
  isNotCopied(field, original) && field.editable && !field.required

/** The fields on screen that still have to be entered again. */
export function missingInCopy(definition: Resource, { original, without }: Copy, values: Values): string[] {
  const shown = shownFields(definition, values)
  return describeFields(definition.entity)
    .filter((field) => mustBeEnteredAgain(field, original) && shown.has(field.name) && !without.has(field.name))
    .map(({ name }) => name)
    .filter((name) => String(values[name] ?? '').trim() === '')
}

/**
 * The values of a form that creates a copy.
 *
 * @param rename makes the copy's name from the original's
 */
export function copiedValues(
  entity: Entity,
  original: RaRecord,
  nameField: string,
  rename: (name: string) => string,
): Values {
  const fresh = initialValues(entity)
  const own = valuesOf(entity, original)
  const copied = describeFields(entity).filter(
    (field) =>
      field.editable &&
      !field.transient &&
      !isNotCopied(field, original) &&
      // An older server does not know this field.
      !(field.newer && !(field.name in original)),
  )
  return {
    ...fresh,
    ...structuredClone(Object.fromEntries(copied.map(({ name }) => [name, own[name]]))),
    ...(typeof own[nameField] === 'string' && { [nameField]: rename(own[nameField]) }),
  }
}

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
