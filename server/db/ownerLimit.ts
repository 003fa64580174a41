import type { Table } from './table.ts'

/** Limits a log: deletes the oldest entries of the owner with the most, so that nobody pushes out those of others. */
export interface OwnerLimit {
  /** An entry was added. */
  added(ownerId: number): void
  /** Deletes what is too much. */
  apply(): void
}

/** @param most entries of all owners together @param where only these entries are counted and deleted */
export function createOwnerLimit<Row extends { id: number; user_id: number }>(
  table: Table<Row>,
  most: number,
  where: Partial<Row> = {},
): OwnerLimit {
  /** The owners of the entries; read once there are too many. */
  let owners: Set<number> | undefined

  function removeOldest(excess: number): void {
    owners ??= new Set(table.find(where).map(({ user_id }) => user_id))
    const counts = [...owners].map((user_id) => ({ user_id, count: table.count({ ...where, user_id }) }))
    const { user_id, count } = counts.reduce((one, other) => (other.count > one.count ? other : one))
    table.remove(table.latest({ ...where, user_id }, count - excess, excess).map(({ id }) => id))
  }

  return {
    added: (ownerId) => void owners?.add(ownerId),
    apply() {
      const tooMany = () => table.count(where) - most
      for (let excess = tooMany(); excess > 0; excess = tooMany()) removeOldest(excess)
    },
  }
}
