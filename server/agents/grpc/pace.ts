import { createTokenBucket, type Rate, type TokenBucket } from '../../concurrency/tokenBucket.ts'
import type { GrpcCall } from './grpcCall.ts'
import { grpcCodes } from './grpcStatus.ts'

/** Reads what comes on a call at a rate. */
export interface Pace {
  /** Counts a message. Beyond the rate the call is not read for a while. @returns whether the message counts */
  take(cost?: number): boolean
}

/** Milliseconds between two looks at what waits on a call that is not read. */
const lookMs = 1000
/** Bytes that may wait then. No agent sends a report before it has the receipt for the one before. */
export const maxUnreadBytes = 64 * 1024

/** A call on which more waits than an agent ever sends is ended: what waits fills the memory. */
export const paceCall = (call: GrpcCall, rate: Rate): Pace => new CallPace(call, rate)

class CallPace implements Pace {
  readonly #call: GrpcCall
  readonly #bucket: TokenBucket
  #timer: NodeJS.Timeout | undefined

  constructor(call: GrpcCall, rate: Rate) {
    this.#call = call
    this.#bucket = createTokenBucket(rate)
    call.onClose(() => clearTimeout(this.#timer))
  }

  #pause(): void {
    this.#call.pause()
    this.#timer = setTimeout(() => this.#look(), Math.min(lookMs, this.#bucket.waitMs()))
  }

  #look(): void {
    this.#timer = undefined
    if (this.#call.unreadBytes() > maxUnreadBytes) this.#call.end(tooFast)
    else if (this.#bucket.waitMs() > 0) this.#pause()
    else this.#call.resume()
  }

  take(cost?: number): boolean {
    const counts = this.#bucket.take(cost)
    if (!this.#timer && this.#bucket.waitMs() > 0) this.#pause()
    return counts
  }
}

export const tooFast = { code: grpcCodes.resourceExhausted, details: 'messages come faster than any agent sends them' }
