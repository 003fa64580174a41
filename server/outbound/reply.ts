import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'

/** What came back. */
export interface Reply {
  code: number
  /** '404 Not Found' */
  text: string
  /** The beginning of the body, as far as it was asked for and came in time; '' when it was not. */
  body: string
  /** Of the receiver, when it was called by TLS. */
  certificate?: { issuer: string /** Milliseconds since 1970. */; expiresAt: number }
}

/** Reads no more than `keepBytes` of the body, and ends the connection. A body that breaks off is kept as it is. */
export async function readReply(message: IncomingMessage, keepBytes: number): Promise<Reply> {
  const certificate = certificateOf(message)
  const body = keepBytes > 0 ? await headOf(message, keepBytes) : ''
  message.on('error', () => {}) // Cut off by us.
  message.destroy()
  return {
    code: message.statusCode ?? 0,
    text: `${message.statusCode} ${message.statusMessage}`.trim(),
    body,
    ...(certificate && { certificate }),
  }
}

async function headOf(message: IncomingMessage, keepBytes: number): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of message as AsyncIterable<Buffer>) {
      parts.push(part)
      bytes += part.length
      if (bytes >= keepBytes) break
    }
  } catch {
    // The time is over or the connection broke: the status and what came before it stay true.
  }
  return Buffer.concat(parts).subarray(0, keepBytes).toString('utf8')
}

/** A connection that was resumed shows none. */
function certificateOf({ socket }: IncomingMessage): Reply['certificate'] {
  if (!(socket instanceof TLSSocket)) return undefined
  const { valid_to, issuer } = socket.getPeerCertificate()
  if (!valid_to) return undefined
  const { CN, O } = issuer ?? {}
  return { issuer: [O ?? CN ?? ''].flat().join(', '), expiresAt: Date.parse(valid_to) }
}
