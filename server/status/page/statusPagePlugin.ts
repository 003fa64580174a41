import staticFiles from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { WebSocket } from 'ws'
import { consolePath } from '../../../src/schemas/consolePath.ts'
import { keysOf } from '../../../src/schemas/define/values.ts'
import { statusEndpoints as endpoints } from '../../../src/schemas/endpoints/statusEndpoints.ts'
import { ownOrigin } from '../../auth/addresses/clientAddress.ts'
import type { Store } from '../../db/store.ts'
import { route } from '../../http/routes/route.ts'
import { isSafeStart } from '../../http/securityHooks.ts'
import type { Log } from '../../log.ts'
import {
  createFrameMemory,
  createLiveViewer,
  type FrameBytes,
  type LiveViewer,
} from '../../machines/live/liveViewer.ts'
import type { Settings } from '../../settings.ts'
import { siteLocale } from '../../site/locale.ts'
import { readSite } from '../../site/site.ts'
import { readTexts } from '../../texts.ts'
import { timestamp } from '../../wire/apiCall.ts'
import { shareBytes } from '../../wire/sharedBytes.ts'
import { type CurrentStatus, createCurrentStatus, frameOf, type Snapshot } from '../currentStatus.ts'
import { filesPath, readPageFiles, type StatusPageOptions, statusPage } from './statusPage.ts'

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

interface StatusSocketOptions {
  current: CurrentStatus
  log: Pick<Log, 'error'>
  /** Milliseconds between two frames, 2000 by default. */
  tickMs?: number
}

interface Visitor {
  viewer: LiveViewer
  /** Whether it has all frames so far; else the next one has everything. */
  isCurrent: boolean
  /** Whether it may go on. */
  stays(): boolean
}

/** Bytes per second for each visitor: with large frames there is more time between them. */
const bytesPerSecond = 32 * 1024

/**
 * Registers `/api/v1/ws/status`: the whole public status at once, then what has changed, in one frame for all visitors.
 * Nothing is read while no socket is open. Needs `@fastify/websocket` on `app`.
 */
function registerStatusSocket(app: FastifyInstance, { current, log, tickMs = 2000 }: StatusSocketOptions): void {
  const { guard, onlineUsers, auth } = app
  const memory = createFrameMemory()
  const visitors = new Set<Visitor>()
  /** What the visitors have. */
  let sent: Snapshot | undefined
  /** Everything in one frame, for all who come between two ticks. */
  let whole: { snapshot: Snapshot; frame: FrameBytes; release(): void } | undefined
  let timer: NodeJS.Timeout | undefined

  function bytesOf(frame: string): FrameBytes {
    const bytes = memory.take()
    bytes.append(frame)
    return bytes
  }

  function wholeFrame(snapshot: Snapshot): FrameBytes {
    if (whole?.snapshot !== snapshot) {
      whole?.release()
      const frame = bytesOf(frameOf(snapshot))
      whole = { snapshot, frame, release: frame.hold() }
    }
    return whole.frame
  }

  function sendTo(receivers: Iterable<Visitor>, frame: FrameBytes): void {
    const release = frame.hold()
    for (const visitor of receivers) visitor.isCurrent = visitor.viewer.send(frame)
    release()
  }

  /** @returns milliseconds until the next frame */
  async function tick(): Promise<number> {
    const snapshot = await current.read()
    for (const visitor of visitors) {
      if (visitor.stays()) continue
      visitors.delete(visitor)
      visitor.viewer.end()
    }
    const { true: upToDate = [], false: behind = [] } = Object.groupBy(visitors, ({ isCurrent }) => `${isCurrent}`)
    const change = bytesOf(frameOf(snapshot, sent))
    const { length } = change.bytes
    sent = snapshot
    sendTo(upToDate, change)
    if (behind.length > 0) sendTo(behind, wholeFrame(snapshot))
    return Math.max(tickMs, (length / bytesPerSecond) * 1000)
  }

  function schedule(delayMs: number): void {
    timer = setTimeout(async () => {
      const delay = await tick().catch((error: unknown) => {
        log.error('A frame of the status page could not be made:', error)
        return tickMs
      })
      if (visitors.size > 0) schedule(delay)
      else stop()
    }, delayMs)
  }

  function stop(): void {
    clearTimeout(timer)
    timer = undefined
    sent = undefined
    whole?.release()
    whole = undefined
  }

  async function connect(socket: WebSocket, request: FastifyRequest): Promise<void> {
    const { person, session, address } = request
    const removeOnlineUser = onlineUsers.add({
      person,
      address,
      connectedAt: timestamp(),
      disconnect: () => socket.terminate(),
    })
    const stays = () => auth.isAlive({ person, session })
    const visitor: Visitor = { viewer: createLiveViewer(socket), isCurrent: false, stays }
    let isClosed = false
    socket.on('close', () => {
      isClosed = true
      removeOnlineUser()
      visitors.delete(visitor)
    })
    const snapshot = sent ?? (await current.read())
    if (isClosed) return
    // Several may have waited for the first one; the others get it too.
    sent ??= snapshot
    visitors.add(visitor)
    sendTo([visitor], wholeFrame(sent))
    if (!timer) schedule(tickMs)
  }

  app.addHook('onClose', async () => stop())
  app.route({
    method: 'GET',
    url: '/api/v1/ws/status',
    onRequest: guard('visitor', { beforeSetup: true }),
    handler: (_request, reply) => reply.code(400).type('text/plain; charset=utf-8').send('Bad Request\n'),
    wsHandler: connect,
  })
}
