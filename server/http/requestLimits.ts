import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Http2ServerRequest, ServerHttp2Stream } from 'node:http2'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addressGroup } from '../auth/addresses/clientAddress.ts'
import { createTokenBuckets, type Rate } from '../concurrency/tokenBucket.ts'
import { isClosed } from '../http2Stream.ts'
import { ApiError } from '../wire/apiCall.ts'
import { areShared } from '../wire/sharedBytes.ts'
import { createOpenCounter } from './openCounter.ts'
import type { WarnRarely } from './rareWarning.ts'

/** Limits what one visitor may have open at the same time, also where all connections are those of a proxy. */
export interface RequestLimits {
  /**
   * Counts the body of a request until its reply has ended.
   * @param address of the visitor; '' when it is unknown, which counts nothing
   * @throws ApiError with 429
   */
  countBody(request: FastifyRequest, reply: FastifyReply, address: string): void
  /**
   * Counts a WebSocket until it closes: for the person, or for the address of somebody without a session.
   * @throws ApiError with 429, or 503 when there are too many of others
   */
  countSocket(request: FastifyRequest, address: string): void
  /**
   * Counts what a reply holds until it has been read: for the person, or for the address of somebody without a session.
   * @param address of the visitor; '' when it is unknown, which counts with all strangers only
   * @throws ApiError with 429, or 503 when there is too much of others
   */
  countReply(request: FastifyRequest, reply: FastifyReply, bytes: number, address: string): void
}

export interface SocketLimits {
  perPerson: number
  perAddress: number
  /** Of people without a session. */
  anonymous: number
  /** How often they may be opened, by a person, or from an address without a session. */
  opened?: Rate
}

/** Bytes of replies that nobody has read yet. */
export interface UnreadLimits {
  /** Of a person, or of the address of people without a session. */
  unreadBytes: number
  /** Of all people without a session. */
  unreadBytesOfStrangers: number
}

/** Bodies on their way, so that one visitor cannot take all places by sending slowly. */
const bodiesPerAddress = 64
/** A person has one for each tab, terminal and file manager; clients without a session have one for each tab. */
const defaultSocketLimits: SocketLimits = { perPerson: 256, perAddress: 64, anonymous: 2048 }

/**
 * Each gets a frame with all servers at once. All tabs of a person or an office may be loaded anew twice in a moment.
 */
const defaultOpenedRate: Rate = { burst: 256, perSecond: 8 }

/** Ten times the list of 10,000 servers, as when all tabs of a browser come back at once. */
const defaultUnreadLimits: UnreadLimits = { unreadBytes: 64 * 1024 ** 2, unreadBytesOfStrangers: 256 * 1024 ** 2 }

