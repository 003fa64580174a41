import type { IncomingMessage } from 'node:http'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { consolePath } from '../../src/schemas/consolePath.ts'
import { usePeerAddress } from '../../src/schemas/settings/siteSetting.ts'
import { allowedHosts } from '../auth/addresses/allowedHosts.ts'
import { isProxyHeaderUnread, ownOrigin } from '../auth/addresses/clientAddress.ts'
import type { PlaceLimits } from '../concurrency/placeQueue.ts'
import { answerInTurn, isAnswering, type ReplyLimits } from '../http/answerInTurn.ts'
import { registerCompression } from '../http/compressReplies.ts'
import { limitConnections } from '../http/connectionLimits.ts'
import { registerErrorHandler, registerNotFoundHandler } from '../http/errorReplies.ts'
import type { OpenLimits } from '../http/openCounter.ts'
import { createRareWarning } from '../http/rareWarning.ts'
import {
  createRequestLimits,
  hasBody,
  isSocketRequest,
  registerLongReplies,
  type UnreadLimits,
} from '../http/requestLimits.ts'
import { isBelow, refuseForeignOrigin, setSecurityHeaders, unknownHost } from '../http/securityHooks.ts'
import { inlineScripts, isConsoleBuilt, isConsolePath, registerStaticFiles, scriptHash } from '../http/staticFiles.ts'
import type { Log } from '../log.ts'
import type { Settings } from '../settings.ts'
import { forwardRequests } from './forwardRequests.ts'
import { forwardSockets } from './forwardSockets.ts'
import { addressHeaders, clientAddress, requestHeaders } from './headers.ts'
import { createUpstreamSettings, type Upstream } from './upstream.ts'

/** How fast a body has to come: so many bytes in so many milliseconds. */
interface BodyPace {
  bytes: number
  everyMs: number
}

/** A line of a few kilobits is faster. */
const defaultBodyPace: BodyPace = { bytes: 60 * 1024, everyMs: 60_000 }

/**
 * Ends a request whose body comes too slowly: an upload may be of any size here and take its time, but each that only
 * trickles takes a place, and one of the connections to the upstream.
 */
function limitBodyPace({ raw }: FastifyRequest, reply: FastifyReply, { bytes, everyMs }: BodyPace): void {
  if (!hasBody(raw)) return
  const { socket } = raw
  let readBefore = socket.bytesRead
  const timer = setInterval(() => {
    const read = socket.bytesRead - readBefore
    readBefore = socket.bytesRead
    if (raw.complete) clearInterval(timer)
    else if (read < bytes) socket.destroy()
  }, everyMs)
  for (const event of ['finish', 'close']) reply.raw.once(event, () => clearInterval(timer))
}

export interface GatewayServices {
  upstream: Upstream
  log: Pick<Log, 'warn' | 'error'>
  settings: Pick<Settings, 'host' | 'publicUrl' | 'realIpHeader' | 'trustedProxies'>
  /** Folder of the built console. */
  dist: string
  /** The clock, in milliseconds. */
  now?: () => number
  /** How many connections, and how many WebSockets, may be open. */
  connectionLimits?: Partial<PlaceLimits>
  socketLimits?: OpenLimits
  replyLimits?: Partial<ReplyLimits & UnreadLimits>
  bodyPace?: BodyPace
}

/** Milliseconds for the head of a request, so that slow ones cannot take all places. A large upload may take longer. */
const headersTimeout = 60_000

/**
 * Puts the gateway together: the console under /dashboard, everything else from the upstream. It stores nothing and runs
 * nothing. It does not listen yet.
 */
