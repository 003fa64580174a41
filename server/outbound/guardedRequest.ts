import { ApiError } from '../wire/apiError.ts'
import { createCookieJar } from './cookieJar.ts'
import { headerText, type IncomingReply, type PeerCertificate, type Reply, readReply } from './reply.ts'
import { resolveTarget, TargetNotAllowedError, type TargetRules } from './resolveTarget.ts'
import { type OutboundRequest, sendRequest } from './sendRequest.ts'

export interface GuardedRequestOptions extends TargetRules {
  /** Milliseconds for all redirects together, 10,000 by default. */
  timeoutMs?: number
  /** Default: true. Without it, a redirect is the last reply. */
  followsRedirects?: boolean
  /** How much of the last reply's body is read; nothing by default. */
  maxBodyBytes?: number
}

const defaultTimeoutMs = 10_000
const maxRedirects = 10

/**
 * Sends an HTTP request to a URL that a person entered. Protects against server-side request forgery (SSRF): on every
 * redirect the name is resolved and checked again, and the connection goes to the checked address.
 * @returns the last reply, whatever its status
 * @throws ApiError with the text of real servers, without the path and query of the URL, which may hold a token;
 * TargetNotAllowedError when the target may not be called
 */
export async function guardedRequest(request: OutboundRequest, options: GuardedRequestOptions): Promise<Reply> {
  const { allowPrivate, timeoutMs = defaultTimeoutMs, followsRedirects = true, maxBodyBytes = 0 } = options
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(options.signal ? [options.signal] : [])])
  const cookies = createCookieJar()
  let certificate: PeerCertificate | undefined
  let next = request
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const url = parseHttpUrl(next.url)
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    const addresses = await resolveTarget(host, { allowPrivate, signal })
    const message = await sendRequest(withCookies(next, cookies.header(url)), url, addresses, signal)
    certificate = firstToExpire(certificate, message.certificate)
    cookies.store(url, message.headers['set-cookie'] ?? [])
    const redirected = followsRedirects ? redirectedRequest(next, url, message) : undefined
    if (!redirected) return { ...(await readReply(message, maxBodyBytes, signal)), ...(certificate && { certificate }) }
    message.on('error', () => {}).destroy()
    next = redirected
  }
  throw new ApiError(`stopped after ${maxRedirects} redirects`)
}

function parseHttpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new TargetNotAllowedError('HTTP URL target is not allowed')
}

/**
 * The request that follows a redirect, as browsers and real servers make it. Headers, which may hold a token, are not
 * sent to another host.
 */
function redirectedRequest(
  request: OutboundRequest,
  url: URL,
  { statusCode = 0, headers }: IncomingReply,
): OutboundRequest | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode) || !headers.location) return undefined
  const location = headerText(headers.location)
  if (!URL.canParse(location, url)) return undefined
  const next = new URL(location, url)
  // Without TLS, everybody on the way could read the headers, so a downgrade counts as another host.
  const isSameOrigin = next.host === url.host && (next.protocol === url.protocol || next.protocol === 'https:')
  const keepsMethod = statusCode >= 307 || request.method === 'GET'
  const repeated = {
    ...request,
    url: next.href,
    headers: isSameOrigin ? request.headers : () => contentTypeOnly(request.headers()),
  }
  return keepsMethod ? repeated : { ...repeated, method: 'GET', body: undefined }
}

/** A host that only redirects has a certificate, too: whoever cannot reach it does not reach the page. */
const firstToExpire = (one: PeerCertificate | undefined, other: PeerCertificate | undefined) =>
  one && other ? (other.expiresAt < one.expiresAt ? other : one) : (one ?? other)

/** Cookies of this request's own redirects, after those that a person has entered. */
function withCookies(request: OutboundRequest, cookies: string | undefined): OutboundRequest {
  if (cookies === undefined) return request
  return {
    ...request,
    headers() {
      const headers = request.headers()
      const name = Object.keys(headers).find((one) => one.toLowerCase() === 'cookie') ?? 'cookie'
      return { ...headers, [name]: [headers[name], cookies].filter(Boolean).join('; ') }
    },
  }
}

const contentTypeOnly = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() === 'content-type'))
