import { type Bucket, bucketOf, keepOf, type Range, type SeriesDefinition, type Tier } from './definition.ts'
import { addTo } from './pendingSums.ts'

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
