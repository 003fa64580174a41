import { describeFields } from './describe.ts'
import type { Entity } from './entity.ts'
import type { Mention } from './fields.ts'
import { fieldsIn } from './values.ts'

/** A place in an entity's records that holds ids of another entity. */
export interface Reference extends Mention {
  field: string
}

/** All places in an entity's records that hold ids: fields of the kinds `ref`, `refs` and `idSet`, and `mentions`. */
export function referencesOf(entity: Entity): Reference[] {
  return describeFields(entity).flatMap(({ name, to, unknown, mentions = [] }) => {
    const places: readonly Mention[] = to ? [{ to, unknown }, ...mentions] : mentions
    return places.map((place) => ({ ...place, field: name }))
  })
}

/** The ids in a field's value, as text (see `Mention` for `path`). An entry of an object with `false` does not count. */
export function referencedIds(value: unknown, [key, ...rest]: readonly string[] = []): string[] {
  if (key === '*') return Array.isArray(value) ? value.flatMap((item) => referencedIds(item, rest)) : []
  if (key !== undefined) return referencedIds(fieldsIn(value)[key], rest)
  if (typeof value === 'string') return value.split(',').map((id) => id.trim())
  if (value && typeof value === 'object' && !Array.isArray(value)) {
    return Object.entries(value).flatMap(([id, on]) => (on === false ? [] : [id]))
  }
  return [value ?? []].flat().map(String)
}
