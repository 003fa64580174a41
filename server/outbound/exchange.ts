import type { ClientRequest, IncomingMessage } from 'node:http'
import { connect as connectHttp2, constants } from 'node:http2'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { ClosedWithoutReplyError } from './failureReason.ts'
import type { IncomingReply } from './reply.ts'
import { untilAborted } from './untilAborted.ts'

/**
 * The reply to a request, as soon as its headers have arrived. Settles whatever the target does: Node reports a switch
 * of protocols that nobody asked for, and a connection that closes without a word, by events other than `response` and
 * `error`, and after a switch it no longer listens to the signal of the request.
 * @param signal of the request; when it is aborted, the connection is closed
 * @throws Error of the connection, or the reason of `signal`
 */
export async function awaitReply(outgoing: ClientRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const reply = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.on('error', (error) => reject(isHangUp(error) ? new ClosedWithoutReplyError() : error))
    outgoing.on('response', resolve)
    // A reply of 101: its connection is closed with the reply.
    outgoing.on('upgrade', resolve)
    outgoing.on('close', () => reject(new ClosedWithoutReplyError()))
  })
  try {
    return await untilAborted(reply, signal)
  } catch (error) {
    outgoing.destroy()
    throw error
  }
}

/** Node gives a connection that was closed without a reply the code of one that was reset. */
const isHangUp = ({ code, message }: NodeJS.ErrnoException) => code === 'ECONNRESET' && message === 'socket hang up'

interface Http2Request {
  url: URL
  method: string
  headers: Readonly<Record<string, string>>
  body: string | Uint8Array | undefined
}

/**
 * Sends one request over HTTP/2.
 * @param socket a connection on which both sides have chosen it
 * @param signal when it is aborted, the connection is closed
 * @returns the reply as soon as its headers have arrived
 * @throws Error of the connection, or the reason of `signal`
 */
export async function sendHttp2Request(
  socket: TLSSocket,
  request: Http2Request,
  signal: AbortSignal,
): Promise<IncomingReply> {
  try {
    return await untilAborted(replyOver(socket, request), signal)
  } catch (error) {
    socket.destroy()
    throw error
  }
}

function replyOver(socket: TLSSocket, { url, method, headers, body }: Http2Request): Promise<IncomingReply> {
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
      const statusCode = received[constants.HTTP2_HEADER_STATUS]
      resolve(Object.assign(stream, { statusCode, statusMessage: '', headers: received }) as IncomingReply)
    })
    if (body !== undefined) stream.end(body)
  })
}

/** A proxy has answered something else than that it has connected. */
export class ProxyRefusedError extends Error {
  readonly code = 'ERR_PROXY_REFUSED'
}

/** Bytes of a proxy's answer. */
const maxHead = 16 * 1024

/**
 * Has an HTTP proxy connect further, by CONNECT. Closes the connection when it does not.
 * @param stream a connection to the proxy, which then leads to the target
 * @param target `host:port`
 * @throws ProxyRefusedError, an error of the connection, or the reason of `signal`
 */
export async function openProxyTunnel(stream: Duplex, target: string, signal: AbortSignal): Promise<void> {
  stream.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`)
  try {
    const head = await untilAborted(readHead(stream), signal)
    if (!/^HTTP\/1\.\d 2\d\d/.test(head)) throw new ProxyRefusedError(head.split('\r\n')[0])
  } catch (error) {
    stream.destroy()
    throw error
  }
}

/** The head of an answer; what comes behind it stays in the stream. */
function readHead(stream: Duplex): Promise<string> {
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0)
    const closed = () => reject(new ClosedWithoutReplyError())
    function stop() {
      stream.off('readable', read)
      stream.off('error', reject)
      stream.off('end', closed)
    }
    function read() {
      for (let part: Buffer | null = stream.read(); part !== null; part = stream.read()) {
        head = Buffer.concat([head, part])
        const end = head.indexOf('\r\n\r\n')
        if (end < 0 && head.length < maxHead) continue
        stop()
        if (end < 0) return reject(new ProxyRefusedError())
        if (head.length > end + 4) stream.unshift(head.subarray(end + 4))
        return resolve(head.subarray(0, end).toString('latin1'))
      }
    }
    stream.on('readable', read)
    stream.once('error', reject)
    stream.once('end', closed)
  })
}
