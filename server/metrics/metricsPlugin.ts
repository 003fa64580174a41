import { finished, Readable } from 'node:stream'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { TokenScope } from '../../src/schemas/define/access.ts'
import type { AddressRanges } from '../auth/addresses/addressRanges.ts'
import { isProxyHeaderUnread } from '../auth/addresses/clientAddress.ts'
import type { Cluster } from '../cluster/clusterPlugin.ts'
import { createPlaceQueue, type PlaceLimits, type PlaceQueue } from '../concurrency/placeQueue.ts'
import type { Store } from '../db/store.ts'
import { isAdmin } from '../person.ts'
import type { Settings } from '../settings.ts'
import { readSite } from '../site/site.ts'
import { ApiError } from '../wire/apiCall.ts'
import { contentTypes, formatFor, type Metric, writeMetrics } from './exposition.ts'
import { createProcessMeter, createRequestCounter, ownMetrics } from './ownMetrics.ts'
import { recordMetrics, serverMetrics } from './scrapedServers.ts'

/** What scrapes may cost; see `defaultLimits`. */
export interface ScrapeLimits {
  places: PlaceLimits
  /** Milliseconds after which a scrape ends whose reader is too slow. */
  timeoutMs: number
}

interface MetricsOptions {
  store: Store
  settings: Pick<Settings, 'metricsAllow'>
  /** Version of this server. */
  version: string
  /** The clock, in milliseconds since 1970. */
  now: () => number
  scrapeLimits?: ScrapeLimits
  /** The cluster that this server leads. Default: it is alone. */
  cluster?: Cluster
}

/**
 * Each scrape holds the reports of all servers: two at a time, others wait for a moment. Prometheus waits for ten seconds
 * by default, so after a minute nobody waits any more.
 */
const defaultLimits: ScrapeLimits = {
  places: { perKey: 2, total: 2, waiting: 8, waitMs: 5000 },
  timeoutMs: 60_000,
}
/** Bytes that may wait for a reader. */
const highWaterMark = 256 * 1024

/** `GET /metrics`: what this server knows of machines, services and itself, for Prometheus (docs/decisions/metrics.md). */
export const metricsPlugin = fp(
  async (app: FastifyInstance, options: MetricsOptions) => {
    const { store, settings, version, now, cluster, scrapeLimits = defaultLimits } = options
    const requests = createRequestCounter()
    const meter = createProcessMeter()
    const places = createPlaceQueue(scrapeLimits.places)
    const rules = { allowed: settings.metricsAllow, realIpHeader: () => readSite(store).web_real_ip_header }
    app.addHook('onResponse', async (_request, reply) => requests.count(reply.statusCode))
    app.addHook('onClose', async () => meter.stop())

    const readMetrics = async (): Promise<Metric[]> => [
      ...ownMetrics({ app, version, requests, meter, cluster }),
      ...recordMetrics({ store, checker: app.services.checker, alerts: app.alerts, now }),
      ...(await serverMetrics(store, app.machines)),
    ]

    async function refuse(request: FastifyRequest): Promise<void> {
      const refusal = metricsRefusal(request, rules)
      if (refusal) throw new ApiError(refusal.text, refusal.status)
    }

    app.route({
      method: 'GET',
      url: '/metrics',
      exposeHeadRoute: false,
      onRequest: [app.guard('anyone', { scopes: metricScopes }), refuse],
      errorHandler: sendError,
      async handler(request, reply) {
        if (!(await enterScrape(places, reply))) {
          return sendText(reply.header('retry-after', '15'), 503, tooManyScrapes)
        }
        const format = formatFor(request.headers.accept)
        const late = new AbortController()
        const chunks = withTimeout(writeMetrics(await readMetrics(), format), scrapeLimits.timeoutMs, late)
        const text = Readable.from(chunks, { objectMode: false, highWaterMark, signal: late.signal })
        return reply.header('cache-control', 'no-store').type(contentTypes[format]).send(text)
      },
    })
  },
  {
    name: 'metrics',
    dependencies: ['agents', 'alerts', 'events', 'live', 'notifications', 'security', 'services', 'tasks'],
  },
)

/** Aborts when not all of it was taken in time, from the first chunk on: before that the reply may wait, as for the database. */
async function* withTimeout(chunks: AsyncGenerator<string>, ms: number, late: AbortController): AsyncGenerator<string> {
  const timer = setTimeout(() => late.abort(), ms)
  try {
    yield* chunks
  } finally {
    clearTimeout(timer)
  }
}

/** Waits for a place, which is given back when the reply has ended. @returns false when none was free in time */
function enterScrape(places: PlaceQueue, reply: FastifyReply): Promise<boolean> {
  return new Promise((resolve) => {
    const release = places.enter('', { onPlace: () => resolve(true), onRefused: () => resolve(false) })
    // Also when it has ended already: the client may have disconnected.
    finished(reply.raw, release)
  })
}

const tooManyScrapes = 'Too many scrapes at the same time: let fewer collectors ask, or less often.'

const sendText = (reply: FastifyReply, status: number, text: string) => {
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="Wheelhouse"')
  return reply.code(status).type('text/plain; charset=utf-8').send(`${text}\n`)
}

/** Collectors read the status: what the API says with 200 is no success here. @throws what is no refusal */
function sendError(error: FastifyError | ApiError, _request: FastifyRequest, reply: FastifyReply): void {
  if (!(error instanceof ApiError)) throw error
  sendText(reply, error.status === 200 ? 403 : error.status, error.message)
}

/** What an API token needs: the metrics are a way to read the records of these three. */
const metricScopes: readonly TokenScope[] = ['nezha:server:read', 'nezha:service:read', 'nezha:alertrule:read']

export interface Refusal {
  status: 401 | 403
  /** What the operator of a collector can do about it. */
  text: string
}

interface AccessRules {
  /** Addresses that read without a session or token. */
  allowed: AddressRanges | undefined
  /** The header with the address of a visitor, as the site's settings have it. */
  realIpHeader: () => string
}

/** @returns why a request may not read the metrics; `undefined` when it may. The guard has set its person. */
function metricsRefusal(request: FastifyRequest, { allowed, realIpHeader }: AccessRules): Refusal | undefined {
  if (isAdmin(request.person)) return undefined
  if (allowed?.has(request.address)) {
    if (!isProxyHeaderUnread(request, realIpHeader())) return undefined
    return {
      status: 403,
      text:
        'A proxy on this machine forwards requests, and the addresses that it sends are not read, so everybody seems to ' +
        'have an address of METRICS_ALLOW. Set the real IP header in the settings to the one that your proxy writes.',
    }
  }
  if (request.person) return { status: 403, text: 'The metrics are for administrators.' }
  const address = request.address === '' ? 'which this server does not know' : `now ${request.address}`
  return {
    status: 401,
    text:
      'The metrics are for administrators. To read them with Prometheus, send an API token of one with the scopes ' +
      `${metricScopes.join(', ')}, or start this server with METRICS_ALLOW set to the address of Prometheus (${address}).`,
  }
}
