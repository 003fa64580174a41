import { createHash, randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { knownLocale, type Locale } from '../../i18n/locales.ts'
import { server } from '../../src/schemas/server.ts'
import { service } from '../../src/schemas/service.ts'
import { ownOrigin } from '../auth/addresses/clientAddress.ts'
import type { Store } from '../db/store.ts'
import { ifWritable } from '../db/storeError.ts'
import { entityTable, type Row } from '../entities/entityTable.ts'
import type { Settings } from '../settings.ts'
import { siteLocale } from '../site/locale.ts'
import { readSite } from '../site/site.ts'
import { ownTimezone } from '../site/timeZone.ts'
import { readTexts } from '../texts.ts'
import { shortText } from '../wire/html.ts'
import { atomFeed, type FeedIdentity, feedPath } from './atomFeed.ts'
import { type Availability, createAvailability } from './history/availability.ts'
import { createIncidents, type Incidents } from './history/incidents.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** What services were like in the last days; it does not know who may see them. */
    availability: Availability
    /** What was down in the last days, of what guests may see. */
    visitorIncidents: Incidents
  }
}

interface StatusOptions {
  store: Store
  settings: Pick<Settings, 'publicUrl'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** What visitors without an account see of services and servers. */
export const statusPlugin = fp(
  async (app: FastifyInstance, { store, settings: { publicUrl }, now }: StatusOptions) => {
    const { samples, checker } = app.services
    app.decorate('availability', createAvailability(samples, now))
    const { recentOutages } = checker
    const incidents = createIncidents({ store, recentOutages, allAlarms: app.alerts.allAlarms, now })
    app.decorate('visitorIncidents', incidents)
    registerFeed(app, { store, incidents, publicUrl, now })
    registerBadges(app, store)
  },
  { name: 'status', dependencies: ['security', 'machines', 'maintenance', 'services', 'alerts'] },
)

export interface FeedRouteOptions {
  store: Store
  incidents: Incidents
  publicUrl: URL | undefined
  /** Milliseconds since 1970. */
  now: () => number
}

const storeKey = 'incident_feed'
/** Readers ask every few minutes at most, and a cache may stand before them. */
const maxAgeSeconds = 60

/** Registers the feed of incidents. It reads no session: it is the same for everybody. */
function registerFeed(app: FastifyInstance, { store, incidents, publicUrl, now }: FeedRouteOptions): void {
  const identity = feedIdentity(store, now())
  const timeZone = ownTimezone()
  let last: { content: string; modifiedAt: number } | undefined

  /** When the feed became what it is, to the second; two states never have the same. */
  function modifiedAt(content: string): number {
    if (last?.content !== content) {
      const second = Math.floor(now() / 1000) * 1000
      last = { content, modifiedAt: last ? Math.max(second, last.modifiedAt + 1000) : second }
    }
    return last.modifiedAt
  }

  app.get(feedPath, (request, reply) => {
    if (app.forceAuth) {
      reply.callNotFound()
      return reply
    }
    const { site_name: siteName, language, web_real_ip_header: realIpHeader } = readSite(store)
    // What was asked for decides the links, so caches must not give them to who has asked for another origin.
    if (!publicUrl) reply.header('vary', 'host, x-forwarded-proto')
    const shown = { identity, siteName, locale: siteLocale(language), timeZone, incidents: incidents.recent() }
    return sendCached(request, reply, {
      type: 'application/atom+xml; charset=utf-8',
      maxAgeSeconds,
      body: atomFeed({ ...shown, origin: ownOrigin(request, { publicUrl, realIpHeader }) }),
      modifiedAt: modifiedAt(JSON.stringify(shown)),
    })
  })
}

/** Made once for each data folder. */
function feedIdentity(store: Store, now: number): FeedIdentity {
  const saved = store.value<FeedIdentity>(storeKey)
  if (saved) return saved
  const identity = { uuid: randomUUID(), createdAt: now }
  // Else the next start makes another one, and readers see the same entries once more.
  ifWritable(() => store.setValue(storeKey, identity))
  return identity
}

type BadgeRequest = FastifyRequest<{ Params: { id: string }; Querystring: { lang?: string | string[] } }>

/** A page with many badges asks for each once a minute at most. */
const badgeSeconds = 60

/** Registers the badges of services and servers. They read no session: they are the same for everybody. */
function registerBadges(app: FastifyInstance, store: Store): void {
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
    return sendCached(request, reply, { type: 'image/svg+xml; charset=utf-8', body, maxAgeSeconds: badgeSeconds })
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

export interface CachedBody {
  /** With its character set. */
  type: string
  body: string
  /** How long anybody may keep it without asking again. */
  maxAgeSeconds: number
  /** When it last changed, in milliseconds since 1970. */
  modifiedAt?: number
}

/** Sends a body that is the same for everybody, or 304 to a client that has it already. */
function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, body, maxAgeSeconds, modifiedAt }: CachedBody,
): FastifyReply {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const lastModified = modifiedAt === undefined ? undefined : new Date(modifiedAt).toUTCString()
  reply.header('cache-control', `public, max-age=${maxAgeSeconds}`).header('etag', etag)
  if (lastModified) reply.header('last-modified', lastModified)
  if (hasAlready(request, etag, lastModified)) return reply.code(304).send()
  return reply.type(type).send(body)
}

/** A date has to be equal, not only later: what is hidden makes the body older, and must not stay in caches. */
function hasAlready({ headers }: FastifyRequest, etag: string, lastModified: string | undefined): boolean {
  const tags = headers['if-none-match']
  if (tags === undefined) return lastModified !== undefined && headers['if-modified-since'] === lastModified
  return tags.trim() === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
