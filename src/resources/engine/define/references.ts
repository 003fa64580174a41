import type { Entity } from '../../../schemas/define/entity.ts'
import { type Reference, referencedIds, referencesOf } from '../../../schemas/define/references.ts'
import { entities } from '../../../schemas/index.ts'

/** Where the records of an entity point at another. */
export const pointersIn = (entity: Entity, to: string): Reference[] =>
  referencesOf(entity).filter((reference) => reference.to === to)

/** The entities whose records point at another, and where. Of a list that the server pages, no page is the whole. */
export function pointersTo(name: string, all: Readonly<Record<string, Entity>> = entities) {
  return Object.values(all)
    .filter((entity) => entity.name !== name && entity.api.paging === 'whole')
    .map((entity) => ({ entity, pointers: pointersIn(entity, name) }))
    .filter(({ pointers }) => pointers.length > 0)
}

/** Whether a record points at one of those at this place. */
export const pointsAt = (record: Values, { field, path }: Reference, ids: ReadonlySet<string>): boolean =>
  referencedIds(record[field], path).some((id) => ids.has(id))

type Values = Readonly<Record<string, unknown>>
