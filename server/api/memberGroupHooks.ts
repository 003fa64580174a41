import type { Entity } from '../../src/schemas/define/entity.ts'
import type { Store } from '../db/store.ts'
import { entityTable, type Owned } from '../entities/entityTable.ts'
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

/**
 * Takes members out of groups, as when they are deleted.
 * @param leaves whether they leave a group, by its owner. Default: all
 * @returns the ids of the groups that they were in
 */
export function dropMembers(
  store: Store,
  groups: Entity,
  membersKey: string,
  dropped: readonly number[],
  leaves: (group: Owned) => boolean = () => true,
): number[] {
  const ids = new Set(dropped)
  const table = entityTable(store, groups)
  return table.all().flatMap((group) => {
    const members = group[membersKey] as number[]
    if (!members.some((id) => ids.has(id)) || !leaves(group)) return []
    table.update(group.id, { [membersKey]: members.filter((id) => !ids.has(id)) })
    return [group.id]
  })
}
