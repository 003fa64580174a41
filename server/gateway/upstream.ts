import { type IncomingHttpHeaders, request as requestHttp, STATUS_CODES } from 'node:http'
import { type RequestOptions, request as requestHttps } from 'node:https'
import { errorCode, errorMessage } from '../../src/domain/errors.ts'
import { bodyRefusedBy } from '../../src/schemas/define/wireNames.ts'
import { awaitReply } from '../outbound/exchange.ts'
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

interface Reply {
  status: number
  type?: string
  /** The Location header of the upstream. */
  location?: string
}

/** Why there is no reply of the upstream to forward, for the user and the operator. */
export interface UpstreamFailure {
  /** 504 when the upstream is too slow, else 502. */
  status: 502 | 504
  text: string
}

/** Error codes of the system and of the libraries, by their meaning. */
const codes = {
  refused: ['ECONNREFUSED'],
  unknown: ['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME'],
  unreachable: ['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL'],
  slow: ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UPSTREAM_SLOW'],
  silent: ['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'],
  expired: ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
  otherName: ['ERR_TLS_CERT_ALTNAME_INVALID'],
  untrusted: [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'CERT_UNTRUSTED',
  ],
  longHeaders: ['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW'],
  noTls: ['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'EPROTO'],
} satisfies Record<string, readonly string[]>

/** Explains a failed connection. */
export function describeFailure(error: unknown, upstream: URL, timeoutMs: number): UpstreamFailure {
  const at = `The server at ${upstream.origin}`
  const code = codeOf(error)
  const is = (kind: keyof typeof codes) => (codes[kind] as readonly string[]).includes(code)
  const fails = (text: string): UpstreamFailure => ({ status: 502, text })
  if (is('slow')) {
    const seconds = `${timeoutMs / 1000} seconds`
    return { status: 504, text: `${at} did not answer within ${seconds}: try again, or look at how busy it is.` }
  }
  if (is('silent')) {
    return {
      status: 504,
      text: `${at} cannot be reached: a firewall may be in the way, or UPSTREAM names a wrong port.`,
    }
  }
  if (is('refused')) return fails(`${at} refuses connections: start it, or correct UPSTREAM.`)
  if (is('unknown')) return fails(`${at} cannot be found: no such host name. Correct UPSTREAM, or the name service.`)
  if (is('unreachable')) return fails(`${at} cannot be reached from here: check the network, or correct UPSTREAM.`)
  if (is('expired')) return fails(`${at} shows a certificate that is not valid today: renew it, or set the clocks.`)
  if (is('otherName')) {
    return fails(`${at} shows a certificate for another name: set UPSTREAM to a name that the certificate has.`)
  }
  if (is('untrusted')) {
    return fails(
      `${at} shows a certificate that is not trusted here: set UPSTREAM_CA to a file with the certificate of who ` +
        'signed it (or its own, if it signed itself), in PEM. NODE_EXTRA_CA_CERTS works as well.',
    )
  }
  if (is('noTls')) return fails(`${at} does not speak TLS on this port: set UPSTREAM to http://${upstream.host}.`)
  if (is('longHeaders')) {
    return fails(`${at} sends headers of more than 16 KiB: have it, or a proxy in between, set fewer cookies.`)
  }
  return fails(`${at} broke the connection off (${code || errorMessage(error)}): try again, or look at its log.`)
}

/** The innermost code: libraries wrap the errors of the system. */
function codeOf(error: unknown): string {
  let code = ''
  for (let at = error; at instanceof Error; at = at.cause ?? (at as AggregateError).errors?.[0]) {
    const current = errorCode(at)
    if (current !== undefined && !current.startsWith('FST_')) code = current
  }
  return code
}

/**
 * Explains a reply that no server of this kind sends: another program has that address, or is in between.
 * @param path of the request
 * @returns a sentence; `undefined` when the reply can be forwarded
 */
export function describeUnexpectedReply(
  path: string,
  { status, type = '', location }: Reply,
  upstream: URL,
): string | undefined {
  const at = `The server at ${upstream.origin}`
  const target = location !== undefined && URL.canParse(location, upstream) ? new URL(location, upstream) : undefined
  const isRedirect = status >= 300 && status < 400 && target !== undefined
  if (isRedirect && target.host === upstream.host && target.protocol === 'https:' && upstream.protocol === 'http:') {
    return `${at} wants to be called with TLS: set UPSTREAM to ${target.origin}.`
  }
  if (!path.startsWith('/api/')) return undefined
  if (status === 101) {
    return `${at} answers 101 Switching Protocols where data is expected: set UPSTREAM to the address of a Nezha server.`
  }
  if (isRedirect) {
    // A sign-in at a provider redirects to other hosts.
    if (target.origin === upstream.origin || path.startsWith('/api/v1/oauth2/')) return undefined
    return `${at} leads to ${target.origin} instead of answering: set UPSTREAM to an address that asks for no other sign-in.`
  }
  // Blocked addresses get a page, which the console handles.
  if (!/^text\/html\b/i.test(type) || status === 403) return undefined
  if (status >= 500) {
    return (
      `${at} answers ${status} ${STATUS_CODES[status] ?? ''}`.trim() +
      ' in the name of a server behind it: start that, or look at the log of the proxy.'
    )
  }
  if (status === 413) return bodyRefusedBy(upstream.origin)
  return `${at} answers with a web page (HTTP ${status}) where data is expected: set UPSTREAM to the address of a Nezha server, without a proxy in between that serves pages of its own.`
}

/** The setting of the upstream that the gateway needs. */
export interface UpstreamSettings {
  /**
   * Whether the operator's own code runs in the console; `false` until the upstream has replied once.
   * @param headers with the address of the client: the upstream may block others
   */
  hasCustomCode(headers: IncomingHttpHeaders): Promise<boolean>
  /** To be called when the settings have changed. */
  invalidate(): void
}

/** Milliseconds until a reply is fetched again, after a success and after a failure. */
const freshMs = 5000
const retryMs = 1000
/** Milliseconds that a page waits for its content security policy. */
const timeoutMs = 3000

/** @param now the clock, in milliseconds */
export function createUpstreamSettings(upstream: Upstream, now: () => number = Date.now): UpstreamSettings {
  let hasCustomCode = false
  let readAt = Number.NEGATIVE_INFINITY
  let keptMs = freshMs
  let pending: Promise<boolean> | undefined

  async function fetchSetting(headers: IncomingHttpHeaders): Promise<boolean> {
    try {
      const reply = await fetchFromUpstream({ ...upstream, timeoutMs }, '/api/v1/setting', headers)
      hasCustomCode = Boolean(JSON.parse(reply.text).data.config.custom_code_dashboard)
      keptMs = freshMs
    } catch {
      // Down, slow, or this client is blocked: the last value stays, and the calls of the page show the reason.
      keptMs = retryMs
    }
    readAt = now()
    return hasCustomCode
  }

  return {
    async hasCustomCode(headers) {
      if (Math.abs(now() - readAt) < keptMs) return hasCustomCode
      pending ??= fetchSetting(headers).finally(() => {
        pending = undefined
      })
      return pending
    },
    invalidate() {
      readAt = Number.NEGATIVE_INFINITY
    },
  }
}
