import { type Bucket, bucketOf, type Range, type Tier } from './definition.ts'
import { addTo } from './pendingSums.ts'

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
