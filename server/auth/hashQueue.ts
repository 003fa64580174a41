import { availableParallelism } from 'node:os'

/** Runs work that keeps a core busy: one piece per key at a time, and so many pieces in all that a core stays free. */
export interface HashQueue {
  run<T>(key: string, work: () => Promise<T>): Promise<T>
}

/**
 * Hashing a password is made to be slow, so whoever sends many sign-ins at once could keep every core busy. Per
 * address they wait for one another; the block that follows a failure then meets the ones still waiting.
 */
export function createHashQueue(atOnce = Math.max(1, availableParallelism() - 1)): HashQueue {
  const lastOfKey = new Map<string, Promise<unknown>>()
  const waiting: (() => void)[] = []
  let running = 0

  async function enter() {
    if (running < atOnce) running++
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }

  function leave() {
    // The place goes to the next one directly, so `running` stays as it is.
    const next = waiting.shift()
    if (next) next()
    else running--
  }

  async function inPlace<T>(work: () => Promise<T>): Promise<T> {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }

  return {
    run(key, work) {
      const mine = (lastOfKey.get(key) ?? Promise.resolve()).then(() => inPlace(work))
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
