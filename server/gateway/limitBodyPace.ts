import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasBody } from '../http/hasBody.ts'

/** How fast a body has to come: so many bytes in so many milliseconds. */
export interface BodyPace {
  bytes: number
  everyMs: number
}

/** A line of a few kilobits is faster. */
export const defaultBodyPace: BodyPace = { bytes: 60 * 1024, everyMs: 60_000 }

/**
 * Ends a request whose body comes too slowly: an upload may be of any size here and take its time, but each that only
 * trickles takes a place, and one of the connections to the upstream.
 */
export function limitBodyPace({ raw }: FastifyRequest, reply: FastifyReply, { bytes, everyMs }: BodyPace): void {
  if (!hasBody(raw)) return
  const { socket } = raw
  let readBefore = socket.bytesRead
  const timer = setInterval(() => {
    const read = socket.bytesRead - readBefore
    readBefore = socket.bytesRead
    if (raw.complete) clearInterval(timer)
    else if (read < bytes) socket.destroy()
  }, everyMs)
  for (const event of ['finish', 'close']) reply.raw.once(event, () => clearInterval(timer))
}
