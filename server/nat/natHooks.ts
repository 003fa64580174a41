import { nat as entity } from '../../src/schemas/nat.ts'
import type { EntityHooks } from '../api/entityHooks.ts'
import { entityTable } from '../entities/entityTable.ts'
import { ApiError } from '../wire/apiError.ts'
import { hostName, reservedNames } from './hostName.ts'

/**
 * NAT profiles (docs/contract/CONTRACT.md#510-nat). A host name by which the console itself is reached cannot be given
 * away.
 * @param ownHosts the names this server listens by
 */
export const natHooks = (ownHosts: readonly string[]): EntityHooks => ({
  validation: 'contract',
  notFoundError: (id) => `profile id ${id} does not exist`,
  unknownReference: { server_id: () => 'have invalid server id' },
  validate(form, { store }, row) {
    const domain = form.domain as string
    if (reservedNames(store, ownHosts).has(hostName(domain))) throw new ApiError('permission denied')
    const taken = entityTable(store, entity).find({ domain })
    if (taken.some(({ id }) => id !== row?.id)) throw new ApiError('database error')
    return form
  },
})
