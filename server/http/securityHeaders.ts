import type { FastifyReply, FastifyRequest } from 'fastify'

interface PagePolicy {
  /** CSP hashes of the inline scripts that our page has. */
  scriptHashes: readonly string[]
  /** Whether code of the operator's own runs in the console: nobody can say beforehand what it needs. */
  hasCustomCode: boolean
}

/** The headers that make a browser distrust everything but us. On every reply, refusals included. */
export function setSecurityHeaders(request: FastifyRequest, reply: FastifyReply, policy: PagePolicy): void {
  const isRelaxed = policy.hasCustomCode && isConsole(request.url) && !startsSafely(request.url)
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
  // What the API says is about this moment and this person.
  if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
}

const isConsole = (url: string) => /^\/dashboard(?:[/?]|$)/.test(url)

/** `?safe=1` starts the console without custom code; then it needs no licence either. */
const startsSafely = (url: string) => new URLSearchParams(url.split('?')[1]).get('safe') === '1'

/** What no code of an operator needs: plug-ins, another base, and our pages within those of others. */
const always = ["object-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"]

function strictPolicy(host: string, scriptHashes: readonly string[]): string {
  return [
    "default-src 'self'",
    ['script-src', "'self'", ...scriptHashes.map((hash) => `'${hash}'`)].join(' '),
    // MUI and the terminal write their styles into the page.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    // Older Safari does not take sockets for 'self'. The host was checked before it gets here.
    `connect-src 'self' ws://${host} wss://${host}`,
    ...always,
  ].join('; ')
}

/** Scripts in the page, and what they fetch from wherever. No hash here: beside one, inline scripts are refused. */
const relaxedPolicy = [
  "default-src * data: blob: 'unsafe-inline' 'unsafe-eval'",
  "worker-src 'self' blob:",
  ...always,
].join('; ')
