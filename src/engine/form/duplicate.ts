import { createContext } from 'react'
import type { Identifier, RaRecord } from 'react-admin'
import { describeFields, type FieldDescription } from '../../schemas/define/describe.ts'
import type { Entity } from '../../schemas/define/entity.ts'
import type { Values } from '../../schemas/define/values.ts'
import type { Resource } from '../define/defineResource.ts'
import { initialValues, valuesOf } from './formValues.ts'
import { shownFields } from './hiddenFields.ts'

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
