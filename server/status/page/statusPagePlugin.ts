import staticFiles from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { consolePath } from '../../../src/schemas/consolePath.ts'
import { keysOf } from '../../../src/schemas/define/values.ts'
import { statusEndpoints as endpoints } from '../../../src/schemas/endpoints/statusEndpoints.ts'
import { ownOrigin } from '../../auth/addresses/ownOrigin.ts'
import type { Store } from '../../db/store.ts'
import { route } from '../../http/routes/route.ts'
import { isSafeStart } from '../../http/securityHeaders.ts'
import type { Log } from '../../log.ts'
import type { Settings } from '../../settings.ts'
import { siteLocale } from '../../site/locale.ts'
import { readSite } from '../../site/site.ts'
import { readTexts } from '../../texts.ts'
import { shareBytes } from '../../wire/sharedBytes.ts'
import { createCurrentStatus } from '../currentStatus.ts'
import { filesPath, readPageFiles } from './pageFiles.ts'
import { type StatusPageOptions, statusPage } from './statusPage.ts'
import { registerStatusSocket } from './statusSocket.ts'

const pageTexts = readTexts('status')

interface StatusPagePluginOptions {
  store: Store
  log: Pick<Log, 'error'>
  settings: Pick<Settings, 'publicUrl'>
  /** Folder of the built console. Without it the page is in words only. */
  dist?: string
  /** The clock, in milliseconds since 1970. */
  now: () => number
  /** Milliseconds between two frames of the socket. Default: 2000. */
  tickMs?: number
}

/** What one page differs in from another. */
type ShownPage = Pick<StatusPageOptions, 'status' | 'origin' | 'server' | 'customCode'>

/** Keeps what was made last: most visitors of a moment see the same. */
function createLatest<Of extends object, Made>(make: (of: Of) => Made): { read(of: Of): Made } {
  let latest: { of: Of; made: Made } | undefined
  return {
    read(of) {
      const isSame = latest && keysOf(of).every((name) => of[name] === latest?.of[name])
      if (!latest || !isSame) latest = { of, made: make(of) }
      return latest.made
    },
  }
}

/** The status page for visitors: its HTML, its files, and what it shows as JSON and over a socket. */
export const statusPagePlugin = fp(
  async (app: FastifyInstance, { store, log, settings, dist, now, tickMs }: StatusPagePluginOptions) => {
    const { machines, serverAccess: access, services, silences, availability, visitorIncidents: incidents } = app
    const { guard, forceAuth, themeScript } = app
    const current = createCurrentStatus({
      store,
      machines,
      access,
      now,
      checker: services.checker,
      windows: silences.windows,
      availability,
      incidents,
    })
    const files = readPageFiles(dist)

    route(app, 'publicStatus', endpoints.publicStatus, async () => (await current.read()).status)
    registerStatusSocket(app, { current, log, tickMs })

    const pages = createLatest((shown: ShownPage) => {
      const locale = siteLocale(shown.status.site.language)
      const page = { ...shown, texts: pageTexts[locale], locale, files, themeScript, hasFeed: !forceAuth }
      return shareBytes(statusPage(page))
    })

    async function sendPage(request: FastifyRequest, reply: FastifyReply, server?: number): Promise<FastifyReply> {
      if (forceAuth && !request.person) return reply.redirect(consolePath, 302)
      const { status } = await current.read()
      const isKnown = server === undefined || status.servers.some(({ id }) => id === server)
      const { custom_code, web_real_ip_header: realIpHeader } = readSite(store)
      const origin = ownOrigin(request, { publicUrl: settings.publicUrl, realIpHeader })
      const html = pages.read({
        status,
        origin,
        server: isKnown ? server : null,
        customCode: isSafeStart(request.url) ? undefined : custom_code,
      })
      return reply
        .code(isKnown ? 200 : 404)
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(html)
    }

    const options = { onRequest: guard('anyone', { beforeSetup: true }) }
    app.get('/', options, (request, reply) => sendPage(request, reply))
    app.get<{ Params: { id: string } }>('/server/:id', options, (request, reply) =>
      sendPage(request, reply, /^\d{1,15}$/.test(request.params.id) ? Number(request.params.id) : 0),
    )
    if (!files) return
    await app.register(staticFiles, {
      root: files.folder,
      prefix: filesPath,
      preCompressed: true,
      dotfiles: 'ignore',
      index: false,
      acceptRanges: false,
      cacheControl: false,
      decorateReply: false,
      setHeaders: (reply) => reply.header('cache-control', 'public, max-age=31536000, immutable'),
    })
  },
  { name: 'status-page', dependencies: ['security', 'machines', 'maintenance', 'status'] },
)
