/** Counts what is open at the same time: for each key, such as an address, and in total. */
export interface OpenCounter {
  /**
   * Counts one more, unless that is too many.
   * @param key '' counts in total only
   * @returns a function to call at its end, more than once does no harm; or which limit is reached
   */
  add(key: string): (() => void) | 'key' | 'total'
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
    add(key) {
      const ofKey = countByKey.get(key) ?? 0
      if (key !== '' && ofKey >= perKey) return 'key'
      if (count >= total) return 'total'
      countByKey.set(key, ofKey + 1)
      count++
      let isOpen = true
      return () => {
        if (!isOpen) return
        isOpen = false
        count--
        const left = (countByKey.get(key) ?? 1) - 1
        if (left > 0) countByKey.set(key, left)
        else countByKey.delete(key)
      }
    },
  }
}
