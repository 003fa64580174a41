import { availableParallelism } from 'node:os'

/** Runs work that keeps a core busy: one piece per key at a time, and so many pieces in all that a core stays free. */
export interface HashQueue {
  /** @param isKnown goes before those that are not */
  run<T>(key: string, work: () => Promise<T>, isKnown?: boolean): Promise<T>
}

/**
 * Hashing a password is made to be slow, so whoever sends many sign-ins at once could keep every core busy. Per
 * address they wait for one another; the block that follows a failure then meets the ones still waiting.
 *
 * From many addresses at once a crowd comes together all the same. Whoever is known from before goes first, then the
 * latest: one person who comes after two thousand strangers waits for the piece that runs, not for all of theirs.
 */
export function createHashQueue(atOnce = Math.max(1, availableParallelism() - 1)): HashQueue {
  const lastOfKey = new Map<string, Promise<unknown>>()
  const known: (() => void)[] = []
  const strangers: (() => void)[] = []
  let running = 0

  async function enter(isKnown: boolean) {
    if (running < atOnce) running++
    else await new Promise<void>((resolve) => (isKnown ? known : strangers).push(resolve))
  }

  function leave() {
    // The place goes to the next one directly, so `running` stays as it is.
    const next = known.shift() ?? strangers.pop()
    if (next) next()
    else running--
  }

  async function inPlace<T>(work: () => Promise<T>, isKnown: boolean): Promise<T> {
    await enter(isKnown)
    try {
      return await work()
    } finally {
      leave()
    }
  }

  return {
    run(key, work, isKnown = false) {
      const mine = (lastOfKey.get(key) ?? Promise.resolve()).then(() => inPlace(work, isKnown))
      const settled = mine.then(
        () => {},
        () => {},
      )
      lastOfKey.set(key, settled)
      void settled.then(() => {
        if (lastOfKey.get(key) === settled) lastOfKey.delete(key)
      })
      return mine
    },
  }
}
