import type { HistoryPeriod } from '../../src/schemas/serviceHistory.ts'
import type { Tier } from '../db/history/definition.ts'

const [minute, hour, day] = [60, 3600, 86_400]

/** How figures are thinned with age, whatever the finest bucket is. */
export const coarseTiers = {
  fiveMinutes: { step: 5 * minute, keep: 25 * hour },
  hours: { step: hour, keep: 8 * day },
  quarters: { step: 6 * hour, keep: 31 * day },
} satisfies Record<string, Tier>

/** Of each period: how far back it reaches, in milliseconds, and of which buckets it is told. */
export const periods: Readonly<Record<HistoryPeriod, { span: number; tier: Tier }>> = {
  '1d': { span: day * 1000, tier: coarseTiers.fiveMinutes },
  '7d': { span: 7 * day * 1000, tier: coarseTiers.hours },
  '30d': { span: 30 * day * 1000, tier: coarseTiers.quarters },
}
