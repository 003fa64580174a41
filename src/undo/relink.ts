import { describeField, emptyValue, type Reference, referencedIds, referencesOf } from '../schemas/define/describe.ts'
import type { Entity } from '../schemas/define/entity.ts'
import { fieldsIn, isObject, type Values } from '../schemas/define/values.ts'

type Id = number | string

/** The id that a record has now, by the one that it had; `undefined` when that has not changed. */
export type NewId = (entity: string, id: string) => Id | undefined

/** A value with new ids in place of old ones (see `Mention` for `path`). */
export function replaceIds(
  value: unknown,
  path: readonly string[] = [],
  newId: (id: string) => Id | undefined,
): unknown {
  const [key, ...rest] = path
  if (key === '*') return Array.isArray(value) ? value.map((item) => replaceIds(item, rest, newId)) : value
  if (key !== undefined) {
    if (!isObject(value) || !(key in value)) return value
    return { ...value, [key]: replaceIds(value[key], rest, newId) }
  }
  if (typeof value === 'string') {
    const ids = value.split(',').map((id) => id.trim())
    return ids.some((id) => newId(id) !== undefined) ? ids.map((id) => newId(id) ?? id).join(',') : value
  }
  if (Array.isArray(value)) return value.map((id) => newId(String(id)) ?? id)
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([id, on]) => [newId(id) ?? id, on]))
  return newId(String(value)) ?? value
}

/** A record's fields with new ids wherever they name records by old ones. */
export function withNewIds<V extends Values>(entity: Entity, values: V, newId: NewId): V {
  const renewed: Record<string, unknown> = { ...values }
  for (const { field, path, to } of referencesOf(entity)) {
    if (field in renewed) renewed[field] = replaceIds(renewed[field], path, (id) => newId(to, id))
  }
  return renewed as V
}

/** An id that a record pointed at, and the one that it has now. */
export interface Renewed {
  from: Id
  to: Id
  /** The value of the id, where ids are the keys of an object; `undefined` elsewhere. */
  value?: unknown
}

/**
 * A field's value that points again at records that came back. What points at the old id gets the new one; where the
 * server has taken the old one out, the new one is added. A reference that somebody has set to another record since
 * stays as it is.
 */
export function relinked(
  entity: Entity,
  { field, path }: Pick<Reference, 'field' | 'path'>,
  value: unknown,
  renewed: readonly Renewed[],
): unknown {
  const byOld = new Map(renewed.map(({ from, to }) => [String(from), to]))
  const replaced = replaceIds(value, path, (id) => byOld.get(id))
  if (path) return replaced
  const present = new Set(referencedIds(replaced))
  const missing = renewed.filter(({ to }) => !present.has(String(to)))
  const kind = describeField(entity, field)?.kind
  if (kind === 'ref') return replaced || (missing[0]?.to ?? replaced)
  if (missing.length === 0) return replaced
  if (kind === 'refs') return [...((replaced as Id[] | null | undefined) ?? []), ...missing.map(({ to }) => to)]
  if (typeof replaced === 'string') return [replaced, ...missing.map(({ to }) => to)].filter(Boolean).join(',')
  const added = missing.flatMap(({ to, value: beside }) => (beside === undefined ? [] : [[to, beside]]))
  return added.length === 0 ? replaced : { ...fieldsIn(replaced), ...Object.fromEntries(added) }
}

/** Ids in a field that name no record, where a server would refuse the record for them. */
export interface DeadReference {
  field: string
  to: string
  ids: readonly string[]
}

/**
 * A record's fields without ids of records that no longer exist, and which these are.
 * @param exists whether a record exists; `undefined` when it is not known
 */
export function withoutDead<V extends Values>(
  entity: Entity,
  values: V,
  exists: (entity: string, id: string) => boolean | undefined,
): { values: V; dead: DeadReference[] } {
  const alive: Record<string, unknown> = { ...values }
  const dead: DeadReference[] = []
  for (const { field, path, to, unknown } of referencesOf(entity)) {
    const kind = describeField(entity, field)?.kind
    if (path || unknown === 'accepted' || !(field in alive) || !kind) continue
    const ids = referencedIds(alive[field]).filter((id) => id !== '0' && exists(to, id) === false)
    if (ids.length === 0) continue
    const gone = new Set(ids)
    dead.push({ field, to, ids })
    alive[field] = withoutIds(alive[field], gone) ?? emptyValue(kind)
  }
  return { values: alive as V, dead }
}

/** A value without some ids; `undefined` for a single id that is one of them. */
function withoutIds(value: unknown, ids: ReadonlySet<string>): unknown {
  const stays = (id: unknown) => !ids.has(String(id).trim())
  if (Array.isArray(value)) return value.filter(stays)
  if (typeof value === 'string') return value.split(',').filter(stays).join(',')
  if (isObject(value)) return Object.fromEntries(Object.entries(value).filter(([id]) => stays(id)))
  return undefined
}
