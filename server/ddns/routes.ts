import type { FastifyInstance } from 'fastify'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import { addAuditDetails } from '../http/routes/auditAction.ts'
import { route } from '../http/routes/route.ts'
import type { Ddns } from './ddns.ts'

/** Lets names follow servers while the server listens, shows how they stand, and sends them again on demand. */
export function registerDdns(app: FastifyInstance, ddns: Ddns): void {
  route(app, 'ddnsSummaries', endpoints.ddnsSummaries, ({ person }) => ddns.summaries(person))
  route(app, 'ddnsResults', endpoints.ddnsResults, (request) => ddns.results(request.params.id, request.person))
  route(app, 'updateDdns', endpoints.updateDdns, (request) => {
    const { id } = request.params
    addAuditDetails(request, { target: `ddns ${id}` })
    return { names: ddns.updateNow(id, request.person) }
  })
  app.addHook('onListen', async () => ddns.start())
  app.addHook('onClose', () => ddns.stop())
}
