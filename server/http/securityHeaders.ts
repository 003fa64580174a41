import type { FastifyReply, FastifyRequest } from 'fastify'
import { consolePath } from '../../src/schemas/consolePath.ts'
import type { Site } from '../site/site.ts'

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
export function customCodeAt(url: string, site: Pick<Site, 'custom_code' | 'custom_code_dashboard'>) {
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
