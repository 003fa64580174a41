import { type IncomingMessage, request as requestHttp } from 'node:http'
import { type RequestOptions, request as requestHttps } from 'node:https'
import { text } from 'node:stream/consumers'

/** The server behind the gateway. */
export interface Upstream {
  /** Scheme and host only. */
  url: URL
  /** The certificates to trust, in PEM; those of the system when left out. */
  ca?: readonly string[]
  /** Milliseconds until it starts to reply. */
  timeoutMs: number
}

/** Opens a request to the upstream on a connection of its own; `end()` sends it. */
export function openRequest({ url, ca }: Upstream, options: RequestOptions) {
  const open = url.protocol === 'https:' ? requestHttps : requestHttp
  const { hostname, port } = url
  // Brackets belong to the address, not to the name.
  return open({ agent: false, ca: ca && [...ca], ...options, hostname: hostname.replace(/^\[(.*)\]$/, '$1'), port })
}

/** The upstream did not reply in time. The code is not one of the system's. */
export class UpstreamTimeout extends Error {
  readonly code = 'UPSTREAM_SLOW'
}

/**
 * Fetches a small text from the upstream.
 * @param headers of the request
 * @throws Error of the connection, or UpstreamTimeout
 */
export async function fetchFromUpstream(upstream: Upstream, path: string, headers: RequestOptions['headers']) {
  const signal = AbortSignal.timeout(upstream.timeoutMs)
  const request = openRequest(upstream, { path, headers, signal })
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve).once('error', reject).end()
    })
    return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) }
  } catch (error) {
    throw signal.aborted ? new UpstreamTimeout('no answer in time', { cause: error }) : error
  }
}
