import type { Key } from './definition.ts'

export interface Sum extends Key {
  bucket: number
  sums: (number | null)[]
}

/** Values that wait to be written, summed up by bucket. */
export interface Pending {
  add(key: Key, bucket: number, values: readonly (number | null)[]): void
  /** Removes and returns up to `count` sums. */
  take(count: number): Sum[]
  /** Removes the sums of the keys that the test picks. */
  drop(picks: (key: Key) => boolean): void
  size(): number
}

/** Maximum while the disk is full; later values are lost. A bucket takes about 200 bytes of memory. */
const maxWaiting = 200_000

export function createPendingSums(): Pending {
  const waiting = new Map<string, Sum>()
  return {
    add({ one, other }, bucket, values) {
      const key = `${bucket} ${one} ${other}`
      const existing = waiting.get(key)
      if (!existing) {
        if (waiting.size < maxWaiting) waiting.set(key, { bucket, one, other, sums: [...values] })
        return
      }
      addTo(existing.sums, values)
    },
    take(count) {
      const sums: Sum[] = []
      for (const [key, sum] of waiting) {
        if (sums.length === count) break
        sums.push(sum)
        waiting.delete(key)
      }
      return sums
    },
    drop(picks) {
      for (const [key, sum] of waiting) if (picks(sum)) waiting.delete(key)
    },
    size: () => waiting.size,
  }
}

/** Adds value by value; `null` means no value. */
export function addTo(sums: (number | null)[], values: readonly (number | null)[]): void {
  for (const [index, value] of values.entries()) {
    if (value !== null) sums[index] = (sums[index] ?? 0) + value
  }
}
