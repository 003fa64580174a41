import { server } from '../../src/schemas/server.ts'
import type { Context, EntityHooks } from '../api/entityHooks.ts'
import { memberGroupHooks } from '../api/memberGroupHooks.ts'
import { entityTable } from '../entities/entityTable.ts'
import { owns } from '../person.ts'

/** Groups of servers; visitors without an account see those with a public server. */
export const serverGroupHooks: EntityHooks = {
  ...memberGroupHooks('servers', 'have invalid server id'),
  notOwnerError: 'unauthorized',
  isVisible: (row, context) =>
    context.person ? owns(context.person, row) : (row.servers as number[]).some((id) => isPublic(id, context)),
}

function isPublic(id: number, { store }: Context): boolean {
  const member = entityTable(store, server).get(id)
  return member !== undefined && !member.hide_for_guest
}
