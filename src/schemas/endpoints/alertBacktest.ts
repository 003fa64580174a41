import { z } from 'zod'
import { alarmCause } from '../alerts/alarmCause.ts'

/** What is tested: the rules of a form, as they are written. */
export const backtestRequest = z.object({
  /** The alert rule that is edited; a new one has none. It says whose servers the rules cover. */
  id: z.int().min(1).optional(),
  rules: z.array(z.looseObject({})).min(1).max(20),
})

/**
 * What rules would have done in the last 7 days, by the averages that the embedded server keeps; times in ms since 1970.
 */
export const alertBacktest = z.object({
  /** Of the first and the last average; absent without any. */
  from: z.number().optional(),
  until: z.number().optional(),
  /** Seconds from sample to sample: that of the finest averages that were used. */
  step: z.number(),
  /** Servers that the rules cover, and those of them whose past was looked at within the time that a test may take. */
  covered: z.int(),
  tested: z.int(),
  /** The servers on which the rules are true by the last report, whatever was before. */
  now: z.array(z.int()).default([]),
  samples: z.number(),
  /** Samples outside the bounds. */
  failed: z.number(),
  /** The latest 200, in the order in which they would have begun. */
  alarms: z
    .array(
      z.object({
        server_id: z.int(),
        started_at: z.number(),
        /** Absent while it would still be running. */
        ended_at: z.number().optional(),
        /** The highest share of samples outside the bounds, 0 to 1. */
        share: z.number(),
        causes: z.array(alarmCause).default([]),
      }),
    )
    .default([]),
  alarms_total: z.int(),
})
