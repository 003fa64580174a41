import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import type { Store } from '../db/store.ts'
import { addAuditDetails } from '../http/routes/auditAction.ts'
import { route } from '../http/routes/route.ts'
import type { Log } from '../log.ts'
import { createDdns } from './ddns.ts'
import { ddnsHooks } from './ddnsHooks.ts'
import { createProviders, ddnsProviders } from './providers/index.ts'

interface DdnsPluginOptions {
  store: Store
  log: Log
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** Updates DNS names with the addresses of servers while the server listens; their status, and updates on demand. */
export const ddnsPlugin = fp(
  async (app: FastifyInstance, { store, log, now }: DdnsPluginOptions) => {
    const { machines, roleOf, mayCallPrivateTargets } = app
    const providers = createProviders(now)
    const ddns = createDdns({ store, machines, roleOf, mayCallPrivateTargets, providers, log, now })
    app.entityHooks.set('ddns', ddnsHooks)
    route(app, 'ddnsProviders', endpoints.ddnsProviders, () => ddnsProviders)
    route(app, 'ddnsSummaries', endpoints.ddnsSummaries, ({ person }) => ddns.summaries(person))
    route(app, 'ddnsResults', endpoints.ddnsResults, (request) => ddns.results(request.params.id, request.person))
    route(app, 'updateDdns', endpoints.updateDdns, (request) => {
      const { id } = request.params
      addAuditDetails(request, { target: `ddns ${id}` })
      return { names: ddns.updateNow(id, request.person) }
    })
    app.addHook('onListen', async () => ddns.start())
    app.addHook('onClose', () => ddns.stop())
  },
  { name: 'ddns', dependencies: ['entity-hooks', 'machines', 'outbound'] },
)
