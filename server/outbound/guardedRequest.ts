import { ApiError } from '../wire/apiCall.ts'
import { type Dial, dialFromHere, TargetNotAllowedError, type TargetRules } from './dial.ts'
import { firstToExpire, type Peers } from './openTls.ts'
import { headerText, type IncomingReply, type Reply, readReply } from './reply.ts'
import { type OutboundRequest, sendRequest, type Way } from './sendRequest.ts'

export interface GuardedRequestOptions
  extends TargetRules,
    Partial<Pick<Way, 'httpVersion' | 'tls' | 'phases' | 'proxy' | 'peers'>> {
  /** Opens the connections. Default: from this server, by the rules. */
  dial?: Dial
  /** Called before each request, also those to which redirects lead. */
  onRequest?: (request: OutboundRequest) => void
  /** Milliseconds for all redirects together, 10,000 by default. */
  timeoutMs?: number
  /** How many redirects are followed, 10 by default. With 0, a redirect is the last reply. */
  maxRedirects?: number
  /** How much of the last reply's body is read; nothing by default. */
  maxBodyBytes?: number
  /**
   * For requests that bring something: one that has moved is repeated as it was, and one that a redirect to another address
   * made a GET, which a web page answers, has failed. By default redirects are followed as by browsers, which leave the
   * body out.
   */
  mustArrive?: boolean
}

/** The page redirects further than it may. */
export class TooManyRedirectsError extends ApiError {}

/** The request was led to a web page, as of a sign-in, or of thanks: whether it was taken is not known. */
export class LostBodyError extends ApiError {}

const defaultTimeoutMs = 10_000
const defaultRedirects = 10

/**
 * Sends an HTTP request to a URL that a person entered. Protects against server-side request forgery (SSRF): on every
 * redirect the name is resolved and checked again, and the connection goes to the checked address.
 * @returns the last reply, whatever its status
 * @throws ApiError with the text of real servers, without the path and query of the URL, which may hold a token;
 * TargetNotAllowedError when the target may not be called
 */
export async function guardedRequest(request: OutboundRequest, options: GuardedRequestOptions): Promise<Reply> {
  const { timeoutMs = defaultTimeoutMs, maxRedirects = defaultRedirects, maxBodyBytes = 0, mustArrive } = options
  const { dial = dialFromHere(options), httpVersion, tls, phases, proxy } = options
  const peers: Peers = options.peers ?? new Map()
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(options.signal ? [options.signal] : [])])
  const cookies = createCookieJar()
  let next = request
  let mayBeLost = false
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const url = parseHttpUrl(next.url)
    const isMeant = url.host === parseHttpUrl(request.url).host
    const way = { dial, signal, httpVersion, tls: isMeant ? tls : tls && { ca: tls.ca }, phases, peers, proxy }
    const sent = withCookies(next, cookies.header(url))
    options.onRequest?.(sent)
    const message = await sendRequest(sent, url, way)
    cookies.store(url, message.headers['set-cookie'] ?? [])
    const redirected = maxRedirects > 0 ? redirectedRequest(next, url, message, mustArrive) : undefined
    const certificate = firstToExpire(peers)
    if (mayBeLost && !redirected && isWebPage(message)) {
      message.on('error', () => {}).destroy()
      throw lostBody(request, url)
    }
    if (!redirected) return { ...(await readReply(message, maxBodyBytes, signal)), ...(certificate && { certificate }) }
    message.on('error', () => {}).destroy()
    // Forms lead back to their own address once they have taken something.
    mayBeLost ||=
      mustArrive === true && redirected.method !== next.method && !isSameAddress(url, new URL(redirected.url))
    next = redirected
  }
  throw new TooManyRedirectsError(`stopped after ${maxRedirects} redirects`)
}

function parseHttpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new TargetNotAllowedError('HTTP URL target is not allowed')
}

const isWebPage = ({ statusCode = 0, headers }: IncomingReply) =>
  statusCode < 300 && /^text\/html\b/i.test(headers['content-type'] ?? '')

function lostBody({ url, method }: OutboundRequest, page: URL): LostBodyError {
  const verb = `${method[0]}${method.slice(1).toLowerCase()}`
  return new LostBodyError(
    `${verb} "${parseHttpUrl(url).origin}": it leads to a web page of ${page.origin}, without what was sent: ` +
      'enter the address that takes it, or have it leave out the sign-in there',
  )
}

/**
 * The request that follows a redirect, as browsers and real servers make it. Headers, which may hold a token, are not
 * sent to another host, as no client certificate is.
 * @param repeatsMoved whether one that has moved keeps its method and body, but for one without TLS after one with it
 */
