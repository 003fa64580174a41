import type { FastifyInstance } from 'fastify'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import { tellOfDeed } from '../audit/recordRequests.ts'
import type { Guard } from '../auth/guard.ts'
import { handle } from '../http/routes/route.ts'
import { readPathId } from '../wire/readIds.ts'
import type { Ddns } from './ddns.ts'

/** Lets names follow servers while the server listens, shows how they stand, and sends them again on demand. */
export function registerDdns(app: FastifyInstance, guard: Guard, ddns: Ddns): void {
  const idOf = ({ params }: { params: unknown }) => readPathId((params as { id: string }).id)
  handle(app, guard, 'ddnsSummaries', endpoints.ddnsSummaries, ({ person }) => ddns.summaries(person))
  handle(app, guard, 'ddnsStandings', endpoints.ddnsStandings, (request) =>
    ddns.standings(idOf(request), request.person),
  )
  handle(app, guard, 'updateDdns', endpoints.updateDdns, (request) => {
    const id = idOf(request)
    tellOfDeed(request, { target: `ddns ${id}` })
    return { names: ddns.updateNow(id, request.person) }
  })
  app.addHook('onListen', async () => ddns.start())
  app.addHook('onClose', () => ddns.stop())
}
