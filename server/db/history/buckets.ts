import { type Bucket, bucketOf, type Key, keepOf, type Range, type SeriesDefinition, type Tier } from './definition.ts'

export interface Sum extends Key {
  bucket: number
  sums: (number | null)[]
}

/** Values that wait to be written, summed up by bucket. */
export interface Pending {
  /** @returns whether there was room */
  add(key: Key, bucket: number, values: readonly (number | null)[]): boolean
  /** Removes and returns up to `count` sums. */
  take(count: number): Sum[]
  /** Removes the sums of the keys that the test picks. */
  drop(picks: (key: Key) => boolean): void
  size(): number
}

/** A sum in memory; its numbers are in the block. */
interface Waiting extends Key {
  bucket: number
  /** Its place in the block. */
  slot: number
}

/** Maximum while the disk is full; later values are lost. A bucket takes about 200 bytes of memory. */
const maxWaiting = 200_000
const initialSlots = 64

/**
 * The numbers are in one block outside of the heap, which is used again after each write: thousands of machines report
 * some twenty each, which would live just long enough to become old garbage.
 * @param columns how many values a sum has
 */
export function createPendingSums(columns: number): Pending {
  const waiting = new Map<string, Waiting>()
  /** `NaN` means no value. */
  let block = new Float64Array(initialSlots * columns)
  let freeSlots: number[] = []
  let usedSlots = 0

  function takeSlot(): number {
    const free = freeSlots.pop()
    if (free !== undefined) return free
    if ((usedSlots + 1) * columns > block.length) {
      const larger = new Float64Array(block.length * 2)
      larger.set(block)
      block = larger
    }
    usedSlots++
    return usedSlots - 1
  }

  function remove(key: string, { slot }: Waiting): void {
    waiting.delete(key)
    freeSlots.push(slot)
    if (waiting.size > 0) return
    freeSlots = []
    usedSlots = 0
  }

  function sumsOf({ slot }: Waiting): (number | null)[] {
    const sums = new Array<number | null>(columns).fill(null)
    for (let column = 0; column < columns; column++) {
      const value = block[slot * columns + column] as number
      if (!Number.isNaN(value)) sums[column] = value
    }
    return sums
  }

  return {
    add({ one, other }, bucket, values) {
      const key = `${bucket} ${one} ${other}`
      let sum = waiting.get(key)
      if (!sum) {
        if (waiting.size >= maxWaiting) return false
        sum = { bucket, one, other, slot: takeSlot() }
        waiting.set(key, sum)
        block.fill(Number.NaN, sum.slot * columns, (sum.slot + 1) * columns)
      }
      const start = sum.slot * columns
      for (let column = 0; column < columns; column++) {
        const value = values[column] ?? null
        if (value === null) continue
        const before = block[start + column] as number
        block[start + column] = Number.isNaN(before) ? value : before + value
      }
      return true
    },
    take(count) {
      const sums: Sum[] = []
      for (const [key, sum] of waiting) {
        if (sums.length === count) break
        const { bucket, one, other } = sum
        sums.push({ bucket, one, other, sums: sumsOf(sum) })
        remove(key, sum)
      }
      return sums
    },
    drop(picks) {
      for (const [key, sum] of waiting) if (picks(sum)) remove(key, sum)
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

/** A part of a range that one tier has. */
interface Part extends Range {
  tier: Tier
}

/**
 * Where the values of a range are: a tier as far as it is summed up, then the finer ones.
 * @param summedUntil the second up to which a tier is summed up
 */
export function partsOf(
  { tiers }: SeriesDefinition,
  summedUntil: (tier: Tier) => number,
  tier: Tier,
  { from, until }: Range,
): Part[] {
  const parts: Part[] = []
  let next = from
  for (const each of tiers.slice(0, tiers.indexOf(tier) + 1).reverse()) {
    const end = Math.min(until, summedUntil(each) * 1000)
    // A finer tier has deleted what is older.
    if (each !== tier) next = Math.max(next, until - (each.keep + tier.step) * 1000)
    if (end <= next) continue
    parts.push({ tier: each, from: next, until: end })
    next = end
  }
  return parts
}

/**
 * The tiers that would have a time of the past by now, or get it when finer ones are summed up. `at` and `now` in
 * milliseconds since 1970; `days`: how far the history reaches back.
 */
export function tiersOfPast(
  definition: SeriesDefinition,
  summedUntil: (tier: Tier) => number,
  { at, now, days }: { at: number; now: number; days: number },
): Tier[] {
  const { tiers } = definition
  const [finest, next] = tiers
  const isSummed = (tier: Tier) => bucketOf(at, tier) < summedUntil(tier)
  const needs = (tier: Tier) => at >= now - keepOf(definition, tier, days) * 1000 && (tier === finest || isSummed(tier))
  // Buckets that are not summed up yet are read from the finest tier, however old they are.
  return tiers.filter((tier) => (tier === finest && next && !isSummed(next)) || needs(tier))
}

/** Sums up buckets into those of a coarser tier. */
export function sumUp(found: readonly Bucket[], tier: Tier): Bucket[] {
  const buckets = new Map<string, Bucket>()
  for (const { at, one, other, sums } of found) {
    const start = bucketOf(at, tier) * 1000
    const key = `${start} ${one} ${other}`
    const existing = buckets.get(key)
    if (existing) addTo(existing.sums, sums)
    else buckets.set(key, { at: start, one, other, sums })
  }
  return [...buckets.values()]
}

/** The seconds at which the buckets of a range begin. */
export function bucketsIn(tier: Tier, { from, until }: Range): number[] {
  const first = bucketOf(from, tier)
  const count = Math.max(0, Math.ceil((until / 1000 - first) / tier.step))
  return Array.from({ length: count }, (_, index) => first + index * tier.step)
}
