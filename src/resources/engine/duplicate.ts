import { createContext } from 'react'
import type { Identifier, RaRecord } from 'react-admin'
import { describeFields, type FieldDescription } from '../../schemas/describe.ts'
import type { Entity } from '../../schemas/entity.ts'
import { initialValues, type Values, valuesOf } from './formValues.ts'

/** What the address of a new record carries along when it is to be a copy. */
export interface DuplicateState {
  duplicate: Identifier
}

/** The record that a new one is copied from, where it is a copy. */
export const OriginalContext = createContext<RaRecord | undefined>(undefined)

/** Whether a copy has to be told this again: secrets, and what the server hides. */
export const isNotCopied = ({ kind, concealedBy }: FieldDescription, original: Values): boolean =>
  kind === 'secret' || (concealedBy !== undefined && !original[concealedBy])

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
