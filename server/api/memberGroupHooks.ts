import type { Entity } from '../../src/schemas/define/entity.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { EntityHooks } from './entityHooks.ts'

/**
 * Groups of records (docs/contract/CONTRACT.md#55-server-groups-and-notifier-groups). Names may be empty, as on real
 * servers.
 * @param membersKey the field that holds the ids of the members
 * @param unknownMember the error for an id that does not exist
 */
export const memberGroupHooks = (
  membersKey: string,
  unknownMember: string,
): Pick<EntityHooks, 'validation' | 'notFoundError' | 'unknownReference'> => ({
  validation: 'contract',
  notFoundError: (id) => `group id ${id} does not exist`,
  unknownReference: (field) => (field === membersKey ? unknownMember : undefined),
})

/** Real servers fail on repeated ids that are not neighbours; here the order does not matter. */
export const sortedMembers = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b)

/** Takes deleted members out of all groups. */
export function dropMembers(store: Store, groups: Entity, membersKey: string, deleted: readonly number[]): void {
  const ids = new Set(deleted)
  const table = entityTable(store, groups)
  for (const group of table.all()) {
    const members = group[membersKey] as number[]
    if (!members.some((id) => ids.has(id))) continue
    table.update(group.id, { [membersKey]: members.filter((id) => !ids.has(id)) })
  }
}
