import { z } from 'zod'
import { CronError, parseCron } from '../../domain/cron/cronExpression.ts'
import { isTimeZone } from '../../domain/cron/timeZone.ts'
import { limits } from '../define/fields.ts'
import { defineCheck } from './checkKind.ts'

const daySeconds = 86_400

function cronProblem(expression: string): CronError | undefined {
  try {
    parseCron(expression)
    return undefined
  } catch (error) {
    if (error instanceof CronError) return error
    throw error
  }
}

/** A job that calls an address of this server when it has run: nothing goes out. */
export const pushCheck = defineCheck({
  target: 'label',
  schema: z.object({
    kind: z.literal('push'),
    /** Seconds from one call to the next. Without a meaning where there is a schedule. */
    interval: z
      .int()
      .min(10)
      .max(366 * daySeconds)
      .default(3600),
    /** Seconds that a call may be late. */
    grace: z
      .int()
      .min(0)
      .max(31 * daySeconds)
      .default(300),
    /** When the job runs, as a cron expression. Empty: at the interval. */
    schedule: z
      .string()
      .trim()
      .max(limits.shortText)
      .superRefine((text, context) => {
        const problem = text === '' ? undefined : cronProblem(text)
        if (problem) context.addIssue({ code: 'custom', params: { ...problem.args, key: problem.key } })
      })
      .default(''),
    /** The time zone of the schedule. Empty: that of this server. */
    zone: z
      .string()
      .trim()
      .max(limits.shortText)
      .refine((zone) => zone === '' || isTimeZone(zone), { params: { key: 'validation.time_zone' } })
      .default(''),
  }),
})

/** Services in a group. */
const maxServices = 200

/** Other services together. */
export const groupCheck = defineCheck({
  target: 'label',
  initial: { services: [], needs: 'all' },
  schema: z.object({
    kind: z.literal('group'),
    /** Their ids. */
    services: z.array(z.int().min(1)).min(1).max(maxServices),
    /** How many of them must be up. */
    needs: z.union([z.enum(['all', 'any']), z.int().min(1).max(maxServices)]).default('all'),
  }),
})
