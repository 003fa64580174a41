import { createContext } from 'react'
import type { Identifier, RaRecord } from 'react-admin'
import { describeFields, type FieldDescription } from '../../../schemas/define/describe.ts'
import type { Entity } from '../../../schemas/define/entity.ts'
import type { Resource } from '../define/defineResource.ts'
import { initialValues, type Values, valuesOf } from './formValues.ts'

/** What the address of a new record carries along when it is to be a copy. */
export interface DuplicateState {
  duplicate: Identifier
}

/** A record that is being created as a copy. */
export interface Copy {
  original: RaRecord
  /** The fields that somebody said to create it without. */
  without: ReadonlySet<string>
  leaveOut: (field: string, isLeftOut: boolean) => void
}

/** What a form is about when it creates a copy. */
export const CopyContext = createContext<Copy | undefined>(undefined)

/** Whether a copy has to be told this again: secrets, and what the server hides. */
export const isNotCopied = ({ kind, concealedBy }: FieldDescription, original: Values): boolean =>
  kind === 'secret' || (concealedBy !== undefined && !original[concealedBy])

/** Whether a copy must be told this again, or somebody has to say that it goes without. */
export const isAskedAgain = (field: FieldDescription, original: Values): boolean =>
  isNotCopied(field, original) && field.editable && !field.required

/** What a copy has not been told again, of the fields that its form shows. */
export function missingInCopy({ entity, form }: Resource, { original, without }: Copy, values: Values): string[] {
  const shown = form
    .filter(({ when }) => !when || when(values))
    .flatMap(({ items }) => items.map((item) => (typeof item === 'string' ? item : item.source)))
  return describeFields(entity)
    .filter((field) => isAskedAgain(field, original) && shown.includes(field.name) && !without.has(field.name))
    .map(({ name }) => name)
    .filter((name) => String(values[name] ?? '').trim() === '')
}

/**
 * The values of a form that creates a copy.
 * @param rename says what the copy is called, by the name of the original
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
      // An older server would not know what to do with it.
      !(field.newer && !(field.name in original)),
  )
  return {
    ...fresh,
    ...structuredClone(Object.fromEntries(copied.map(({ name }) => [name, own[name]]))),
    ...(typeof own[nameField] === 'string' && { [nameField]: rename(own[nameField]) }),
  }
}
