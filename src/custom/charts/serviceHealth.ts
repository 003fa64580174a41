import type { ServiceOverviewItem } from '../hooks/useServiceOverview.ts'
import { upPercent } from './availability.ts'

/** How a service is now: `partly` where some of its latest checks failed. */
export type ServiceHealth = 'up' | 'partly' | 'down' | 'not_permitted' | 'unchecked'

/** Percent of good checks in the last quarter of an hour, above which a service counts as up, and as partly so. */
const [up, partly] = [95, 80]

/**
 * How a service is by its latest checks. What may not be checked is not down. Where the server does not say itself
 * whether it is down, the bounds are those of the pages that it shows to visitors.
 */
export function serviceHealth(standing: ServiceOverviewItem): ServiceHealth {
  const { current_up, current_down, not_permitted, state } = standing
  const percent = upPercent({ up: current_up, down: current_down })
  if (percent === undefined) return not_permitted ? 'not_permitted' : 'unchecked'
  if (state !== undefined) return state === 'down' ? 'down' : current_down === 0 ? 'up' : 'partly'
  return percent > up ? 'up' : percent > partly ? 'partly' : 'down'
}

/** Percent of the good checks of 30 days, and how long today's answers took in ms; nothing where there were none. */
export function serviceMetrics({ total_up, total_down, delay }: ServiceOverviewItem): {
  percent?: number
  ms?: number
} {
  return { percent: upPercent({ up: total_up, down: total_down }), ms: delay.at(-1) || undefined }
}