/** @param onRefusal called with a sentence for the operator */
export function createRequestLimits(
  onRefusal: WarnRarely,
  limits: SocketLimits = defaultSocketLimits,
  unreadLimits: Partial<UnreadLimits> = {},
): RequestLimits {
  const { unreadBytes, unreadBytesOfStrangers } = { ...defaultUnreadLimits, ...unreadLimits }
  const bodies = createOpenCounter({ perKey: bodiesPerAddress, total: Number.POSITIVE_INFINITY })
  const persons = createOpenCounter({ perKey: limits.perPerson, total: Number.POSITIVE_INFINITY })
  const anonymous = createOpenCounter({ perKey: limits.perAddress, total: limits.anonymous })
  const bytesOfPersons = createOpenCounter({ perKey: unreadBytes, total: Number.POSITIVE_INFINITY })
  const bytesOfStrangers = createOpenCounter({ perKey: unreadBytes, total: unreadBytesOfStrangers })

  const opened = createTokenBuckets(limits.opened ?? defaultOpenedRate)

  function refuse(status: 429 | 503, whose: string, what: string, max: number): never {
    onRefusal(`${what} of ${whose} are refused: ${max} are open, which is the limit (docs/decisions/limits.md).`, what)
    const own = status === 429 ? 'yours' : 'other visitors'
    throw new ApiError(`too many ${what.toLowerCase()} of ${own} at the same time: try again in a minute`, status)
  }

  function refuseReply(status: 429 | 503, whose: string, max: number): never {
    onRefusal(
      `Replies to ${whose} are refused: ${max / 1024 ** 2} MiB of them have not been read, which is the limit ` +
        '(docs/decisions/limits.md).',
      'unread bytes',
    )
    const own = status === 429 ? 'you' : 'other visitors'
    throw new ApiError(`too much was sent that ${own} have not read yet: try again in a minute`, status)
  }

  return {
    countBody({ raw }, reply, address) {
      if (address === '' || !hasBody(raw)) return
      const group = addressGroup(address)
      const end = bodies.add(group)
      if (typeof end === 'string') return refuse(429, group, 'Requests', bodiesPerAddress)
      whenOver(reply, end)
    },
    countSocket({ person, raw }, address) {
      const group = addressGroup(address)
      const opener = person ? `person ${person.id}` : group
      if (opener !== '' && !opened.take(opener)) {
        const { burst, perSecond } = limits.opened ?? defaultOpenedRate
        onRefusal(
          `Sockets of ${person?.username ?? group} are refused: ${burst} at once and ${perSecond} a second may be opened, ` +
            'which is the limit (docs/decisions/limits.md).',
          'opened sockets',
        )
        throw new ApiError('too many sockets of yours were opened: try again in a minute', 429)
      }
      const end = person ? persons.add(String(person.id)) : anonymous.add(group)
      if (end === 'total') return refuse(503, 'visitors without a session', 'Sockets', limits.anonymous)
      if (end === 'key' && person) return refuse(429, person.username, 'Sockets', limits.perPerson)
      if (end === 'key') return refuse(429, group, 'Sockets', limits.perAddress)
      if (raw.socket.destroyed) end()
      else raw.socket.once('close', end)
    },
    countReply({ person }, reply, bytes, address) {
      const group = addressGroup(address)
      const end = person ? bytesOfPersons.add(String(person.id), bytes) : bytesOfStrangers.add(group, bytes)
      if (end === 'total') return refuseReply(503, 'visitors without a session', unreadBytesOfStrangers)
      if (end === 'key') return refuseReply(429, person?.username ?? group, unreadBytes)
      whenOver(reply, end)
    },
  }
}

/** Whether the reader of a reply left while it was made: no event comes from it any more. */
export function hasLeft({ raw }: FastifyReply): boolean {
  // Responses of HTTP/2 do not say it themselves.
  if ('stream' in raw) return isClosed(raw.stream as ServerHttp2Stream)
  return raw.destroyed || raw.socket?.destroyed === true
}

/** Calls `end` when the reply has ended; at once when its reader has left. */
function whenOver(reply: FastifyReply, end: () => void): void {
  if (hasLeft(reply)) end()
  else for (const event of ['finish', 'close']) reply.raw.once(event, end)
}

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

/**
 * Whether a request is for a WebSocket. One that offers another protocol, as clients of HTTP/2 offer `h2c` with whatever
 * they ask, is a request as any other (RFC 9110, 7.8).
 */
export const isSocketRequest = ({ headers }: { headers: IncomingHttpHeaders }): boolean =>
  /^websocket$/i.test(headers.upgrade ?? '')

/** Whether a request has a body. Over HTTP/2 it may come without its length. */
export function hasBody(request: IncomingMessage | Http2ServerRequest): boolean {
  if ('stream' in request && !request.stream.endAfterHeaders) return true
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers
  return coding !== undefined || Number(length) > 0
}

/** What is read of a body that was refused: more than any route takes, and as long as it comes. */
const readOut = { bytes: 32 * 1024 ** 2, ms: 30_000 } as const

/**
 * Reads the rest of a body that is refused, so that the reply is read: Fastify closes the connection, which resets it where
 * bytes are unread, and who still sends would get no words. What is longer ends the connection all the same.
 */
export function readOutBody({ raw, headers }: FastifyRequest, reply: FastifyReply): void {
  const isHttp2 = raw.httpVersionMajor === 2
  if (!isHttp2 && Number(headers['content-length'] ?? 0) > readOut.bytes) return
  reply.removeHeader('connection')
  // HTTP/2 has no such header, and ends the stream alone.
  if (isHttp2) return
  let bytes = 0
  const { socket } = raw
  const timer = setTimeout(() => socket.destroy(), readOut.ms).unref()
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > readOut.bytes) socket.destroy()
  })
  for (const event of ['end', 'close']) raw.once(event, () => clearTimeout(timer))
  // What it was read by takes no more of it.
  raw.unpipe()
  raw.resume()
}
