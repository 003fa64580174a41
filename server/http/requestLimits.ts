import type { ServerHttp2Stream } from 'node:http2'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressGroup } from '../auth/addresses/canonicalAddress.ts'
import { createTokenBuckets, type Rate } from '../concurrency/tokenBucket.ts'
import { isClosed } from '../http2Stream.ts'
import { ApiError } from '../wire/apiError.ts'
import { hasBody } from './hasBody.ts'
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
