import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** The host names that this server answers to, and the origins whose pages may call it. */
export interface AllowedHosts {
  isAllowed(hostHeader: string | undefined): boolean
  /** Whether the request has no Origin header, or the origin of the host that it asks. */
  isSameOrigin(request: Pick<FastifyRequest, 'headers'>): boolean
}

/**
 * A foreign site can point its own name at this machine (DNS rebinding), and its pages would then have our origin. So
 * only names that nobody else can own are allowed: the loopback names, the public URL, and the address we listen on.
 */
export function allowedHosts({ host, publicUrl }: { host: string; publicUrl?: URL }): AllowedHosts {
  const names = new Set(['localhost', '127.0.0.1', '::1'])
  if (publicUrl) names.add(withoutBrackets(publicUrl.hostname))
  names.add(host.toLowerCase())
  // Listening everywhere, the server cannot list its own addresses (a container does not know those of its host); but
  // an IP address is no name that somebody could point elsewhere.
  const allowsAnyIp = host === '0.0.0.0' || host === '::'

  function isAllowed(header: string | undefined): boolean {
    const name = hostNameIn(header)
    return name !== undefined && (names.has(name) || (allowsAnyIp && isIP(name) !== 0))
  }

  return {
    isAllowed,
    isSameOrigin({ headers }) {
      const { origin } = headers
      if (origin === undefined) return true
      if (publicUrl && origin === publicUrl.origin) return true
      return URL.canParse(origin) && /^https?:/.test(origin) && new URL(origin).host === hostOf(headers.host, origin)
    },
  }
}

const hostHeader = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i

/** The name in a Host header in lower case, without port and brackets; `undefined` when the header is invalid. */
function hostNameIn(header: string | undefined): string | undefined {
  const name = hostHeader.exec(header ?? '')?.[1]
  return name && withoutBrackets(name.toLowerCase()).replace(/\.$/, '')
}

/** A Host header as a URL of the origin's scheme writes it: without the default port of the scheme. */
function hostOf(header: string | undefined, origin: string): string | undefined {
  const url = `${new URL(origin).protocol}//${header}`
  return hostNameIn(header) && URL.canParse(url) ? new URL(url).host : undefined
}

const withoutBrackets = (name: string) => name.replace(/^\[(.*)\]$/, '$1')