export async function buildGateway(services: GatewayServices): Promise<FastifyInstance> {
  const { upstream, log, settings, dist, now } = services
  const hosts = allowedHosts(settings)
  const scriptHashes = isConsoleBuilt(dist) ? inlineScripts(dist).map(scriptHash) : []
  const upstreamSettings = createUpstreamSettings(upstream, now)
  const isTls = settings.publicUrl?.protocol === 'https:'
  const headersFor = (request: IncomingMessage) => requestHeaders(request, upstream.url, settings)

  const app = fastify({
    logger: false,
    forceCloseConnections: true,
    requestTimeout: 0,
    http: {
      headersTimeout,
      shouldUpgradeCallback: (request) => isSocketRequest(request) && !isAnswering(request.socket),
    },
  })
  // Bodies are streamed.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, body, done) => done(null, body))

  const warnRarely = createRareWarning(log, now)
  limitConnections(app.server, {
    isProxy: (address) => Boolean(settings.trustedProxies?.includes(address)),
    onRefusal: warnRarely,
    limits: services.connectionLimits,
  })
  answerInTurn(app.server, { onRefusal: warnRarely, limits: services.replyLimits })
  const limits = createRequestLimits(warnRarely, undefined, services.replyLimits)
  let hasUnreadProxyHeader = false
  app.decorateRequest('address', '')
  app.addHook('onRequest', async (request, reply) => {
    if (!hasUnreadProxyHeader && !settings.trustedProxies?.length && isProxyHeaderUnread(request, usePeerAddress)) {
      hasUnreadProxyHeader = true
      log.warn(
        'A proxy on this machine forwards requests, and the addresses it tells are not passed on: the server behind ' +
          'takes all visitors for one. Set TRUSTED_PROXY=127.0.0.1 if it writes X-Real-IP over what visitors send.',
      )
    }
    request.address = clientAddress(request.raw, settings)
    const isAllowed = hosts.isAllowed(request.headers.host)
    // The site for visitors is the upstream's, with security headers of its own.
    const isOurs = !isAllowed || isBelow(consolePath, request.url) || isBelow('/api', request.url)
    const isPage = isAllowed && isConsolePath(request.method, request.url)
    const hasCustomCode =
      isPage && (await upstreamSettings.hasCustomCode(addressHeaders(request.raw, upstream.url, settings)))
    if (isOurs) setSecurityHeaders(request, reply, { scriptHashes: isAllowed ? scriptHashes : [], hasCustomCode })
    if (!isAllowed) throw unknownHost(request)
    refuseForeignOrigin(hosts, request)
    limits.countBody(request, reply, request.address)
    limitBodyPace(request, reply, services.bodyPace ?? defaultBodyPace)
  })
  let lastFailure: string | undefined
  /** Logs a failure once, not for every call of every page. */
  function logFailure(text: string): void {
    if (text !== lastFailure) log.warn(text)
    lastFailure = text
  }
  app.addHook('onResponse', async ({ method, url }, { statusCode }) => {
    if (method !== 'GET' && isBelow('/api/v1/setting', url)) upstreamSettings.invalidate()
    if (isBelow('/api', url) && statusCode < 502) lastFailure = undefined
  })
  registerCompression(app)
  registerErrorHandler(app, log)
  registerNotFoundHandler(app, isConsoleBuilt(dist))

  if (isConsoleBuilt(dist)) await registerStaticFiles(app, dist)
  registerLongReplies(app, limits)
  registerConsolePaths(app, isConsoleBuilt(dist))
  function replyWithError(request: FastifyRequest, reply: FastifyReply, status: number, text: string): void {
    logFailure(text)
    setSecurityHeaders(request, reply, { scriptHashes: [], hasCustomCode: false })
    reply.code(status)
    if (isBelow('/api', request.url)) reply.send({ error: text })
    else reply.type('text/plain; charset=utf-8').send(`${text}\n`)
  }
  const { publicUrl, realIpHeader = usePeerAddress } = settings
  const originOf = (request: FastifyRequest) => ownOrigin(request, { publicUrl, realIpHeader })
  await forwardRequests(app, { upstream, isTls, headersFor, originOf, reply: replyWithError })
  const closeSockets = forwardSockets(app.server, {
    upstream,
    hosts,
    isTls,
    headersFor,
    isOwnPath: (path) => isBelow(consolePath, path),
    onFailure: logFailure,
    addressOf: (request) => clientAddress(request, settings),
    onRefusal: warnRarely,
    limits: services.socketLimits,
  })
  app.addHook('preClose', async () => closeSockets())
  return app
}

/** Paths below /dashboard are never forwarded: the upstream has a console of its own there. */
function registerConsolePaths(app: FastifyInstance, hasConsole: boolean): void {
  const method = ['DELETE', 'PATCH', 'POST', 'PUT', 'OPTIONS']
  const notHere = (_request: FastifyRequest, reply: FastifyReply) => reply.callNotFound()
  app.route({ url: consolePath, method: ['GET', ...method], handler: notHere })
  app.route({ url: `${consolePath}/*`, method: hasConsole ? method : ['GET', ...method], handler: notHere })
}
