import { z } from 'zod'
import { defineEntity } from './define/entity.ts'
import { moment } from './define/fields.ts'

/**
 * An alert that fired on a server, an entry of the embedded server's alarm history; read-only. It is running while it
 * has no `ended_at`. Names are those at that time: rule and server may be deleted.
 */
export const alarm = defineEntity({
  name: 'alarm',
  form: z.object({}),
  computed: z.object({
    // Numbers instead of references, so that rules and servers can be deleted.
    rule_id: z.int().optional(),
    rule_name: z.string().optional(),
    server_id: z.int().optional(),
    server_name: z.string().optional(),
    /** Values and bounds of its rules when it fired; `min` and `max` are absent where there is no bound. */
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
    /** Whether it ended without recovery: the rule was changed or deleted, or the server was deleted. */
    withdrawn: z.boolean().optional(),
    /** Whether there was a notifier. */
    notified: z.boolean().optional(),
  }),
  api: { path: 'wheelhouse/alarms', paging: 'window', verbs: [], announced: 'alarms' },
})

/** Value and bounds of one rule of an alert when it fired. */
export interface AlarmCause {
  type: string
  value?: number
  min?: number
  max?: number
}
