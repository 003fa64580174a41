import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { ownOrigin } from '../auth/addresses/ownOrigin.ts'
import { ifWritable } from '../db/ifWritable.ts'
import type { Store } from '../db/store.ts'
import { siteLocale } from '../site/locale.ts'
import { readSite } from '../site/site.ts'
import { ownTimezone } from '../site/timeZone.ts'
import { atomFeed, type FeedIdentity, feedPath } from './atomFeed.ts'
import type { Incidents } from './history/incidents.ts'
import { sendCached } from './sendCached.ts'

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
export function registerFeed(app: FastifyInstance, { store, incidents, publicUrl, now }: FeedRouteOptions): void {
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
