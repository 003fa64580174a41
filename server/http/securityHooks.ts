import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { consolePath } from '../../src/schemas/consolePath.ts'
import { type AllowedHosts, allowedHosts } from '../auth/addresses/allowedHosts.ts'
import { isProxyHeaderUnread, readClientAddress } from '../auth/addresses/clientAddress.ts'
import type { Auth } from '../auth/auth.ts'
import { BlockedError } from '../auth/blocking/blockedPage.ts'
import type { Log } from '../log.ts'
import type { Settings } from '../settings.ts'
import { readSite, type Site } from '../site/site.ts'
import { ApiError } from '../wire/apiCall.ts'
import { isSocketRequest, type RequestLimits } from './requestLimits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The client's address, by the site's settings; '' when addresses are not known. */
    address: string
  }
  interface FastifyContextConfig {
    /**
     * The address of the request is what permits it, whoever sends it: a page of another origin that knows it may. Pages
     * that tell nobody where they come from send no origin either.
     */
    isPermission?: true
  }
}

interface SecurityOptions {
  auth: Auth
  log: Log
  settings: Pick<Settings, 'host' | 'publicUrl'>
  scriptHashes: readonly string[]
  limits: RequestLimits
}

const blockedByAdmin = new BlockedError({ reason: 'by-admin', until: Number.POSITIVE_INFINITY }, 0)

/** A refusal in plain text: of a page, or of a socket as real servers send it. */
export class TextRefusal extends ApiError {}

interface SecurityHooks {
  /** Whether a proxy was seen whose address headers are not read. */
  hasUnreadProxyHeader(): boolean
}

/** Refuses requests for foreign host names, from pages of other origins, and from addresses that administrators blocked. */
export function registerSecurityHooks(
  app: FastifyInstance,
  { auth, log, settings, scriptHashes, limits }: SecurityOptions,
): SecurityHooks {
  const hosts = allowedHosts(settings)
  let hasUnreadProxyHeader = false

  app.decorateRequest('address', '')
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.isProbe) return
    const isAllowed = hosts.isAllowed(request.headers.host)
    const site = readSite(auth.store)
    const { web_real_ip_header: header } = site
    const hasCustomCode = isAllowed && Boolean(customCodeAt(request.url, site))
    setSecurityHeaders(request, reply, { scriptHashes: isAllowed ? scriptHashes : [], hasCustomCode })
    if (!isAllowed) throw unknownHost(request)
    request.address = readClientAddress(request, header)
    if (auth.waf.isBlockedByAdmin(request.address)) throw blockedByAdmin
    if (!hasUnreadProxyHeader && isProxyHeaderUnread(request, header)) {
      hasUnreadProxyHeader = true
      log.warn(
        'A proxy on this machine forwards requests, and their addresses are not read: wrong passwords of one ' +
          'would keep everybody from signing in. Set the real IP header in the settings to the one that your proxy writes.',
      )
    }
    if (!request.routeOptions.config.isPermission) refuseForeignOrigin(hosts, request)
    limits.countBody(request, reply, request.address)
  })
  // After the guard of the route, which knows the person.
  app.addHook('preHandler', async (request) => {
    if (request.ws) limits.countSocket(request, request.address)
  })
  return { hasUnreadProxyHeader: () => hasUnreadProxyHeader }
}

/** The refusal of a request for a host name that is not ours. */
export function unknownHost(request: FastifyRequest): ApiError {
  const message =
    'This server does not answer to the name in the address bar. Open it by localhost or 127.0.0.1, or start it with ' +
    'PUBLIC_URL set to the address that you use.'
  return request.url.startsWith('/api/') ? new ApiError(message, 403) : new TextRefusal(message, 403)
}

/**
 * Refuses writes and sockets that a page of another origin makes a browser send. The CSRF header does not protect sockets
 * and the sign-in: such a page could open the first, and get the address of its visitor blocked by the second.
 * @throws ApiError
 */
export function refuseForeignOrigin(hosts: AllowedHosts, request: FastifyRequest): void {
  const isSocket = isSocketRequest(request)
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if ((isRead && !isSocket) || hosts.isSameOrigin(request)) return
  if (isSocket) throw new TextRefusal('Forbidden', 403)
  throw new ApiError('ApiErrorForbidden: request from a page of another origin', 403)
}

interface PagePolicy {
  /** CSP hashes of the inline scripts that our page has. */
  scriptHashes: readonly string[]
  /** Whether the operator's own code runs in this page: what it loads is not known beforehand. */
  hasCustomCode: boolean
}

/** Headers that limit what a page may load and who may embed it. On every reply, errors included. */
export function setSecurityHeaders(request: FastifyRequest, reply: FastifyReply, policy: PagePolicy): void {
  const isRelaxed = policy.hasCustomCode && !isSafeStart(request.url)
  reply.headers({
    'content-security-policy': isRelaxed
      ? relaxedPolicy
      : strictPolicy(request.headers.host ?? '', policy.scriptHashes),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  })
  // Replies of the API depend on the time and on the person.
  if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
}

/** Whether the address of a request is a path or something below it. @param url as Node has it, with its query */
export const isBelow = (path: string, url: string): boolean => new RegExp(`^${path}(?:[/?]|$)`).test(url)

const isStatusPage = (url: string) => /^\/(?:server\/[^/?]*)?(?:\?|$)/.test(url)

/** The operator's code for a page: that for visitors is in the status page only. */
function customCodeAt(url: string, site: Pick<Site, 'custom_code' | 'custom_code_dashboard'>) {
  if (isBelow(consolePath, url)) return site.custom_code_dashboard
  return isStatusPage(url) ? site.custom_code : undefined
}

/** `?safe=1` starts a page without custom code, so that the strict policy is enough. */
export const isSafeStart = (url: string) => new URLSearchParams(url.split('?')[1]).get('safe') === '1'

/** In both policies: no custom code needs plug-ins, another base URL, or our pages in frames of others. */
const commonDirectives = ["object-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"]

function strictPolicy(host: string, scriptHashes: readonly string[]): string {
  return [
    "default-src 'self'",
    ['script-src', "'self'", ...scriptHashes.map((hash) => `'${hash}'`)].join(' '),
    // MUI and the terminal add inline styles.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    // In older Safari 'self' does not include sockets. The host was checked before.
    `connect-src 'self' ws://${host} wss://${host}`,
    ...commonDirectives,
  ].join('; ')
}

/** Allows inline scripts, and requests to any origin. Without hashes: beside one, inline scripts are refused. */
const relaxedPolicy = [
  "default-src * data: blob: 'unsafe-inline' 'unsafe-eval'",
  "worker-src 'self' blob:",
  ...commonDirectives,
].join('; ')
