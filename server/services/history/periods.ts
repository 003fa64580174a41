import type { HistoryPeriod } from '../../../src/schemas/endpoints/serviceHistory.ts'
import type { Range, Tier } from '../../db/history/definition.ts'

const [minute, hour, day] = [60, 3600, 86_400]

/** Single checks of the last hour: 30 s is the shortest interval in the console. */
const thirtySeconds: Tier = { step: 30, keep: hour + 10 * minute }
const fiveMinutes: Tier = { step: 5 * minute, keep: 25 * hour }
const hours: Tier = { step: hour, keep: 8 * day }
const sixHours: Tier = { step: 6 * hour, keep: 31 * day }

/** A year in six hours would be more points than a chart has pixels. */
const days: Tier = { step: day, keep: 31 * day }

/** Data is summed up into longer buckets with age. */
export const tiers = [thirtySeconds, fiveMinutes, hours, sixHours, days] as const

/** A range of time in buckets of one length. */
export interface BucketRange extends Range {
  tier: Tier
}

/**
 * The buckets for a period. The last hour of `1d` has the shortest ones.
 * @param until milliseconds since 1970
 * @param isMany whether to use hours for `1d`, because many services are requested at once
 */
export function bucketRanges(period: HistoryPeriod, until: number, isMany = false): BucketRange[] {
  if (period === '1d' && isMany) return [{ tier: hours, from: until - day * 1000, until }]
  if (period === '7d') return [{ tier: hours, from: until - 7 * day * 1000, until }]
  if (period === '365d') return [{ tier: days, from: until - 365 * day * 1000, until }]
  if (period === '30d') return [{ tier: sixHours, from: until - 30 * day * 1000, until }]
  const step = fiveMinutes.step * 1000
  const lastHour = Math.floor((until - hour * 1000) / step) * step
  return [
    { tier: fiveMinutes, from: until - day * 1000, until: lastHour },
    { tier: thirtySeconds, from: lastHour, until },
  ]
}

/**
 * The longest buckets that tell which of thousands of servers a period shows: the last month of a year, which has
 * millions of them.
 * @param until milliseconds since 1970
 */
export function bucketsToRank(period: HistoryPeriod, until: number): BucketRange {
  if (period === '1d') return { tier: hours, from: until - day * 1000, until }
  if (period === '7d') return { tier: sixHours, from: until - 7 * day * 1000, until }
  return { tier: days, from: until - 30 * day * 1000, until }
}

/** How many buckets a period has, where hours are enough for `1d`. */
export const bucketCount = (period: HistoryPeriod): number =>
  bucketRanges(period, 0, true).reduce((sum, { tier, from, until }) => sum + (until - from) / 1000 / tier.step, 0)

/**
 * The buckets of the last 7 days with their shortest lengths: five minutes for the last day, hours before.
 * @param isMany whether to use hours for the last day too, because many servers are read at once
 */
export function bucketsOfWeek(until: number, isMany: boolean): { ranges: BucketRange[]; step: number } {
  const from = until - 7 * day * 1000
  if (isMany) return { ranges: [{ tier: hours, from, until }], step: hours.step }
  const lastDay = Math.floor((until / 1000 - day) / hour) * hour * 1000 + hour * 1000
  return {
    ranges: [
      { tier: hours, from, until: lastDay },
      { tier: fiveMinutes, from: lastDay, until },
    ],
    step: fiveMinutes.step,
  }
}
