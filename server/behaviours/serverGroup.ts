import { server } from '../../src/schemas/server.ts'
import { entityTable } from '../db/table.ts'
import { owns } from '../person.ts'
import { Refusal } from '../refusal.ts'
import type { Behaviour, Context } from './behaviour.ts'

/** Groups of servers (CONTRACT 5.5). Names may be empty, as on real servers. */
export const serverGroup: Behaviour = {
  missing: (id) => `group id ${id} does not exist`,
  foreign: 'unauthorized',
  check(form, context) {
    // Real servers trip over repeated ids that do not stand side by side; here the order does not matter.
    const members = [...new Set(form.servers as number[])].sort((a, b) => a - b)
    const servers = entityTable(context.store, server)
    for (const id of members) {
      const member = servers.get(id)
      if (!member) throw new Refusal('have invalid server id')
      if (!owns(context.person, member)) throw new Refusal('permission denied')
    }
    return { ...form, servers: members }
  },
  isVisible: (row, context) =>
    context.person ? owns(context.person, row) : (row.servers as number[]).some((id) => isPublic(id, context)),
}

function isPublic(id: number, { store }: Context): boolean {
  const member = entityTable(store, server).get(id)
  return member !== undefined && !member.hide_for_guest
}
