import type { Entity } from '../../../schemas/define/entity.ts'
import { type Reference, referencedIds, referencesOf } from '../../../schemas/define/references.ts'
import { entities } from '../../../schemas/index.ts'

/** The places in an entity's records where ids of another entity stand. */
export const referencesIn = (entity: Entity, to: string): Reference[] =>
  referencesOf(entity).filter((reference) => reference.to === to)

/**
 * The entities whose records refer to an entity, and where they do. Lists that the server pages are left out: there is
 * no call that gives all of their records.
 */
export function referencesTo(name: string, all: Readonly<Record<string, Entity>> = entities) {
  return Object.values(all)
    .filter((entity) => entity.name !== name && entity.api.paging === 'whole')
    .map((entity) => ({ entity, references: referencesIn(entity, name) }))
    .filter(({ references }) => references.length > 0)
}

/** Whether a record refers at this place to one of these ids. */
export const refersTo = (record: Values, { field, path }: Reference, ids: ReadonlySet<string>): boolean =>
  referencedIds(record[field], path).some((id) => ids.has(id))

type Values = Readonly<Record<string, unknown>>
