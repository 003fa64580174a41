import type { GrpcCall } from './grpc/grpcCall.ts'

/** A stream of an agent, and where it comes from. */
export interface OpenStream {
  readonly call: GrpcCall
  /** The agent's address. */
  readonly address: string
}

/** A machine image with a uuid in it may have been copied often. */
const maxStreams = 8

/** Milliseconds in which messages of the stream before may still be under way when an agent has connected again. */
const lateMs = 1000

/**
 * The open streams of one kind and one uuid, the oldest first. Decides which of them counts. The newest does: an agent
 * that connects again leaves a stream behind that nobody has closed. But an old stream that is used afterwards belongs to
 * another machine, which was here first, and what people do on the server must go on reaching it. Both stay open: ended
 * ones would come back and take the place of each other every ten seconds.
 */
export class CurrentStream<Stream extends OpenStream> {
  #streams: readonly Stream[] = []
  #current: Stream | undefined
  #newestAt = 0
  #hasDuplicates = false

  /** The one that counts. */
  current(): Stream | undefined {
    return this.#current
  }

  all(): readonly Stream[] {
    return this.#streams
  }

  /** Whether several machines have one open and use it. */
  hasDuplicates(): boolean {
    return this.#hasDuplicates
  }

  /** @returns false when there are too many already */
  add(stream: Stream, now: number): boolean {
    if (this.#streams.length >= maxStreams) return false
    this.#streams = [...this.#streams, stream]
    this.#newestAt = now
    // A third machine changes nothing for the two that are known.
    if (!this.#hasDuplicates) this.#current = stream
    return true
  }

  /** A message came. @returns whether it counts */
  used(stream: Stream, now: number): boolean {
    const current = this.#current
    if (stream === current) return true
    const isOlder = current !== undefined && this.#streams.indexOf(stream) < this.#streams.indexOf(current)
    if (!isOlder || now - this.#newestAt <= lateMs) return false
    this.#current = stream
    this.#hasDuplicates = true
    return true
  }

  remove(stream: Stream): void {
    this.#streams = this.#streams.filter((other) => other !== stream)
    if (this.#streams.length < 2) this.#hasDuplicates = false
    if (stream === this.#current) this.#current = this.#streams.at(this.#hasDuplicates ? 0 : -1)
  }
}
