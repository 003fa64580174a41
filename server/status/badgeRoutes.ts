import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { knownLocale } from '../../i18n/locales.ts'
import { server } from '../../src/schemas/server.ts'
import { service } from '../../src/schemas/service.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Row } from '../entities/row.ts'
import { siteLocale } from '../site/locale.ts'
import { readSite } from '../site/site.ts'
import { type BadgeState, badge } from './badge.ts'
import { sendCached } from './sendCached.ts'

type BadgeRequest = FastifyRequest<{ Params: { id: string }; Querystring: { lang?: string | string[] } }>

/** A page with many badges asks for each once a minute at most. */
const maxAgeSeconds = 60

/** Registers the badges of services and servers. They read no session: they are the same for everybody. */
export function registerBadges(app: FastifyInstance, store: Store): void {
  const { services, machines, silences } = app
  const serviceRows = entityTable(store, service)
  const serverRows = entityTable(store, server)

  function serviceState({ id }: Pick<Row, 'id'>): BadgeState {
    if (serviceRows.get(id)?.paused) return 'paused'
    if (silences.windows.all().some((window) => window.services.has(id))) return 'maintenance'
    if (services.checker.isDegraded(id)) return 'degraded'
    return services.checker.statusOf(id) ?? 'unknown'
  }

  function serverState(row: Pick<Row, 'id'>): BadgeState {
    if (silences.windows.all().some((window) => window.servers.has(row.id))) return 'maintenance'
    return machines.connected(row) ? 'online' : 'offline'
  }

  /** What does not exist and what is hidden have the same badge, whatever their id. */
  async function send(
    kind: 'service' | 'server',
    row: Row | undefined,
    stateOf: (row: Row) => BadgeState,
    [request, reply]: [BadgeRequest, FastifyReply],
  ): Promise<FastifyReply> {
    if (app.forceAuth) {
      reply.callNotFound()
      return reply
    }
    const asked = [request.query.lang ?? ''].flat()[0] ?? ''
    const locale = knownLocale(asked) ?? siteLocale(readSite(store).language)
    const shown = row && !row.hide_for_guest ? row : undefined
    const body = await badge(kind, shown && String(shown.name), shown ? stateOf(shown) : 'unknown', locale)
    // Pages elsewhere may show it; opened by itself it runs nothing.
    reply.headers({
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    })
    return sendCached(request, reply, { type: 'image/svg+xml; charset=utf-8', body, maxAgeSeconds })
  }

  app.get('/badge/service/:id(^\\d{1,15}).svg', (request: BadgeRequest, reply) =>
    send('service', serviceRows.get(Number(request.params.id)), serviceState, [request, reply]),
  )
  app.get('/badge/server/:id(^\\d{1,15}).svg', (request: BadgeRequest, reply) =>
    send('server', serverRows.get(Number(request.params.id)), serverState, [request, reply]),
  )
}
