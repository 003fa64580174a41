/** Places for what may be open at the same time: for each key, such as an address, and in total. */
export interface PlaceQueue {
  /**
   * Calls `onPlace` at once, or when a place is free; or `onRefused` with the limit that is reached, when no place was
   * free in time or too many wait already.
   * @param key '' counts in total only
   * @returns a function that gives the place back, or ends the waiting; calling it more than once does no harm
   */
  enter(key: string, callbacks: PlaceCallbacks): () => void
  /** How many places are taken. */
  count(): number
}

export interface PlaceCallbacks {
  onPlace(): void
  onRefused(reached: 'key' | 'total'): void
}

export interface PlaceLimits {
  perKey: number
  total: number
  /** How many may wait for a place. */
  waiting: number
  /** Milliseconds that one may wait. */
  waitMs: number
}

interface Entry {
  readonly key: string
  readonly callbacks: PlaceCallbacks
  state: 'waiting' | 'has a place' | 'left'
  timer?: NodeJS.Timeout
}

/** Who came first gets the first place of a key; where only the total is reached, the keys take turns. */
export function createPlaceQueue({ perKey, total, waiting: maxWaiting, waitMs }: PlaceLimits): PlaceQueue {
  const countByKey = new Map<string, number>()
  const waitingByKey = new Map<string, Set<Entry>>()
  let count = 0
  let waitingCount = 0

  function reachedBy(key: string): 'key' | 'total' | undefined {
    if (key !== '' && (countByKey.get(key) ?? 0) >= perKey) return 'key'
    return count >= total ? 'total' : undefined
  }

  function takePlace(entry: Entry): void {
    entry.state = 'has a place'
    count++
    countByKey.set(entry.key, (countByKey.get(entry.key) ?? 0) + 1)
    entry.callbacks.onPlace()
  }

  function givePlaceBack({ key }: Entry): void {
    count--
    const left = (countByKey.get(key) ?? 1) - 1
    if (left > 0) countByKey.set(key, left)
    else countByKey.delete(key)
    admitNext()
  }

  function wait(entry: Entry): void {
    entry.timer = setTimeout(() => {
      stopWaiting(entry)
      entry.state = 'left'
      entry.callbacks.onRefused(reachedBy(entry.key) ?? 'total')
    }, waitMs)
    waitingByKey.set(entry.key, (waitingByKey.get(entry.key) ?? new Set()).add(entry))
    waitingCount++
  }

  function stopWaiting(entry: Entry): void {
    clearTimeout(entry.timer)
    const ofKey = waitingByKey.get(entry.key)
    ofKey?.delete(entry)
    if (ofKey?.size === 0) waitingByKey.delete(entry.key)
    waitingCount--
  }

  function admitNext(): void {
    for (const [key, ofKey] of waitingByKey) {
      const [first] = ofKey
      if (!first || reachedBy(key)) continue
      // This key comes last the next time.
      waitingByKey.delete(key)
      waitingByKey.set(key, ofKey)
      stopWaiting(first)
      takePlace(first)
      return
    }
  }

  return {
    count: () => count,
    enter(key, callbacks) {
      const entry: Entry = { key, callbacks, state: 'waiting' }
      const reached = reachedBy(key)
      if (!reached) takePlace(entry)
      else if (waitingCount < maxWaiting) wait(entry)
      else {
        entry.state = 'left'
        callbacks.onRefused(reached)
      }
      return () => {
        const before = entry.state
        entry.state = 'left'
        if (before === 'waiting') stopWaiting(entry)
        if (before === 'has a place') givePlaceBack(entry)
      }
    },
  }
}

/**
 * Waits for a place.
 * @returns a function that gives it back; `undefined` when there was none in time, or too many wait already
 */
export function waitForPlace(queue: PlaceQueue, key: string): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    // A place that is free is given before `enter` returns.
    const onPlace = () => queueMicrotask(() => resolve(leave))
    const leave = queue.enter(key, { onPlace, onRefused: () => resolve(undefined) })
  })
}
