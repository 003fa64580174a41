import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ApiError } from '../wire/apiError.ts'
import { areShared } from '../wire/sharedBytes.ts'
import { hasLeft, type RequestLimits } from './requestLimits.ts'

/** Bytes that are handed over at a time, so that it is seen when a reader takes some, and TLS makes no copy of the rest. */
const pieceBytes = 64 * 1024
/** Bytes that a reply holds which is made while it is read: those in its buffers, and in those of its source. */
const streamedBytes = 128 * 1024
/** Bytes below which a reply is not counted: with all connections of an address they are 8 MiB. */
const shortBytes = 16 * 1024

/** What a handler says of its own reply, and would be wrong for a refusal in its place. */
export const ownHeaders = [
  'content-length',
  'content-encoding',
  'content-disposition',
  'etag',
  'last-modified',
  'accept-ranges',
]

/**
 * Sends long replies in pieces, and limits the bytes of a visitor that wait to be read. To be called behind what changes
 * replies on their way.
 */
export function registerLongReplies(app: FastifyInstance, limits: Pick<RequestLimits, 'countReply'>): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const bytes = bytesOf(payload)
    if (!bytes || request.method === 'HEAD') return payload
    if (hasLeft(reply)) {
      // Over HTTP/2 nobody else ends what it is made of: an open file, or a compressor.
      if (bytes instanceof Readable) bytes.on('error', () => {}).destroy()
      return ''
    }
    const held = bytes instanceof Readable || areShared(bytes) ? streamedBytes : bytes.length
    if (held > shortBytes) {
      try {
        limits.countReply(request, reply, held, request.address)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (bytes instanceof Readable) bytes.on('error', () => {}).destroy()
        return refuse(reply, error)
      }
    }
    if (bytes instanceof Readable || bytes.length <= pieceBytes) return bytes
    reply.header('content-length', bytes.length)
    return inPieces(bytes)
  })
}

/** @returns `undefined` for a reply that is too short to matter */
function bytesOf(payload: unknown): Buffer | Readable | undefined {
  if (payload instanceof Readable) return payload
  if (typeof payload === 'string') return payload.length > shortBytes / 3 ? Buffer.from(payload) : undefined
  return Buffer.isBuffer(payload) ? payload : undefined
}

function refuse(reply: FastifyReply, { status, message }: ApiError): string {
  for (const name of ownHeaders) reply.removeHeader(name)
  reply.code(status).type('application/json; charset=utf-8')
  reply.headers({ 'cache-control': 'no-store', 'retry-after': '60' })
  return JSON.stringify({ error: message })
}

function inPieces(bytes: Buffer): Readable {
  let at = 0
  return new Readable({
    highWaterMark: pieceBytes,
    read() {
      this.push(at < bytes.length ? bytes.subarray(at, at + pieceBytes) : null)
      at += pieceBytes
    },
  })
}
