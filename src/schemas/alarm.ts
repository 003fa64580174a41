import { z } from 'zod'
import { defineEntity } from './define/entity.ts'
import { moment } from './define/fields.ts'

/**
 * An alert that fired on a server, as the embedded server wrote it down; nobody can change it from here. One without
 * `ended_at` is still running. Names are those of the day: rule and server may be gone.
 */
export const alarm = defineEntity({
  name: 'alarm',
  form: z.object({}),
  computed: z.object({
    // Numbers and no references: an alarm does not keep its rule from being deleted.
    rule_id: z.int().optional(),
    rule_name: z.string().optional(),
    server_id: z.int().optional(),
    server_name: z.string().optional(),
    /** What its rules saw when it fired; `min` and `max` are absent where they are no bound. */
    causes: z
      .array(
        z.looseObject({
          type: z.string(),
          value: z.number().optional(),
          min: z.number().optional(),
          max: z.number().optional(),
        }),
      )
      .optional(),
    started_at: moment().optional(),
    ended_at: moment().optional(),
    /** It did not recover: the rule was changed or deleted meanwhile, or the server is gone. */
    withdrawn: z.boolean().optional(),
    /** Whether there was somebody to tell. */
    notified: z.boolean().optional(),
  }),
  api: { path: 'wheelhouse/alarms', paging: 'window', verbs: [], announced: 'alarms' },
})

/** What one rule of an alert saw when it fired. */
export interface AlarmCause {
  type: string
  value?: number
  min?: number
  max?: number
}
