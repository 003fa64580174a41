import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { knownLocale, type Locale } from '../../i18n/locales.ts'
import { server } from '../../src/schemas/server.ts'
import { service } from '../../src/schemas/service.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Row } from '../entities/row.ts'
import { siteLocale } from '../site/locale.ts'
import { readSite } from '../site/site.ts'
import { readTexts } from '../texts.ts'
import { shortText } from '../wire/html.ts'
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

const pageTexts = readTexts('status')
const feedTexts = readTexts('feed')

type BadgeState = 'up' | 'degraded' | 'down' | 'online' | 'offline' | 'maintenance' | 'paused' | 'unknown'

/** White letters stand on them with a contrast of at least 5.5:1. */
const colors: Record<BadgeState, string> = {
  up: '#18702f',
  degraded: '#8a5300',
  online: '#18702f',
  down: '#b42318',
  offline: '#b42318',
  maintenance: '#1f5fbf',
  paused: '#5c6570',
  unknown: '#5c6570',
}
const labelColor = '#3d4450'
/** Characters of a name. */
const maxName = 40

/**
 * An SVG with a name and a state, which is also its title for screen readers.
 * @param name left out for what does not exist or is hidden: nobody can tell these apart
 */
async function badge(
  kind: 'service' | 'server',
  name: string | undefined,
  state: BadgeState,
  locale: Locale,
): Promise<string> {
  const label = shortText(name ?? '', maxName) || feedTexts[locale].badge[kind]
  const message = state === 'unknown' ? feedTexts[locale].badge.unknown : pageTexts[locale][state]
  // Only now: its table of letter widths has a megabyte.
  const { makeBadge } = await import('badge-maker')
  return makeBadge({ label, message, color: colors[state], labelColor, style: 'flat' })
}
