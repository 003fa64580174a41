import { createTokenBucket, type Rate } from '../../concurrency/tokenBucket.ts'
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
export function paceCall(call: GrpcCall, rate: Rate): Pace {
  const bucket = createTokenBucket(rate)
  let timer: NodeJS.Timeout | undefined

  function pause(): void {
    call.pause()
    timer = setTimeout(look, Math.min(lookMs, bucket.waitMs()))
  }

  function look(): void {
    timer = undefined
    if (call.unreadBytes() > maxUnreadBytes) call.end(tooFast)
    else if (bucket.waitMs() > 0) pause()
    else call.resume()
  }

  call.onClose(() => clearTimeout(timer))
  return {
    take(cost) {
      const counts = bucket.take(cost)
      if (!timer && bucket.waitMs() > 0) pause()
      return counts
    },
  }
}

export const tooFast = { code: grpcCodes.resourceExhausted, details: 'messages come faster than any agent sends them' }
