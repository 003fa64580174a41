/**
 * Values of one kind over time. They are summed up by time bucket and by two ids, so that a coarser bucket is the sum of
 * the finer ones; readers compute averages.
 */
export interface SeriesDefinition {
  name: string
  /** Names of the summed values. */
  columns: readonly string[]
  /** From fine to coarse; each step is a multiple of the one before. */
  tiers: readonly [Tier, ...Tier[]]
}

/** Seconds. */
export interface Tier {
  /** The length of one bucket. */
  step: number
  /** How long a bucket is kept. */
  keep: number
}

/**
 * Seconds for which a bucket of a tier is kept: those of the longest as many days as the history reaches back.
 * @param days how far back it reaches
 */
export const keepOf = ({ tiers }: SeriesDefinition, tier: Tier, days: number): number =>
  tier === tiers.at(-1) ? Math.max(tier.keep, days * 86_400) : tier.keep

/** The two ids of a bucket, such as service and server. Where one is enough, the other is 0. */
export interface Key {
  one: number
  other: number
}

/** One stored bucket. */
export interface Bucket extends Key {
  /** When it begins, in milliseconds since 1970. */
  at: number
  /** In the order of the columns; `null` without any value. */
  sums: (number | null)[]
}

/** From the first to the last id. */
export type IdRange = readonly [first: number, last: number]

export const anyId: IdRange = [0, Number.MAX_SAFE_INTEGER]

/** Milliseconds since 1970; `until` is not in it. */
export interface Range {
  from: number
  until: number
}

export const tableOf = ({ name }: SeriesDefinition, { step }: Tier) => `"${name}_${step}"`

/** The second at which the bucket of a moment begins. @param at milliseconds since 1970 */
export const bucketOf = (at: number, { step }: Tier) => Math.floor(at / 1000 / step) * step
