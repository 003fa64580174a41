import { z } from 'zod'
import { defineEntity } from './define/entity.ts'
import { choice, moment } from './define/fields.ts'

/** How a notice ended at one notifier. */
export const deliveryStates = { 1: 'sent', 2: 'failed', 3: 'dropped', 4: 'stopped' } as const

/** The codes of `deliveryStates` by their names. */
export const deliveryState = {
  sent: 1,
  failed: 2,
  /** Never tried: too many were waiting, or it had waited too long. */
  dropped: 3,
  /** The server ended before it was sent. */
  stopped: 4,
} as const satisfies { [Code in keyof typeof deliveryStates as (typeof deliveryStates)[Code]]: Code }

/** A notice at one notifier, as the embedded server wrote it down; nobody can change it from here. */
export const delivery = defineEntity({
  name: 'delivery',
  form: z.object({}),
  computed: z.object({
    at: moment().optional(),
    // Numbers and no references: a delivery does not keep its notifier from being deleted. Names are those of the day.
    notification_id: z.int().optional(),
    notification_name: z.string().optional(),
    notification_group_id: z.int().optional(),
    notification_group_name: z.string().optional(),
    /** The beginning of what was said. */
    message: z.string().optional(),
    state: choice(deliveryStates).optional(),
    /** HTTP status of the last reply; absent when there was none. */
    code: z.int().optional(),
    /** The beginning of the last reply, or why there was none. */
    reply: z.string().optional(),
    tries: z.int().optional(),
    /** Milliseconds from the first try to the end. */
    duration: z.int().optional(),
    /** How many notices this line stands for, when several were dropped at once. */
    count: z.int().optional(),
  }),
  api: { path: 'wheelhouse/deliveries', paging: 'window', verbs: [], announced: 'deliveries' },
})
