import type { Entity } from '../../src/schemas/define/entity.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { owns } from '../person.ts'
import { ApiError } from '../wire/apiError.ts'
import type { Behaviour } from './entityHooks.ts'

interface Members {
  /** The key under which the ids stand. */
  key: string
  /** What the members are. */
  of: Entity
  /** The refusal of an id that leads nowhere. */
  unknown: string
}

/**
 * Groups of records (docs/contract/CONTRACT.md#55-server-groups-and-notifier-groups). Names may be empty, as on real
 * servers.
 */
export const memberGroup = ({ key, of, unknown }: Members): Behaviour => ({
  missing: (id) => `group id ${id} does not exist`,
  check(form, { store, person }) {
    // Real servers trip over repeated ids that do not stand side by side; here the order does not matter.
    const members = [...new Set(form[key] as number[])].sort((a, b) => a - b)
    const table = entityTable(store, of)
    for (const id of members) {
      const member = table.get(id)
      if (!member) throw new ApiError(unknown)
      if (!owns(person, member)) throw new ApiError('permission denied')
    }
    return { ...form, [key]: members }
  },
})

/** Takes members that are gone out of all groups. */
export function dropMembers(store: Store, groups: Entity, key: string, gone: readonly number[]): void {
  const ids = new Set(gone)
  const table = entityTable(store, groups)
  for (const group of table.all()) {
    const members = group[key] as number[]
    if (members.some((id) => ids.has(id))) table.update(group.id, { [key]: members.filter((id) => !ids.has(id)) })
  }
}
