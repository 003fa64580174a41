import type { IncomingMessage } from 'node:http'
import { type PeerCertificate, TLSSocket } from 'node:tls'

/** The reply to an outbound request. */
export interface Reply {
  code: number
  /** '404 Not Found' */
  text: string
  /** The beginning of the body, as far as it was requested and arrived in time; else ''. */
  body: string
  /** Of the receiver, when the connection uses TLS. */
  certificate?: { issuer: string /** Milliseconds since 1970. */; expiresAt: number }
}

/**
 * Reads up to `maxBodyBytes` of the body and closes the connection. An incomplete body is no error.
 * @param signal ends the reading; what has arrived until then counts
 */
export async function readReply(message: IncomingMessage, maxBodyBytes: number, signal: AbortSignal): Promise<Reply> {
  const certificate = peerCertificate(message)
  message.on('error', () => {}) // The rest of the body is cut off here.
  const cutOff = () => void message.destroy()
  signal.addEventListener('abort', cutOff, { once: true })
  // After a switch of protocols the bytes are no body, and they have no end.
  const hasBody = message.statusCode !== 101 && !signal.aborted
  const body = hasBody && maxBodyBytes > 0 ? await readBodyStart(message, maxBodyBytes) : ''
  signal.removeEventListener('abort', cutOff)
  message.destroy()
  return {
    code: message.statusCode ?? 0,
    text: `${message.statusCode} ${message.statusMessage}`.trim(),
    body,
    ...(certificate && { certificate }),
  }
}

async function readBodyStart(message: IncomingMessage, maxBodyBytes: number): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of message as AsyncIterable<Buffer>) {
      parts.push(part)
      bytes += part.length
      if (bytes >= maxBodyBytes) break
    }
  } catch {
    // Timeout or broken connection: the status and the part that arrived are still valid.
  }
  return Buffer.concat(parts).subarray(0, maxBodyBytes).toString('utf8')
}

/** `undefined` also for a resumed TLS session, which has no certificate. */
function peerCertificate({ socket }: IncomingMessage): Reply['certificate'] {
  if (!(socket instanceof TLSSocket)) return undefined
  // A closed connection has none either.
  const { valid_to, issuer } = (socket.getPeerCertificate() as PeerCertificate | null) ?? {}
  if (!valid_to) return undefined
  const { CN, O } = issuer ?? {}
  return { issuer: [O ?? CN ?? ''].flat().join(', '), expiresAt: Date.parse(valid_to) }
}
