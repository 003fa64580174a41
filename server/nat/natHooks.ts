import { nat as entity } from '../../src/schemas/nat.ts'
import { server } from '../../src/schemas/server.ts'
import type { Behaviour } from '../api/entityHooks.ts'
import { entityTable } from '../entities/entityTable.ts'
import { owns } from '../person.ts'
import { ApiError } from '../wire/apiError.ts'
import { hostName, reservedNames } from './hostName.ts'

/**
 * NAT profiles (docs/contract/CONTRACT.md#510-nat). A host name by which the console itself is reached cannot be given
 * away.
 * @param ownHosts the names this server listens by
 */
export const natBehaviour = (ownHosts: readonly string[]): Behaviour => ({
  missing: (id) => `profile id ${id} does not exist`,
  check(form, context, row) {
    const machine = entityTable(context.store, server).get(form.server_id as number)
    if (!machine) throw new ApiError('have invalid server id')
    if (!owns(context.person, machine)) throw new ApiError('permission denied')
    const domain = form.domain as string
    if (reservedNames(context.store, ownHosts).has(hostName(domain))) throw new ApiError('permission denied')
    const taken = entityTable(context.store, entity).find({ domain })
    if (taken.some(({ id }) => id !== row?.id)) throw new ApiError('database error')
    return form
  },
})
