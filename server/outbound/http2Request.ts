import { connect as connectHttp2, constants } from 'node:http2'
import type { LookupFunction } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { ClosedWithoutReplyError } from './failureReason.ts'
import { certificateOf, type IncomingReply } from './reply.ts'
import { untilAborted } from './untilAborted.ts'

interface Http2Request {
  url: URL
  method: string
  headers: Readonly<Record<string, string>>
  body: string | undefined
  lookup: LookupFunction
  verifyTls: boolean
}

/**
 * Sends one request over HTTP/2, to a server that may speak nothing else.
 * @param signal when it is aborted, the connection is closed
 * @returns the reply as soon as its headers have arrived; `undefined` when the server does not speak HTTP/2
 * @throws Error of the connection, or the reason of `signal`
 */
export async function sendHttp2Request(
  { url, method, headers, body, lookup, verifyTls }: Http2Request,
  signal: AbortSignal,
): Promise<IncomingReply | undefined> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const socket = connectTls({
    host,
    port: Number(url.port || 443),
    lookup,
    ALPNProtocols: ['h2'],
    rejectUnauthorized: verifyTls,
    ...(/[a-z]/i.test(host) && !host.includes(':') && { servername: host }),
  })
  const close = () => void socket.destroy()
  signal.addEventListener('abort', close, { once: true })
  socket.once('close', () => signal.removeEventListener('abort', close))
  try {
    const connected = new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', resolve)
      socket.on('error', reject)
      socket.once('close', () => reject(new ClosedWithoutReplyError()))
    })
    const isConnected = await untilAborted(connected, signal).then(
      () => true,
      () => false,
    )
    if (!isConnected || socket.alpnProtocol !== 'h2') {
      close()
      return undefined
    }
    return await untilAborted(replyOver(socket, { url, method, headers, body }), signal)
  } catch (error) {
    close()
    throw error
  }
}

function replyOver(
  socket: TLSSocket,
  { url, method, headers, body }: Pick<Http2Request, 'url' | 'method' | 'headers' | 'body'>,
): Promise<IncomingReply> {
  return new Promise((resolve, reject) => {
    const session = connectHttp2(url.origin, { createConnection: () => socket, settings: { enablePush: false } })
    session.on('error', reject)
    socket.once('close', () => reject(new ClosedWithoutReplyError()))
    const stream = session.request(
      {
        [constants.HTTP2_HEADER_METHOD]: method,
        [constants.HTTP2_HEADER_PATH]: `${url.pathname}${url.search}`,
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      },
      { endStream: body === undefined },
    )
    stream.on('error', reject)
    stream.once('close', () => session.destroy())
    stream.once('response', (received) => {
      const certificate = certificateOf({ socket })
      const statusCode = received[constants.HTTP2_HEADER_STATUS]
      resolve(Object.assign(stream, { statusCode, statusMessage: '', headers: received, certificate }) as IncomingReply)
    })
    if (body !== undefined) stream.end(body)
  })
}
