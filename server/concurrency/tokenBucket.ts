/** How often something may happen: `burst` at once, and `perSecond` in the long run. */
export interface Rate {
  burst: number
  perSecond: number
}

/** Something that may happen at a rate. It may go into debt, which has to be paid off by waiting. */
export interface TokenBucket {
  /** Counts `cost`, unless there is debt. @returns whether it was counted */
  take(cost?: number): boolean
  /** Milliseconds until `take` counts again; 0 for at once. */
  waitMs(): number
  /** Whether it is as if nothing had ever been taken. */
  isFull(): boolean
  /** Changes the rate; what was taken stays taken. */
  setRate(rate: Rate): void
}

/** @param now a clock that never goes back, in milliseconds */
export function createTokenBucket(rate: Rate, now = () => performance.now()): TokenBucket {
  let { burst, perSecond } = rate
  let tokens = burst
  let at = now()

  function fill(): void {
    const seconds = (now() - at) / 1000
    tokens = Math.min(burst, tokens + seconds * perSecond)
    at = now()
  }

  return {
    take(cost = 1) {
      fill()
      if (tokens < 1) return false
      tokens -= cost
      return true
    },
    waitMs() {
      fill()
      return tokens >= 1 ? 0 : Math.ceil(((1 - tokens) / perSecond) * 1000)
    },
    isFull() {
      fill()
      return tokens >= burst
    },
    setRate(next) {
      fill()
      tokens += next.burst - burst
      ;({ burst, perSecond } = next)
    },
  }
}

/** A bucket for each key, such as an address. */
export interface TokenBuckets {
  /** Counts one for the key. @returns whether its rate allows it */
  take(key: string): boolean
}

/** Keys from which on those are forgotten that have not taken anything lately. */
const manyKeys = 1000

export function createTokenBuckets(rate: Rate, now?: () => number): TokenBuckets {
  const buckets = new Map<string, TokenBucket>()
  /** Looking through all of them costs something, so it is done when their number has doubled. */
  let forgetAt = manyKeys

  function forgetFull(): void {
    for (const [key, bucket] of buckets) if (bucket.isFull()) buckets.delete(key)
    forgetAt = Math.max(manyKeys, buckets.size * 2)
  }

  return {
    take(key) {
      let bucket = buckets.get(key)
      if (!bucket) {
        if (buckets.size >= forgetAt) forgetFull()
        bucket = createTokenBucket(rate, now)
        buckets.set(key, bucket)
      }
      return bucket.take()
    },
  }
}
