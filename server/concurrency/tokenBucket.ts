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
export function createTokenBucket(rate: Rate, now = monotonic): TokenBucket {
  return new Bucket(rate, now)
}

const monotonic = () => performance.now()

/** A class, because each agent has several. */
class Bucket implements TokenBucket {
  #rate: Rate
  readonly #now: () => number
  #tokens: number
  #at: number

  constructor(rate: Rate, now: () => number) {
    this.#rate = rate
    this.#now = now
    this.#tokens = rate.burst
    this.#at = now()
  }

  #fill(): void {
    const now = this.#now()
    const seconds = (now - this.#at) / 1000
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + seconds * this.#rate.perSecond)
    this.#at = now
  }

  take(cost = 1): boolean {
    this.#fill()
    if (this.#tokens < 1) return false
    this.#tokens -= cost
    return true
  }

  waitMs(): number {
    this.#fill()
    return this.#tokens >= 1 ? 0 : Math.ceil(((1 - this.#tokens) / this.#rate.perSecond) * 1000)
  }

  isFull(): boolean {
    this.#fill()
    return this.#tokens >= this.#rate.burst
  }

  setRate(next: Rate): void {
    this.#fill()
    this.#tokens += next.burst - this.#rate.burst
    this.#rate = next
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
