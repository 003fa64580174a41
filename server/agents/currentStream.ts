import type { GrpcCall } from './grpc/grpcCall.ts'

/** A stream of an agent, and where it comes from. */
export interface OpenStream {
  readonly call: GrpcCall
  /** The agent's address. */
  readonly address: string
}

/** The open streams of one kind and one uuid, the oldest first. */
export interface CurrentStream<Stream extends OpenStream> {
  /** The one that counts. */
  current(): Stream | undefined
  all(): readonly Stream[]
  /** Whether several machines have one open and use it. */
  hasDuplicates(): boolean
  /** @returns false when there are too many already */
  add(stream: Stream, now: number): boolean
  /** A message came. @returns whether it counts */
  used(stream: Stream, now: number): boolean
  remove(stream: Stream): void
}

/** A machine image with a uuid in it may have been copied often. */
const maxStreams = 8

/** Milliseconds in which messages of the stream before may still be under way when an agent has connected again. */
const lateMs = 1000

/**
 * Decides which of several streams with one uuid counts. The newest does: an agent that connects again leaves a stream
 * behind that nobody has closed. But an old stream that is used afterwards belongs to another machine, which was here
 * first, and what people do on the server must go on reaching it. Both stay open: ended ones would come back and take
 * the place of each other every ten seconds.
 */
export function createCurrentStream<Stream extends OpenStream>(): CurrentStream<Stream> {
  let streams: Stream[] = []
  let current: Stream | undefined
  let newestAt = 0
  let hasDuplicates = false

  return {
    current: () => current,
    all: () => streams,
    hasDuplicates: () => hasDuplicates,
    add(stream, now) {
      if (streams.length >= maxStreams) return false
      streams.push(stream)
      newestAt = now
      // A third machine changes nothing for the two that are known.
      if (!hasDuplicates) current = stream
      return true
    },
    used(stream, now) {
      const isOlder = current !== undefined && streams.indexOf(stream) < streams.indexOf(current)
      if (isOlder && now - newestAt > lateMs) {
        current = stream
        hasDuplicates = true
      }
      return stream === current
    },
    remove(stream) {
      streams = streams.filter((other) => other !== stream)
      if (streams.length < 2) hasDuplicates = false
      if (stream === current) current = streams.at(hasDuplicates ? 0 : -1)
    },
  }
}
