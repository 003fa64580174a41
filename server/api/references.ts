import type { Entity } from '../../src/schemas/define/entity.ts'
import { referencedIds } from '../../src/schemas/define/references.ts'
import { compileEntity, type FormReference } from '../entities/compileEntity.ts'
import type { Form, Row } from '../entities/row.ts'
import { ApiError } from '../wire/apiError.ts'
import type { Context, EntityHooks, Records } from './entityHooks.ts'

/** @throws ApiError when the form names a record that does not exist, or that this person may not see */
export type ReferenceCheck = (form: Form, context: Context, row?: Row) => void

/**
 * Checks the ids of other records in a form, as the schema declares them (`ref`, `refs`, `idSet`, `mentions`). An
 * update is checked for the ids that it adds: what a record refers to may have been deleted since, and it can still be
 * saved.
 * @param recordsOf the records of an entity by its name
 */
export function createReferenceCheck(
  entity: Entity,
  hooks: EntityHooks,
  recordsOf: (name: string) => Records,
): ReferenceCheck {
  const { references } = compileEntity(entity)

  function check(reference: FormReference, id: number, form: Form, context: Context): void {
    const { field, to, unknown } = reference
    const { person } = context
    const visibility = recordsOf(to).visibility(person, id, hooks.namesWith, context.ownerId)
    if (visibility === 'visible' || (visibility !== 'missing' && hooks.mayName?.(field, form, context))) return
    if (visibility === 'foreign') {
      throw new ApiError(
        `${field}: ${to.replaceAll('-', ' ')} id ${id} and this record belong to different owners: give both to one team`,
      )
    }
    if (visibility === 'hidden' && hooks.validation === 'contract') throw new ApiError('permission denied')
    const contractError = visibility === 'missing' ? hooks.unknownReference?.(field, id, form) : undefined
    if (contractError !== undefined) throw new ApiError(contractError)
    // A token could name the next id, and have what somebody makes with it later.
    if (visibility === 'missing' && unknown === 'accepted' && !person?.token) return
    const error = `${to.replaceAll('-', ' ')} id ${id} does not exist`
    // The same error for missing and hidden records, so that it does not show that a hidden one exists.
    throw new ApiError(hooks.validation === 'contract' ? error : `${field}: ${error}`)
  }

  return (form, context, row) => {
    for (const reference of references) {
      const { field, path } = reference
      const stored = new Set(row ? idsIn(row[field], path) : [])
      for (const id of idsIn(form[field], path)) {
        if (!stored.has(id) && !(id === 0 && reference.isOptional)) check(reference, id, form, context)
      }
    }
  }
}

/** The ids in the value of a field. */
export const idsIn = (value: unknown, path: readonly string[] | undefined): number[] =>
  referencedIds(value, path).flatMap((id) => (/^\d+$/.test(id) ? [Number(id)] : []))
