import { request as requestHttp } from 'node:http'
import { type RequestOptions, request as requestHttps } from 'node:https'
import { awaitReply } from '../outbound/awaitReply.ts'
import { readReply } from '../outbound/reply.ts'

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

/** Bytes of a reply to the gateway itself. The settings contain the operator's custom code. */
const maxTextBytes = 8 * 1024 * 1024

/**
 * Fetches a small text from the upstream. It is cut off after 8 MiB, and after `upstream.timeoutMs`.
 * @param headers of the request
 * @throws Error of the connection, or UpstreamTimeout when the reply has not begun in time
 */
export async function fetchFromUpstream(upstream: Upstream, path: string, headers: RequestOptions['headers']) {
  const signal = AbortSignal.timeout(upstream.timeoutMs)
  const request = openRequest(upstream, { path, headers, signal })
  try {
    request.end()
    const response = await awaitReply(request, signal)
    const { code, body } = await readReply(response, maxTextBytes, signal)
    return { status: code, headers: response.headers, text: body }
  } catch (error) {
    throw signal.aborted ? new UpstreamTimeout('no answer in time', { cause: error }) : error
  }
}
