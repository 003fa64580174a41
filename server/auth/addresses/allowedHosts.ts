import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Settings } from '../../settings.ts'

/** The names under which this server may be addressed, and the pages that may talk to it. */
export interface KnownHosts {
  isKnown(hostHeader: string | undefined): boolean
  /** Whether the request was made by a page of our own, or by no page at all. */
  isOwnOrigin(request: Pick<FastifyRequest, 'headers'>): boolean
}

/**
 * A foreign page can point its own name at this machine (DNS rebinding) and would then count as ours. So only names
 * that nobody else can own are answered: the loopback ones, the public address, and the address we listen on.
 */
export function knownHosts({ host, publicUrl }: Pick<Settings, 'host' | 'publicUrl'>): KnownHosts {
  const names = new Set(['localhost', '127.0.0.1', '::1'])
  if (publicUrl) names.add(bare(publicUrl.hostname))
  names.add(host.toLowerCase())
  // Listening everywhere, the server cannot list its own addresses (a container does not know its host's); but an
  // address in figures has no name that could be pointed elsewhere.
  const takesAnyAddress = host === '0.0.0.0' || host === '::'

  function isKnown(header: string | undefined): boolean {
    const name = nameIn(header)
    return name !== undefined && (names.has(name) || (takesAnyAddress && isIP(name) !== 0))
  }

  return {
    isKnown,
    isOwnOrigin({ headers }) {
      const { origin } = headers
      if (origin === undefined) return true
      if (publicUrl && origin === publicUrl.origin) return true
      return URL.canParse(origin) && /^https?:/.test(origin) && new URL(origin).host === hostIn(headers.host, origin)
    },
  }
}

const hostHeader = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i

/** The name of a Host header in small letters, without port and brackets; `undefined` when it is none. */
function nameIn(header: string | undefined): string | undefined {
  const name = hostHeader.exec(header ?? '')?.[1]
  return name && bare(name.toLowerCase()).replace(/\.$/, '')
}

/** A Host header as a URL of the origin's scheme spells it: without the scheme's own port. */
function hostIn(header: string | undefined, origin: string): string | undefined {
  const url = `${new URL(origin).protocol}//${header}`
  return nameIn(header) && URL.canParse(url) ? new URL(url).host : undefined
}

const bare = (name: string) => name.replace(/^\[(.*)\]$/, '$1')
