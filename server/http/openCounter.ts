/** Counts what is open at the same time: for each key, such as an address, and in total. */
export interface OpenCounter {
  /**
   * Counts one more, unless that is too many.
   * @param key '' counts in total only
   * @param amount counts that many instead; what is more than a limit by itself is let in alone
   * @returns a function to call at its end, more than once does no harm; or which limit is reached
   */
  add(key: string, amount?: number): (() => void) | 'key' | 'total'
  /** How many are open in total. */
  count(): number
}

export interface OpenLimits {
  perKey: number
  total: number
}

export function createOpenCounter({ perKey, total }: OpenLimits): OpenCounter {
  const countByKey = new Map<string, number>()
  let count = 0
  return {
    count: () => count,
    add(key, amount = 1) {
      const ofKey = countByKey.get(key) ?? 0
      if (key !== '' && isReached(ofKey, amount, perKey)) return 'key'
      if (isReached(count, amount, total)) return 'total'
      countByKey.set(key, ofKey + amount)
      count += amount
      let isOpen = true
      return () => {
        if (!isOpen) return
        isOpen = false
        count -= amount
        const left = (countByKey.get(key) ?? amount) - amount
        if (left > 0) countByKey.set(key, left)
        else countByKey.delete(key)
      }
    },
  }
}

const isReached = (open: number, amount: number, limit: number) => open >= limit || (open > 0 && open + amount > limit)
