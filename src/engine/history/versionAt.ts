import type { Entity } from '../../schemas/define/entity.ts'
import type { Values } from '../../schemas/define/values.ts'
import type { Change } from '../../schemas/endpoints/changeEndpoints.ts'

/** What a record held after one of its changes. */
export interface Version {
  /** The fields that have been changed since, with their values of that time; `undefined` for those that were empty. */
  values: Values
  /** The fields that have been changed since, and whose content is not kept: secrets, and what was too long. */
  lost: readonly string[]
}

/**
 * The version of a record that one of its changes made.
 * @param changes all of the record's changes from the latest one on, at least until that one
 * @param index of the change in them
 */
export function versionAt(entity: Entity, changes: readonly Change[], index: number): Version {
  const values = new Map<string, unknown>()
  const lost = new Set<string>()
  // From the latest to the earliest: what the earliest one found is what the version held.
  for (const { fields } of changes.slice(0, index)) {
    for (const { name, from, secret, cut } of fields) {
      if (!(name in entity.form.shape)) continue
      values.delete(name)
      lost.delete(name)
      if (secret || cut) lost.add(name)
      else values.set(name, from ?? undefined)
    }
  }
  return { values: Object.fromEntries(values), lost: [...lost] }
}
