import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Http2ServerResponse } from 'node:http2'
import type { Socket } from 'node:net'
import { addressGroup } from '../auth/addresses/clientAddress.ts'
import type { WarnRarely } from './rareWarning.ts'

export interface ReplyLimits {
  /** Requests of one connection that may wait for the reply to the one before. */
  waiting: number
  /** Milliseconds: a reply of which nothing is read for so long is ended, at the latest after twice as long. */
  unreadMs: number
}

/**
 * Node reads 64 KiB at a time and makes a request of everything in them, 2,500 of the shortest, each of some 5 KiB;
 * browsers and proxies send the next one when they have the reply. The system takes up to 4 MiB of a reply at a time: who
 * reads 14 KiB a second of it is silent here for five minutes.
 */
const defaultLimits: ReplyLimits = { waiting: 32, unreadMs: 5 * 60_000 }

/** Listeners for one event of a reply; beyond it Node warns of a leak. */
const listenersOfReply = 32

export interface ReplyLimitOptions {
  /** Called with a sentence for the operator. */
  onRefusal: WarnRarely
  limits?: Partial<ReplyLimits>
}

/** The connections with a request that is being answered, and the requests behind it. */
const turns = new WeakMap<Socket, (() => void)[]>()

/** Whether a reply is under way on this connection: another protocol cannot begin on it. */
export const isAnswering = (socket: Socket): boolean => turns.has(socket)

/**
 * Answers one request of a connection at a time, the next when the reply before has been written: who sends many and
 * reads nothing has one reply in the memory. Node alone answers all that it has read. A connection with too many that
 * wait is ended, and so is one whose reply is not read. To be called when all listeners for requests are there.
 */
export function answerInTurn(server: Server, { onRefusal, limits }: ReplyLimitOptions): void {
  const { waiting: maxWaiting } = { ...defaultLimits, ...limits }
  const listeners = server.listeners('request')

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    // Each part that counts or times a reply listens for its end; a streamed one has more than the ten that Node expects.
    response.setMaxListeners(listenersOfReply)
    const waiting = turns.get(socket) ?? []
    turns.set(socket, waiting)
    const address = socket.remoteAddress
    const end = endUnread(response, { onRefusal, limits, address, end: () => socket.destroy() })
    response.once('close', () => {
      end()
      // Others come first: the next may be answered in no time, and so may those after it.
      if (waiting.length > 0) setImmediate(answerNext, socket)
      else turns.delete(socket)
    })
    for (const listener of listeners) listener.call(server, request, response)
  }

  function answerNext(socket: Socket): void {
    // After a last reply, and when the client has gone, the others are not answered.
    const next = socket.writable ? turns.get(socket)?.shift() : undefined
    if (next) next()
    else turns.delete(socket)
  }

  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const waiting = turns.get(socket)
    // Node goes through the rest of what it has read.
    if (socket.destroyed) return
    if (!waiting) answer(request, response)
    else if (waiting.length < maxWaiting) waiting.push(() => answer(request, response))
    else {
      waiting.length = 0
      onRefusal(
        `A connection from ${addressGroup(socket.remoteAddress ?? '')} was ended: it sent more than ${maxWaiting} ` +
          'requests without waiting for the replies (docs/decisions/limits.md).',
        'waiting requests',
      )
      socket.destroy()
    }
  })
}

interface UnreadOptions extends ReplyLimitOptions {
  /** Of the other end. */
  address: string | undefined
  /** Ends the reply. */
  end(): void
}

/**
 * Ends a reply that is not read. A slow reader, who takes some of it, may take as long as they need.
 * @returns a function to call when the reply has ended
 */
export function endUnread(response: ServerResponse | Http2ServerResponse, options: UnreadOptions): () => void {
  const { unreadMs } = { ...defaultLimits, ...options.limits }
  /** Bytes that could not be sent when it was last looked at; 0 when something has been sent since. */
  let before = 0
  const timer = setInterval(() => {
    const unread = response.writableLength
    if (unread === 0 || before === 0 || unread < before) {
      before = unread
      return
    }
    options.onRefusal(
      `A reply to ${addressGroup(options.address ?? '')} was ended: nothing of it was read for ` +
        `${unreadMs / 1000} s (docs/decisions/limits.md).`,
      'unread reply',
    )
    options.end()
  }, unreadMs)
  response.on('drain', () => {
    before = 0
  })
  return () => clearInterval(timer)
}
