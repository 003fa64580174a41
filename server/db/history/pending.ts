import type { Key } from './definition.ts'

export interface Sum extends Key {
  bucket: number
  sums: (number | null)[]
}

/** Figures that wait to be written. */
export interface Pending {
  add(key: Key, bucket: number, figures: readonly (number | null)[]): void
  /** Takes out up to so many; they are the caller's now. */
  take(count: number): Sum[]
  /** Drops what belongs to keys that the test picks. */
  drop(picks: (key: Key) => boolean): void
  size(): number
}

/** While the disk is full, this much waits for it; what comes then is lost. A bucket weighs some 200 bytes. */
const mostWaiting = 200_000

export function createPending(): Pending {
  const waiting = new Map<string, Sum>()
  return {
    add({ one, other }, bucket, figures) {
      const key = `${bucket} ${one} ${other}`
      const known = waiting.get(key)
      if (!known) {
        if (waiting.size < mostWaiting) waiting.set(key, { bucket, one, other, sums: [...figures] })
        return
      }
      addTo(known.sums, figures)
    },
    take(count) {
      const taken: Sum[] = []
      for (const [key, sum] of waiting) {
        if (taken.length === count) break
        taken.push(sum)
        waiting.delete(key)
      }
      return taken
    },
    drop(picks) {
      for (const [key, sum] of waiting) if (picks(sum)) waiting.delete(key)
    },
    size: () => waiting.size,
  }
}

/** Adds figure by figure; `null` says nothing. */
export function addTo(sums: (number | null)[], figures: readonly (number | null)[]): void {
  for (const [index, figure] of figures.entries()) {
    if (figure !== null) sums[index] = (sums[index] ?? 0) + figure
  }
}
