/**
 * Figures of one kind over time. They are summed up by bucket of time and by two ids, so that a coarser bucket is the
 * sum of the finer ones; averages are made by whoever reads.
 */
export interface SeriesDefinition {
  name: string
  /** What is summed up. */
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

/** What a bucket belongs to. Where one id is enough, the other is 0. */
export interface Key {
  one: number
  other: number
}

/** One bucket as it is kept. */
export interface Bucket extends Key {
  /** When it begins, in milliseconds since 1970. */
  at: number
  /** In the order of the columns; `null` where nothing was ever said. */
  sums: (number | null)[]
}

/** Milliseconds since 1970; `until` is not in it. */
export interface Range {
  from: number
  until: number
}

export const tableOf = ({ name }: SeriesDefinition, { step }: Tier) => `"${name}_${step}"`

/** The second at which the bucket of a moment begins. @param at milliseconds since 1970 */
export const bucketOf = (at: number, { step }: Tier) => Math.floor(at / 1000 / step) * step
