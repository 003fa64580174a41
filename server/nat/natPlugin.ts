import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import { nat as entity } from '../../src/schemas/nat.ts'
import type { EntityHooks } from '../api/entityHooks.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { addAuditDetails, route } from '../http/routes/route.ts'
import type { Log } from '../log.ts'
import { isAdmin } from '../person.ts'
import type { Settings } from '../settings.ts'
import { ApiError } from '../wire/apiError.ts'
import { timestamp } from '../wire/timestamp.ts'
import { hostName, ownHostsOf, reservedNames } from './destinations.ts'
import { wantsTunnel } from './forwardRequest.ts'
import { createNat, type NatServices } from './nat.ts'

export type NatLimits = Pick<NatServices, 'times' | 'limits'>

interface NatOptions {
  store: Store
  log: Pick<Log, 'error'>
  settings: Pick<Settings, 'host' | 'publicUrl' | 'allowUnreleasedNames'>
  /** How long and how many forwarded requests may take. */
  nat?: NatLimits
}

/** Host names that lead to services behind monitored machines: their requests never reach the app. */
export const natPlugin = fp(
  async (app: FastifyInstance, { store, log, settings, nat: limits }: NatOptions) => {
    const { users, waf } = app.auth
    const nat = createNat({ store, machines: app.machines, users, waf, settings, log, ...limits })
    app.entityHooks.set('nat', natHooks(ownHostsOf(settings)))
    const profiles = entityTable(store, entity)
    route(app, { name: 'releaseNat', audit: 'nat.release' }, endpoints.releaseNat, (request) => {
      const { id } = request.params
      const profile = profiles.get(id)
      if (!profile) throw new ApiError(profileNotFound(id))
      addAuditDetails(request, { target: `nat ${id}`, detail: { name: profile.domain } })
      profiles.update(id, { awaits_release: false, updated_at: timestamp() })
    })
    app.dispatch.forward(app, { ...nat, isUpgrade: wantsTunnel })
    app.addHook('preClose', async () => nat.stop())
  },
  // After `http`: the sockets that are registered there are then behind the names that are forwarded.
  { name: 'nat', dependencies: ['entity-hooks', 'http', 'machines'] },
)

const profileNotFound = (id: number) => `profile id ${id} does not exist`

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
