import { z } from 'zod'

/**
 * Value and bounds of one rule of an alert when it fired; `min` and `max` are absent where there is no bound. `detail`
 * names what it is about, as far as the server was asked: units, containers, disks.
 */
export const alarmCause = z.looseObject({
  type: z.string(),
  value: z.number().optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  detail: z.string().optional(),
})

export type AlarmCause = z.output<typeof alarmCause>
