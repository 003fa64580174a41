import type { HistoryPeriod } from '../../../src/schemas/endpoints/serviceHistory.ts'
import type { Range, Tier } from '../../db/history/definition.ts'

const [minute, hour, day] = [60, 3600, 86_400]

/** Single checks, at the shortest interval that the console lets people type; of the last hour. */
const finest: Tier = { step: 30, keep: hour + 10 * minute }
const fiveMinutes: Tier = { step: 5 * minute, keep: 25 * hour }
const hours: Tier = { step: hour, keep: 8 * day }
const quarters: Tier = { step: 6 * hour, keep: 31 * day }

/** How figures are thinned with age. */
export const thinned = [finest, fiveMinutes, hours, quarters] as const

/** A stretch of time, told in buckets of one length. */
export interface Part extends Range {
  tier: Tier
}

/**
 * The buckets that a period is told in. Of a day, the last hour is told in the finest.
 * @param until milliseconds since 1970
 * @param isMany whether so much is asked for at once that hours have to do for a day
 */
export function partsOf(period: HistoryPeriod, until: number, isMany = false): Part[] {
  if (period === '1d' && isMany) return [{ tier: hours, from: until - day * 1000, until }]
  if (period === '7d') return [{ tier: hours, from: until - 7 * day * 1000, until }]
  if (period === '30d') return [{ tier: quarters, from: until - 30 * day * 1000, until }]
  const step = fiveMinutes.step * 1000
  const lastHour = Math.floor((until - hour * 1000) / step) * step
  return [
    { tier: fiveMinutes, from: until - day * 1000, until: lastHour },
    { tier: finest, from: lastHour, until },
  ]
}
