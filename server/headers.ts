import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * The headers that make a browser distrust everything but us. On every reply, refusals included.
 * @param scriptHashes CSP hashes of the inline scripts that our page has
 */
export function setSecurityHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  scriptHashes: readonly string[],
): void {
  reply.headers({
    'content-security-policy': contentPolicy(request.headers.host ?? '', scriptHashes),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  })
  // What the API says is about this moment and this person.
  if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
}

function contentPolicy(host: string, scriptHashes: readonly string[]): string {
  return [
    "default-src 'self'",
    ['script-src', "'self'", ...scriptHashes.map((hash) => `'${hash}'`)].join(' '),
    // MUI writes its styles into the page.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    // Older Safari does not take sockets for 'self'. The host was checked before it gets here.
    `connect-src 'self' ws://${host} wss://${host}`,
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
