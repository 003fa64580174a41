/** Limits how many tasks run at the same time; the others wait in order. */
export interface ConcurrencyLimit {
  /** Runs `work` as soon as fewer than the maximum are running. */
  run<T>(work: () => Promise<T>): Promise<T>
}

export function createConcurrencyLimit(max: number): ConcurrencyLimit {
  const waiting: (() => void)[] = []
  let running = 0

  /** Hands the slot to the task that has waited longest, so that `running` stays as it is. */
  function release(): void {
    const next = waiting.shift()
    if (next) next()
    else running--
  }

  return {
    async run(work) {
      if (running < max) running++
      else await new Promise<void>((start) => waiting.push(start))
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}
