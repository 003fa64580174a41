import { type Bucket, bucketOf, type Range, type Tier } from './definition.ts'
import { addTo } from './pending.ts'

/** Makes one bucket of a tier of all that fall into it. */
export function sumUp(found: readonly Bucket[], tier: Tier): Bucket[] {
  const buckets = new Map<string, Bucket>()
  for (const { at, one, other, sums } of found) {
    const start = bucketOf(at, tier) * 1000
    const key = `${start} ${one} ${other}`
    const known = buckets.get(key)
    if (known) addTo(known.sums, sums)
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
