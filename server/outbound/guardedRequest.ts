import type { IncomingMessage } from 'node:http'
import { ApiError } from '../wire/apiError.ts'
import { type Reply, readReply } from './reply.ts'
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
  let next = request
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const url = parseHttpUrl(next.url)
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    const message = await sendRequest(next, url, await resolveTarget(host, { allowPrivate, signal }), signal)
    const redirected = followsRedirects ? redirectedRequest(next, url, message) : undefined
    if (!redirected) return readReply(message, maxBodyBytes, signal)
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
  { statusCode = 0, headers }: IncomingMessage,
): OutboundRequest | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode) || !headers.location) return undefined
  if (!URL.canParse(headers.location, url)) return undefined
  const next = new URL(headers.location, url)
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

const contentTypeOnly = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() === 'content-type'))
