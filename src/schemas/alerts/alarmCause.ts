import { z } from 'zod'

/** Value and bounds of one rule of an alert when it fired; `min` and `max` are absent where there is no bound. */
export const alarmCause = z.looseObject({
  type: z.string(),
  value: z.number().optional(),
  min: z.number().optional(),
  max: z.number().optional(),
})

export type AlarmCause = z.output<typeof alarmCause>
