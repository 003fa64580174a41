import type { IncomingMessage } from 'node:http'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { usePeerAddress } from '../../src/schemas/settings/siteSetting.ts'
import { allowedHosts } from '../auth/addresses/allowedHosts.ts'
import { isProxyHeaderUnread } from '../auth/addresses/clientAddress.ts'
import { registerErrorHandler, registerNotFoundHandler } from '../http/errorReplies.ts'
import { setSecurityHeaders } from '../http/securityHeaders.ts'
import { refuseForeignOrigin, refuseUnknownHost } from '../http/securityHooks.ts'
import { inlineScriptHashes, isConsoleBuilt, isConsolePath, registerStaticFiles } from '../http/staticFiles.ts'
import type { Log } from '../log.ts'
import type { Settings } from '../settings.ts'
import { forwardRequests } from './forwardRequests.ts'
import { forwardSockets, isSocketRequest } from './forwardSockets.ts'
import { addressHeaders, requestHeaders } from './requestHeaders.ts'
import type { Upstream } from './upstream.ts'
import { createUpstreamSettings } from './upstreamSite.ts'

export interface GatewayServices {
  upstream: Upstream
  log: Pick<Log, 'warn' | 'error'>
  settings: Pick<Settings, 'host' | 'publicUrl' | 'realIpHeader' | 'trustedProxies'>
  /** Folder of the built console. */
  dist: string
  /** The clock, in milliseconds. */
  now?: () => number
}

/** So that slow requests cannot take all places. Only their heads: a large upload may take its time. */
const headersTimeout = 60_000

const isBelow = (folder: string, url: string) => new RegExp(`^${folder}(?:[/?]|$)`).test(url)

/**
 * Puts the gateway together: the console under /dashboard, everything else from a server elsewhere. It keeps nothing
 * and runs nothing. It does not listen yet.
 */
export async function buildGateway(services: GatewayServices): Promise<FastifyInstance> {
  const { upstream, log, settings, dist, now } = services
  const hosts = allowedHosts(settings)
  const scriptHashes = isConsoleBuilt(dist) ? inlineScriptHashes(dist) : []
  const site = createUpstreamSettings(upstream, now)
  const isTls = settings.publicUrl?.protocol === 'https:'
  const headersFor = (asked: IncomingMessage) => requestHeaders(asked, upstream.url, settings)

  const app = fastify({
    logger: false,
    forceCloseConnections: true,
    requestTimeout: 0,
    http: { headersTimeout, shouldUpgradeCallback: isSocketRequest },
  })
  // Bodies go on as they come.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, body, done) => done(null, body))

  let hasUnreadProxyHeader = false
  app.addHook('onRequest', async (request, reply) => {
    if (!hasUnreadProxyHeader && !settings.trustedProxies?.length && isProxyHeaderUnread(request, usePeerAddress)) {
      hasUnreadProxyHeader = true
      log.warn(
        'A proxy on this machine forwards requests, and the addresses it tells are not passed on: the server behind ' +
          'takes all visitors for one. Set TRUSTED_PROXY=127.0.0.1 if it writes X-Real-IP over what visitors send.',
      )
    }
    const isAllowed = hosts.isAllowed(request.headers.host)
    // The site for visitors is the upstream's: what it may load is said there.
    const isOurs = !isAllowed || isBelow('/dashboard', request.url) || isBelow('/api', request.url)
    const isPage = isAllowed && isConsolePath(request.method, request.url)
    const hasCustomCode = isPage && (await site.hasCustomCode(addressHeaders(request.raw, upstream.url, settings)))
    if (isOurs) setSecurityHeaders(request, reply, { scriptHashes: isAllowed ? scriptHashes : [], hasCustomCode })
    return isAllowed ? refuseForeignOrigin(hosts, request, reply) : refuseUnknownHost(request, reply)
  })
  let lastFailure: string | undefined
  /** The log has it once, not for every call of every page. */
  function noteFailure(text: string): void {
    if (text !== lastFailure) log.warn(text)
    lastFailure = text
  }
  app.addHook('onResponse', async ({ method, url }, { statusCode }) => {
    if (method !== 'GET' && isBelow('/api/v1/setting', url)) site.forget()
    if (isBelow('/api', url) && statusCode < 502) lastFailure = undefined
  })
  registerErrorHandler(app, log)
  registerNotFoundHandler(app, isConsoleBuilt(dist))

  if (isConsoleBuilt(dist)) await registerStaticFiles(app, dist)
  keepOwnPaths(app, isConsoleBuilt(dist))
  function answer(request: FastifyRequest, reply: FastifyReply, status: number, text: string): void {
    noteFailure(text)
    setSecurityHeaders(request, reply, { scriptHashes: [], hasCustomCode: false })
    reply.code(status)
    if (isBelow('/api', request.url)) reply.send({ error: text })
    else reply.type('text/plain; charset=utf-8').send(`${text}\n`)
  }
  await forwardRequests(app, { upstream, isTls, headersFor, answer })
  const endSockets = forwardSockets(app.server, {
    ...{ upstream, hosts, isTls, headersFor },
    isOwnPath: (path) => isBelow('/dashboard', path),
    onFailure: noteFailure,
  })
  app.addHook('preClose', async () => endSockets())
  return app
}

/** What is below /dashboard and no file of the console is never asked of the upstream, which has a console there. */
function keepOwnPaths(app: FastifyInstance, hasConsole: boolean): void {
  const method = ['DELETE', 'PATCH', 'POST', 'PUT', 'OPTIONS']
  const notHere = (_request: FastifyRequest, reply: FastifyReply) => reply.callNotFound()
  app.route({ url: '/dashboard', method: ['GET', ...method], handler: notHere })
  app.route({ url: '/dashboard/*', method: hasConsole ? method : ['GET', ...method], handler: notHere })
}
