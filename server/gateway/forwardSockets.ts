import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'
import type { AllowedHosts } from '../auth/addresses/allowedHosts.ts'
import { addressGroup } from '../auth/addresses/clientAddress.ts'
import { createOpenCounter, type OpenLimits } from '../http/openCounter.ts'
import type { WarnRarely } from '../http/rareWarning.ts'
import { type ReceivedHeaders, replyHeaders } from './headers.ts'
import { describeFailure, openRequest, type Upstream, UpstreamTimeout } from './upstream.ts'

interface ForwardOptions {
  upstream: Upstream
  hosts: AllowedHosts
  isTls: boolean
  /** The headers of the forwarded request. */
  headersFor(incoming: IncomingMessage): IncomingHttpHeaders
  /** Whether a path belongs to the gateway itself, which has no sockets. */
  isOwnPath(path: string): boolean
  /** Called with the reason of a refused socket: browsers do not show it. */
  onFailure(text: string): void
  /** The address of the visitor. */
  addressOf(incoming: IncomingMessage): string
  /** Called with a sentence for the operator when there are too many sockets. */
  onRefusal: WarnRarely
  limits?: OpenLimits
}

/** Milliseconds for one end to read the remaining data after the other has closed. */
const lingerMs = 10_000

/** Who has a session is known to the upstream alone; a person has one socket for each tab, terminal and file manager. */
const defaultLimits: OpenLimits = { perKey: 256, total: 2048 }
const tooManySockets = 'too many sockets at the same time: close some, or try again in a minute'

/**
 * Forwards WebSockets byte by byte: the two ends agree on compression, backpressure passes through, and a connection that
 * breaks at one end breaks at the other, without a close frame.
 * @returns a function that closes all of them
 */
export function forwardSockets(server: Server, options: ForwardOptions): () => void {
  const { limits = defaultLimits } = options
  const counter = createOpenCounter(limits)
  const open = new Set<Socket>()
  server.on('upgrade', (incoming: IncomingMessage, duplex: Duplex, head: Buffer) => {
    const client = duplex as Socket
    open.add(client)
    client.once('close', () => open.delete(client))
    // After an error the socket is closed; there is nothing else to do.
    client.on('error', () => {})
    const { hosts } = options
    if (!hosts.isAllowed(incoming.headers.host) || !hosts.isSameOrigin(incoming))
      return refuse(client, 403, 'Forbidden\n')
    const path = pathOf(incoming)
    if (path === undefined) return refuse(client, 400, 'Bad Request\n')
    if (options.isOwnPath(path)) return refuse(client, 404, '{"error":"404 Not Found"}')
    const address = addressGroup(options.addressOf(incoming))
    const end = counter.add(address)
    if (typeof end === 'string') {
      const [whose, max] = end === 'key' ? [address, limits.perKey] : ['all visitors', limits.total]
      options.onRefusal(`Sockets of ${whose} are refused: ${max} are open, which is the limit.`, 'sockets')
      return refuse(client, end === 'key' ? 429 : 503, JSON.stringify({ error: tooManySockets }))
    }
    client.once('close', end)
    openTunnel(incoming, client, head, options)
  })
  return () => {
    for (const client of open) client.destroy()
  }
}

/**
 * The path of a request as the router of plain requests compares it; `undefined` where the request has an address in its
 * place, as for a proxy: the server behind would take the host from there, which nobody has checked.
 */
function pathOf({ url = '' }: IncomingMessage): string | undefined {
  if (!/^\/(?![/\\])/.test(url) || !URL.canParse(url, 'http://gateway')) return undefined
  const { pathname } = new URL(url, 'http://gateway')
  try {
    return decodeURIComponent(pathname)
  } catch {
    return undefined
  }
}

function openTunnel(incoming: IncomingMessage, client: Socket, head: Buffer, options: ForwardOptions): void {
  const { upstream, isTls } = options
  const request = openRequest(upstream, {
    method: incoming.method,
    path: incoming.url,
    headers: { ...options.headersFor(incoming), connection: 'Upgrade', upgrade: 'websocket' },
  })
  const timer = setTimeout(() => request.destroy(new UpstreamTimeout('no answer in time')), upstream.timeoutMs)
  const giveUp = () => request.destroy()
  client.once('close', giveUp)

  let hasReply = false
  /** Answers the browser with the head of the upstream's reply. */
  function reply({ statusCode, statusMessage, headers }: IncomingMessage, connection: ReceivedHeaders): void {
    clearTimeout(timer)
    hasReply = true
    const forwarded = { ...replyHeaders(headers, upstream.url, isTls), ...connection }
    // Bytes above 127 stay as they came.
    client.write(responseHead(`${statusCode} ${statusMessage}`, forwarded), 'latin1')
  }
  request.on('upgrade', (response, target: Socket, first) => {
    if (client.destroyed) return void target.destroy()
    client.off('close', giveUp)
    reply(response, { connection: 'Upgrade', upgrade: response.headers.upgrade })
    client.write(first)
    target.write(head)
    pipeBothWays(client, target)
  })
  request.on('response', (response) => {
    // Its close is only announced later.
    if (client.destroyed) return void response.destroy()
    reply(response, { connection: 'close' })
    pipeline(response, client, () => {})
  })
  request.on('error', (error) => {
    clearTimeout(timer)
    if (client.destroyed) return
    if (hasReply) return void client.destroy()
    const { status, text } = describeFailure(error, upstream.url, upstream.timeoutMs)
    options.onFailure(text)
    refuse(client, status, JSON.stringify({ error: text }))
  })
  request.end()
}

/** Connects two sockets until one of them closes. */
function pipeBothWays(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.setTimeout(0)
    from.setNoDelay(true)
    // Detects a machine that disappeared without closing.
    from.setKeepAlive(true, 30_000)
    from.on('error', () => {})
    from.pipe(to)
    // The remaining data is delivered, within a time limit.
    from.once('end', () => to.setTimeout(lingerMs, () => to.destroy()))
    from.once('close', () => {
      to.setTimeout(lingerMs, () => to.destroy())
      to.destroySoon()
    })
  }
}

const responseHead = (status: string, headers: ReceivedHeaders): string =>
  [
    `HTTP/1.1 ${status}`,
    ...Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((one) => `${name}: ${one}`)),
    '\r\n',
  ].join('\r\n')

function refuse(client: Socket, status: number, text: string): void {
  const type = text.startsWith('{') ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8'
  const length = Buffer.byteLength(text)
  client.end(
    `HTTP/1.1 ${status} \r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n${text}`,
    () => client.destroySoon(),
  )
}
