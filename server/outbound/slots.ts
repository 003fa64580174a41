/** So many things may be done at once; who comes later waits, in order. */
export interface Slots {
  /** Does `work` as soon as there is room for it. */
  within<T>(work: () => Promise<T>): Promise<T>
}

export function createSlots(most: number): Slots {
  const waiting: (() => void)[] = []
  let taken = 0

  /** A place that becomes free goes to who waits longest, without being free in between. */
  function leave(): void {
    const next = waiting.shift()
    if (next) next()
    else taken--
  }

  return {
    async within(work) {
      if (taken < most) taken++
      else await new Promise<void>((enter) => waiting.push(enter))
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
