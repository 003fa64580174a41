import { nat as entity } from '../../src/schemas/nat.ts'
import type { EntityHooks } from '../api/entityHooks.ts'
import { entityTable } from '../entities/entityTable.ts'
import { isAdmin } from '../person.ts'
import { ApiError } from '../wire/apiError.ts'
import { hostName, reservedNames } from './hostName.ts'

export const profileNotFound = (id: number) => `profile id ${id} does not exist`

/**
 * NAT profiles (docs/contract/CONTRACT.md#510-nat). A host name is stored as browsers send it, and belongs to one profile,
 * enabled or not. One by which the console itself is reached cannot be given away, and one that a member has chosen waits
 * for an administrator to release it.
 * @param ownHosts the names this server listens by
 */
export const natHooks = (ownHosts: readonly string[]): EntityHooks<typeof entity> => ({
  validation: 'contract',
  serversOf: ({ server_id }) => [server_id],
  notFoundError: profileNotFound,
  unknownReference: () => 'have invalid server id',
  validate(form, { store, person }, row) {
    const domain = hostName(form.domain)
    if (reservedNames(store, ownHosts).has(domain)) throw new ApiError('permission denied')
    const sameName = entityTable(store, entity)
      .all()
      .filter((other) => hostName(other.domain) === domain)
    if (sameName.some(({ id }) => id !== row?.id)) throw new ApiError('database error')
    // Whoever owns a machine could otherwise have the visitors of any name that points here.
    const wasReleased = sameName.length > 0 && row !== undefined && !row.awaits_release
    return { ...form, domain, awaits_release: !isAdmin(person) && !wasReleased }
  },
})
