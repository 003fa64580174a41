import { availableParallelism } from 'node:os'

/** Runs work that uses a whole core: one task per key at a time, and at most so many in all that one core stays free. */
export interface HashQueue {
  /** @param hasPriority runs before those without */
  run<T>(key: string, work: () => Promise<T>, hasPriority?: boolean): Promise<T>
}

/**
 * Hashing a password is slow on purpose, so that many sign-ins at once could use up every core. Those with one key wait
 * for one another; the block that follows a failure then stops the ones that still wait.
 *
 * Clients with many addresses can still fill the queue. Those with priority go first, then the latest: one person who
 * comes after two thousand unknown clients waits for the task that runs, not for all of theirs.
 */
export function createHashQueue(concurrency = Math.max(1, availableParallelism() - 1)): HashQueue {
  const lastByKey = new Map<string, Promise<unknown>>()
  const priorityWaiters: (() => void)[] = []
  const otherWaiters: (() => void)[] = []
  let running = 0

  async function acquire(hasPriority: boolean) {
    if (running < concurrency) running++
    else await new Promise<void>((resolve) => (hasPriority ? priorityWaiters : otherWaiters).push(resolve))
  }

  function release() {
    // The next one takes over the slot, so `running` stays as it is.
    const next = priorityWaiters.shift() ?? otherWaiters.pop()
    if (next) next()
    else running--
  }

  async function runInSlot<T>(work: () => Promise<T>, hasPriority: boolean): Promise<T> {
    await acquire(hasPriority)
    try {
      return await work()
    } finally {
      release()
    }
  }

  return {
    run(key, work, hasPriority = false) {
      const result = (lastByKey.get(key) ?? Promise.resolve()).then(() => runInSlot(work, hasPriority))
      const settled = result.then(
        () => {},
        () => {},
      )
      lastByKey.set(key, settled)
      void settled.then(() => {
        if (lastByKey.get(key) === settled) lastByKey.delete(key)
      })
      return result
    },
  }
}
