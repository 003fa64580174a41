import { roles } from '../../src/schemas/define/access.ts'
import { entities } from '../../src/schemas/index.ts'
import { server } from '../../src/schemas/server.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Person } from '../person.ts'
import type { EntityHooks } from './entityHooks.ts'

/** What users own, over all entities: counted, deleted or moved when a user is deleted. */
export interface OwnedRecords {
  /** The number of records by the name of their entity; entities without any are left out. */
  counts(userId: number): Record<string, number>
  /** Deletes everything of these users. To be called in a transaction. @param person who orders it */
  remove(userIds: readonly number[], person: Person | undefined): void
  /**
   * Gives everything of these users to another one, but what is personal, which is deleted. Records of members reach no
   * more than before, also with an administrator: tasks, services and alerts keep to the servers that they covered, and
   * private targets stay closed until an administrator saves the record. To be called in a transaction.
   */
  move(userIds: readonly number[], to: number): void
  /** The same where the owner stays and becomes an administrator: to be called before that, in its transaction. */
  limit(userId: number): void
}

interface OwnedRecordsOptions {
  store: Store
  /** By entity name; read at each call. */
  hooks: ReadonlyMap<string, EntityHooks>
  /** A user's role; `undefined` when there is no such user. */
  roleOf: (id: number) => number | undefined
}

export function createOwnedRecords({ store, hooks, roleOf }: OwnedRecordsOptions): OwnedRecords {
  /** The entities whose records are in a table of their own, with an owner. */
  const owned = () =>
    Object.values(entities)
      .filter(({ name, api }) => !hooks.get(name)?.records && !hooks.get(name)?.pagedRows && api.paging !== 'window')
      .map((entity) => ({ name: entity.name, table: entityTable(store, entity), hooks: hooks.get(entity.name) ?? {} }))

  /** Writes all records of a user; another one gets nothing personal. @param isLimited whether they reach no more than those of a member afterwards */
  function rewrite(userId: number, to: number, isLimited: boolean): void {
    // Before the servers themselves have moved.
    const owns = entityTable(store, server).find({ user_id: userId })
    const servers = new Set(owns.map(({ id }) => id))
    for (const { table, hooks } of owned()) {
      for (const row of table.find({ user_id: userId })) {
        if (to !== userId && hooks.isPersonal?.(row)) {
          table.remove([row.id])
          hooks.afterDelete?.([row.id], { store, person: undefined }, [row])
          continue
        }
        const rights = isLimited ? { ...hooks.narrowed?.(row, servers), has_member_rights: true } : {}
        table.update(row.id, { ...rights, user_id: to })
      }
    }
  }

  return {
    counts: (userId) =>
      Object.fromEntries(
        owned().flatMap(({ name, table }) => {
          const count = table.count({ user_id: userId })
          return count > 0 ? [[name, count]] : []
        }),
      ),
    remove(userIds, person) {
      for (const { table, hooks } of owned()) {
        const rows = userIds.flatMap((userId) => table.find({ user_id: userId }))
        if (rows.length === 0) continue
        const ids = rows.map(({ id }) => id)
        table.remove(ids)
        hooks.afterDelete?.(ids, { store, person }, rows)
      }
    },
    move(userIds, to) {
      for (const userId of userIds) {
        rewrite(userId, to, roleOf(userId) !== roles.admin && roleOf(to) === roles.admin)
      }
    },
    limit: (userId) => rewrite(userId, userId, true),
  }
}
