import { serverGroup } from '../../src/schemas/serverGroup.ts'
import { entityTable, type Row } from '../db/table.ts'
import type { Machines } from '../machines.ts'
import type { Behaviour } from './behaviour.ts'

/** Monitored machines (CONTRACT 5.4): kept rows, with what the machines told lately. */
export function serverBehaviour(machines: Machines, usernameOf: (id: number) => string | undefined): Behaviour {
  return {
    // Real servers look at nothing here: unknown DDNS profiles and an empty name are saved.
    check: (form) => form,
    missing: (id) => `server id ${id} does not exist`,
    order: byPlace,
    present: (wire, row) => ({ ...wire, ...machines.wireReport(row), owner: ownerOf(row.user_id, usernameOf) }),
    removed(ids, { store }) {
      const gone = new Set(ids)
      const groups = entityTable(store, serverGroup)
      for (const group of groups.all()) {
        const members = group.servers as number[]
        if (members.some((id) => gone.has(id))) {
          groups.update(group.id, { servers: members.filter((id) => !gone.has(id)) })
        }
      }
      machines.forget(ids)
    },
  }
}

/** The order that operators give by `display_index`, larger first; then by id. */
export const byPlace = (a: Row, b: Row) => (b.display_index as number) - (a.display_index as number) || a.id - b.id

function ownerOf(id: number, usernameOf: (id: number) => string | undefined) {
  const username = usernameOf(id)
  return username ? { id, username } : { id }
}
