import { getServers } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { Refusal } from '../refusal.ts'
import { isAllowedTarget } from './targets.ts'

export interface Call {
  url: string
  method: 'GET' | 'POST'
  /** Asked when the target has turned out to be allowed: real servers look at that first. @throws Refusal */
  headers(): Readonly<Record<string, string>>
  body?: string
  /** Whether a receiver must show a valid certificate. */
  verifyTls: boolean
}

interface Options {
  /** Whether addresses behind this server may be called. */
  isAdmin: boolean
  /** Milliseconds for everything together. */
  timeoutMs?: number
}

const usualTimeout = 10_000
const longestChain = 10

/**
 * Calls a web address that a person chose. The address is judged as it is connected to, on every redirect anew, so
 * that a name cannot lead elsewhere than it said. The reply's body is not read.
 * @returns the status line of the last reply
 * @throws Refusal in the words of real servers; the path and query of the URL, which may hold a token, are not in it
 */
export async function guardedRequest(call: Call, { isAdmin, timeoutMs = usualTimeout }: Options): Promise<Status> {
  const signal = AbortSignal.timeout(timeoutMs)
  let next = call
  for (let hops = 0; hops <= longestChain; hops++) {
    const url = targetOf(next.url)
    const reply = await once(next, url, await addressOf(url, isAdmin, signal), signal)
    const redirected = redirectOf(next, url, reply)
    if (!redirected) return { code: reply.statusCode ?? 0, text: `${reply.statusCode} ${reply.statusMessage}`.trim() }
    next = redirected
  }
  throw new Refusal(`stopped after ${longestChain} redirects`)
}

export interface Status {
  code: number
  /** '404 Not Found' */
  text: string
}

const notAllowed = () => new Refusal('HTTP URL target is not allowed')

function targetOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw notAllowed()
}

/** The one address that will be connected to: asking for it again later could give another one. */
async function addressOf({ hostname }: URL, isAdmin: boolean, signal: AbortSignal): Promise<string> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const found = isIP(host) ? [host] : await resolve(host, signal)
  const allowed = found.filter((address) => isAllowedTarget(address, isAdmin))
  if (!allowed[0] || allowed.length < found.length) throw notAllowed()
  return allowed[0]
}

async function resolve(host: string, signal: AbortSignal): Promise<string[]> {
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Refusal(`lookup ${host}: i/o timeout`)), { once: true })
  })
  const found = lookup(host, { all: true }).catch((cause: NodeJS.ErrnoException) => {
    const [server] = getServers()
    const why = cause.code === 'ENOTFOUND' ? 'no such host' : 'server misbehaving'
    throw new Refusal(`lookup ${host}${server ? ` on ${withPort(server)}` : ''}: ${why}`)
  })
  return (await Promise.race([found, late])).map(({ address }) => address)
}

const withPort = (server: string) => (isIP(server) === 6 ? `[${server}]:53` : isIP(server) ? `${server}:53` : server)

function once(call: Call, url: URL, address: string, signal: AbortSignal): Promise<IncomingMessage> {
  const isTls = url.protocol === 'https:'
  const pinned: LookupFunction = (_name, options, done) => {
    const family = isIP(address)
    if (options.all) done(null, [{ address, family }])
    else done(null, address, family)
  }
  return new Promise<IncomingMessage>((settle, fail) => {
    const sent = (isTls ? requestTls : requestPlain)(url, {
      method: call.method,
      headers: { 'user-agent': 'Wheelhouse', ...ownHeaders(call.headers()) },
      lookup: pinned,
      agent: false,
      signal,
      ...(isTls && { rejectUnauthorized: call.verifyTls }),
    })
    sent.on('error', fail)
    sent.on('response', (reply) => {
      reply.on('error', () => {}) // Cut off by us: the status line is all that was wanted.
      reply.destroy()
      settle(reply)
    })
    sent.end(call.body)
  }).catch((cause: NodeJS.ErrnoException) => {
    if (cause instanceof Refusal) throw cause
    throw failureOf(call, url, address, cause, signal)
  })
}

/** How a message is framed and where it goes is not a person's to say. */
const framing = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade'])

const ownHeaders = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !framing.has(name.toLowerCase())))

function failureOf(
  { method }: Call,
  url: URL,
  address: string,
  cause: NodeJS.ErrnoException,
  signal: AbortSignal,
): Refusal {
  const verb = method === 'GET' ? 'Get' : 'Post'
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const place = isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`
  const why = signal.aborted
    ? 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)'
    : cause.code === 'ECONNREFUSED'
      ? `dial tcp ${place}: connect: connection refused`
      : cause.message
  return new Refusal(`${verb} "${url.origin}": ${why}`)
}

/** Where a reply leads on, as browsers and real servers follow it. Headers, which may hold a token, stay with their host. */
function redirectOf(call: Call, url: URL, { statusCode = 0, headers }: IncomingMessage): Call | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode) || !headers.location) return undefined
  if (!URL.canParse(headers.location, url)) return undefined
  const next = new URL(headers.location, url)
  const staysHere = next.host === url.host
  const repeats = statusCode >= 307 || call.method === 'GET'
  const kept = { ...call, url: next.href, headers: staysHere ? call.headers : () => typeOnly(call.headers()) }
  return repeats ? kept : { ...kept, method: 'GET', body: undefined }
}

const typeOnly = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() === 'content-type'))