function redirectedRequest(
  request: OutboundRequest,
  url: URL,
  { statusCode = 0, headers }: IncomingReply,
  repeatsMoved = false,
): OutboundRequest | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode) || !headers.location) return undefined
  const location = headerText(headers.location)
  if (!URL.canParse(location, url)) return undefined
  const next = new URL(location, url)
  // Without TLS, everybody on the way could read the headers, so a downgrade counts as another host.
  const isSameOrigin = next.host === url.host && (next.protocol === url.protocol || next.protocol === 'https:')
  const isDowngrade = url.protocol === 'https:' && next.protocol === 'http:'
  const isMoved = !isSameAddress(url, next) && (statusCode === 301 || (statusCode === 302 && isSamePlace(url, next)))
  const keepsMethod = statusCode >= 307 || request.method === 'GET' || (repeatsMoved && isMoved && !isDowngrade)
  const repeated = {
    ...request,
    url: next.href,
    headers: isSameOrigin ? request.headers : () => withoutSecrets(request.headers()),
  }
  return keepsMethod ? repeated : { ...repeated, method: 'GET', body: undefined }
}

/** Whether it leads back: nothing has moved, and what was sent is there. */
const isSameAddress = (one: URL, other: URL) => one.href.replace(/#.*/, '') === other.href.replace(/#.*/, '')

/** Whether only scheme, host or a slash at the end differ: nobody leads on from what has taken a request like this. */
function isSamePlace(one: URL, other: URL): boolean {
  const place = ({ pathname, search }: URL) => pathname.replace(/\/$/, '') + search
  return place(one) === place(other)
}

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

/** What says how something is asked, and not who asks. */
const plainHeaders = new Set(['accept', 'accept-encoding', 'accept-language', 'content-type', 'user-agent'])

const withoutSecrets = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => plainHeaders.has(name.toLowerCase())))

/** The cookies of one request and its redirects: many pages set one, and redirect to themselves until it comes back. */
export interface CookieJar {
  /** Keeps what a reply of this URL sets. */
  store(url: URL, setCookie: readonly string[]): void
  /** The header for a request, `undefined` without cookies. */
  header(url: URL): string | undefined
}

interface Cookie {
  name: string
  value: string
  /** The host that set it, or the domain that it named. */
  domain: string
  includesSubdomains: boolean
  path: string
  isSecure: boolean
}

/** As browsers keep them for one site, and never more than servers take in a header. */
const limits = {
  cookies: 50,
  /** Characters of a cookie. */
  length: 4096,
}

function createCookieJar(): CookieJar {
  let cookies: Cookie[] = []

  const matches = (cookie: Cookie, { hostname, pathname, protocol }: URL) =>
    (hostname === cookie.domain || (cookie.includesSubdomains && isBelow(hostname, cookie.domain))) &&
    (pathname === cookie.path || pathname.startsWith(cookie.path.endsWith('/') ? cookie.path : `${cookie.path}/`)) &&
    (!cookie.isSecure || protocol === 'https:')

  return {
    store(url, setCookie) {
      for (const text of setCookie) {
        const { cookie, isDeleted } = readCookie(text, url) ?? {}
        if (!cookie) continue
        cookies = cookies.filter(
          ({ name, domain, path }) => name !== cookie.name || domain !== cookie.domain || path !== cookie.path,
        )
        if (!isDeleted && cookies.length < limits.cookies) cookies.push(cookie)
      }
    },
    header(url) {
      const sent = cookies.filter((cookie) => matches(cookie, url))
      return sent.length > 0 ? sent.map(({ name, value }) => `${name}=${value}`).join('; ') : undefined
    },
  }
}

function readCookie(text: string, url: URL): { cookie: Cookie; isDeleted: boolean } | undefined {
  const [pair = '', ...attributes] = text.split(';').map((part) => part.trim())
  // Without a pattern, which takes long for thousands of blanks.
  const end = pair.indexOf('=')
  const [name, value] = [pair.slice(0, Math.max(0, end)).trim(), pair.slice(end + 1).trim()]
  // What cannot be sent back is no cookie.
  if (name === '' || pair.length > limits.length || !/^[\x20-\x7e\x80-\xff]*$/.test(pair)) return undefined
  const given = new Map(
    attributes.map((attribute) => {
      const [key = '', ...rest] = attribute.split('=')
      return [key.trim().toLowerCase(), rest.join('=').trim()] as const
    }),
  )
  const domain = given.get('domain')?.replace(/^\./, '').toLowerCase() ?? ''
  if (domain && domain !== url.hostname && !(domain.includes('.') && isBelow(url.hostname, domain))) return undefined
  const path = given.get('path')
  const maxAge = given.get('max-age')
  const expires = Date.parse(given.get('expires') ?? '')
  return {
    cookie: {
      name,
      value,
      domain: domain || url.hostname,
      includesSubdomains: domain !== '',
      path: path?.startsWith('/') ? path : url.pathname.slice(0, Math.max(1, url.pathname.lastIndexOf('/'))),
      isSecure: given.has('secure'),
    },
    isDeleted: maxAge === undefined ? expires <= Date.now() : Number(maxAge) <= 0,
  }
}

const isBelow = (hostname: string, domain: string) => hostname.endsWith(`.${domain}`) && !/^[\d.]+$/.test(hostname)
