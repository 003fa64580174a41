import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { AllowedHosts } from '../auth/addresses/allowedHosts.ts'
import { describeFailure } from './failure.ts'
import { replyHeaders } from './replyHeaders.ts'
import { openRequest, type Upstream, UpstreamTimeout } from './upstream.ts'

interface ForwardOptions {
  upstream: Upstream
  hosts: AllowedHosts
  isTls: boolean
  /** Of the request that goes on. */
  headersFor(asked: IncomingMessage): IncomingHttpHeaders
  /** Whether a path is answered here, where there are no sockets. */
  isOwnPath(path: string): boolean
  /** Told of what a browser cannot show: it learns nothing of why a socket was refused. */
  onFailure(text: string): void
}

/** How long one end may take to read what is left when the other has gone, in ms. */
const partingMs = 10_000

/** Whether a request to change protocols is for a socket. Others, as `h2c`, are answered as if they had not asked. */
export const isSocketRequest = ({ headers }: IncomingMessage) => /^websocket$/i.test(headers.upgrade ?? '')

/**
 * Passes WebSockets on, byte by byte: compression is between the two ends, whoever reads slowly slows down the other
 * end only, and a socket that broke there breaks here, with no close frame that nobody sent.
 * @returns how to end all of them
 */
export function forwardSockets(server: Server, options: ForwardOptions): () => void {
  const open = new Set<Socket>()
  server.on('upgrade', (asked: IncomingMessage, duplex: Duplex, head: Buffer) => {
    const client = duplex as Socket
    open.add(client)
    client.once('close', () => open.delete(client))
    // What breaks is closed, which is all there is to do.
    client.on('error', () => {})
    const { hosts } = options
    if (!hosts.isAllowed(asked.headers.host) || !hosts.isSameOrigin(asked)) return refuse(client, 403, 'Forbidden\n')
    if (options.isOwnPath(asked.url ?? '')) return refuse(client, 404, '{"error":"404 Not Found"}')
    openTunnel(asked, client, head, options)
  })
  return () => {
    for (const client of open) client.destroy()
  }
}

function openTunnel(asked: IncomingMessage, client: Socket, head: Buffer, options: ForwardOptions): void {
  const { upstream, isTls } = options
  const request = openRequest(upstream, {
    method: asked.method,
    path: asked.url,
    headers: { ...options.headersFor(asked), connection: 'Upgrade', upgrade: 'websocket' },
  })
  const timer = setTimeout(() => request.destroy(new UpstreamTimeout('no answer in time')), upstream.patienceMs)
  const giveUp = () => request.destroy()
  client.once('close', giveUp)

  request.on('upgrade', (response, target: Socket, first) => {
    clearTimeout(timer)
    client.off('close', giveUp)
    client.write(headOf(response, replyHeaders(response.headers, upstream.url, isTls)))
    client.write(first)
    target.write(head)
    join(client, target)
  })
  request.on('response', (response) => {
    clearTimeout(timer)
    const { 'transfer-encoding': _, ...headers } = replyHeaders(response.headers, upstream.url, isTls)
    client.write(headOf(response, { ...headers, connection: 'close' }))
    response.pipe(client)
  })
  request.on('error', (error) => {
    clearTimeout(timer)
    if (client.destroyed) return
    const { status, text } = describeFailure(error, upstream.url, upstream.patienceMs)
    options.onFailure(text)
    refuse(client, status, JSON.stringify({ error: text }))
  })
  request.end()
}

/** What one end writes, the other reads, until one of them has gone. */
function join(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.setTimeout(0)
    from.setNoDelay(true)
    // A machine that has gone without a word is noticed.
    from.setKeepAlive(true, 30_000)
    from.on('error', () => {})
    from.pipe(to)
    // What it still said is delivered; but nobody waits for the other end for ever.
    from.once('end', () => to.setTimeout(partingMs, () => to.destroy()))
    from.once('close', () => {
      to.setTimeout(partingMs, () => to.destroy())
      to.destroySoon()
    })
  }
}

const headOf = ({ statusCode, statusMessage }: IncomingMessage, headers: IncomingHttpHeaders): string =>
  [
    `HTTP/1.1 ${statusCode} ${statusMessage}`,
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
