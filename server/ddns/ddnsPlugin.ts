import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import { server } from '../../src/schemas/server.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { addAuditDetails } from '../http/routes/auditAction.ts'
import { route } from '../http/routes/route.ts'
import type { Log } from '../log.ts'
import { addressFormatter, formatAddresses } from '../notifications/maskAddress.ts'
import { messagesOf } from '../site/messages.ts'
import { readSite } from '../site/site.ts'
import { createDdns, type DdnsTrouble } from './ddns.ts'
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
    const { machines, roleOf, mayCallPrivateTargets, notifications } = app
    const providers = createProviders(now)
    const servers = entityTable(store, server)
    const messages = messagesOf(store)

    function onTrouble({ desired, isOver, problem }: DdnsTrouble): void {
      const { domain, record, serverId, address } = desired
      const shown = formatAddresses({ [record === 'A' ? 'ipv4_addr' : 'ipv6_addr']: address }, addressFormatter(store))
      notifications.send({
        groupId: readSite(store).ip_change_notification_group_id,
        message: messages(isOver ? 'ddns_recovered' : 'ddns_failed', {
          domain,
          record,
          address: shown,
          server: servers.get(serverId)?.name ?? '',
          problem,
        }),
        serverId,
      })
    }

    const ddns = createDdns({ store, machines, roleOf, mayCallPrivateTargets, providers, onTrouble, log, now })
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
  { name: 'ddns', dependencies: ['entity-hooks', 'machines', 'outbound', 'notifications'] },
)
