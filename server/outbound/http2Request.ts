import { connect as connectHttp2, constants } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { ClosedWithoutReplyError } from './failureReason.ts'
import type { IncomingReply } from './reply.ts'
import { untilAborted } from './untilAborted.ts'

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
