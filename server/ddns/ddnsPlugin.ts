import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import { server } from '../../src/schemas/server.ts'
import type { EntityHooks } from '../api/entityHooks.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { addAuditDetails, route } from '../http/routes/route.ts'
import type { Log } from '../log.ts'
import { addressFormatter, formatAddresses } from '../notifications/serverText.ts'
import { messagesOf } from '../site/messages.ts'
import { readSite } from '../site/site.ts'
import { ApiError } from '../wire/apiCall.ts'
import { createDdns, type Ddns } from './ddns.ts'
import { createProviders, ddnsProviders } from './providers/index.ts'
import { asciiDomain } from './recordTracker.ts'
import { type DdnsTrouble, recordKey, recordName, type UpdateResult } from './updateResults.ts'

declare module 'fastify' {
  interface FastifyInstance {
    ddns: DdnsTroubles
  }
}

/** The DNS records that stay wrong. */
export interface DdnsTroubles extends Pick<Ddns, 'troubles'> {
  /** Calls `listener` with each trouble before people are told of it. */
  onTrouble(listener: (trouble: DdnsTrouble) => void): void
}

interface DdnsPluginOptions {
  store: Store
  log: Log
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** Updates DNS names with the addresses of servers while the server listens; their status, and updates on demand. */
export const ddnsPlugin = fp(
  async (app: FastifyInstance, { store, log, now }: DdnsPluginOptions) => {
    const { machines, roleOf, mayCallPrivateTargets, incidentMessages } = app
    const providers = createProviders(now)
    const servers = entityTable(store, server)
    const messages = messagesOf(store)
    const listeners = new Set<(trouble: DdnsTrouble) => void>()

    function tell(change: 'began' | 'lasts' | 'ended', result: UpdateResult): void {
      const { profile_id: id, domain, record, server_id, address, words: problem } = result
      const shown = formatAddresses({ [record === 'A' ? 'ipv4_addr' : 'ipv6_addr']: address }, addressFormatter(store))
      const subject = `ddns ${recordKey(result)}`
      incidentMessages.send({
        about: { kind: 'ddns', id, server_id, service_id: 0, record: recordName(result), subject, change },
        groupId: readSite(store).ip_change_notification_group_id,
        message: messages(change === 'ended' ? 'ddns_recovered' : 'ddns_failed', {
          domain,
          record,
          address: shown,
          server: servers.get(server_id)?.name ?? '',
          problem,
        }),
        serverId: server_id,
      })
    }

    function onTrouble(trouble: DdnsTrouble): void {
      for (const listener of listeners) listener(trouble)
      const { change, result } = trouble
      if (change !== 'withdrawn') tell(change, result)
    }

    const ddns = createDdns({ store, machines, roleOf, mayCallPrivateTargets, providers, onTrouble, log, now })
    app.decorate('ddns', { troubles: ddns.troubles, onTrouble: (listener) => void listeners.add(listener) })
    app.entityHooks.set('ddns', ddnsHooks)
    route(app, 'ddnsProviders', endpoints.ddnsProviders, () => ddnsProviders)
    route(app, 'ddnsSummaries', endpoints.ddnsSummaries, ({ person }) => ddns.summaries(person))
    route(app, 'ddnsResults', endpoints.ddnsResults, (request) => ddns.results(request.params.id, request.person))
    route(app, { name: 'updateDdns', audit: 'ddns.run' }, endpoints.updateDdns, (request) => {
      const { id } = request.params
      addAuditDetails(request, { target: `ddns ${id}` })
      return { names: ddns.updateNow(id, request.person) }
    })
    app.addHook('onListen', async () => {
      // Should it not be known that people were told.
      for (const result of ddns.troubles()) tell('lasts', result)
      ddns.start()
    })
    app.addHook('onClose', () => ddns.stop())
  },
  { name: 'ddns', dependencies: ['entity-hooks', 'machines', 'outbound', 'incidents'] },
)

/**
 * DDNS profiles (docs/contract/CONTRACT.md#59-ddns). Unknown providers and profiles without domains are saved, as on
 * real servers.
 */
const ddnsHooks: EntityHooks = {
  validation: 'contract',
  notFoundError: (id) => `profile id ${id} does not exist`,
  validate(form) {
    const retries = form.max_retries as number
    if (retries < 1 || retries > 10) throw new ApiError('the retry count must be an integer between 1 and 10')
    return { ...form, domains: (form.domains as string[]).map(asciiDomain) }
  },
  // Real servers send null, not an empty list, for domains that were never given.
  present: (wire) => ({ ...wire, domains: (wire.domains as string[]).length > 0 ? wire.domains : null }),
}
