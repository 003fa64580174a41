import { upPercent } from './availability.ts'
import type { ServiceStanding } from './useServiceOverview.ts'

/** How a service is now: `partly` where some servers reach it and others do not. */
export type ServiceHealth = 'up' | 'partly' | 'down' | 'not_permitted' | 'unchecked'

/** How a service is by its latest checks. What may not be checked is not down. */
export function serviceHealth({ current_up, current_down, not_permitted }: ServiceStanding): ServiceHealth {
  if (current_up + current_down === 0) return not_permitted ? 'not_permitted' : 'unchecked'
  if (current_up === 0) return 'down'
  return current_down === 0 ? 'up' : 'partly'
}

/** Percent of the good checks of 30 days, and how long today's answers took in ms; nothing where there were none. */
export function serviceFigures({ total_up, total_down, delay }: ServiceStanding): { percent?: number; ms?: number } {
  return { percent: upPercent({ up: total_up, down: total_down }), ms: delay.at(-1) || undefined }
}
