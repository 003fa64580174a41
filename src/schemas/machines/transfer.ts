import { z } from 'zod'
import { defineEntity } from '../define/entity.ts'
import { line, moment, ref } from '../define/fields.ts'

/** How far a transfer is. */
export const transferStates = { 0: 'pending', 1: 'verified', 2: 'failed', 3: 'timeout', 4: 'cancelled' } as const

/** A server on its way from one owner to another: it is done when its agent has taken the new owner's secret. */
export const transfer = z.looseObject({
  id: z.int(),
  created_at: moment().optional(),
  server_id: z.int(),
  from_user_id: z.int().default(0),
  to_user_id: z.int().default(0),
  initiator_id: z.int().default(0),
  status: z.int().default(0),
  last_error: z.string().optional(),
})
export type Transfer = z.output<typeof transfer>

/** To whom servers are moved: what a person is asked. */
export const newTransfer = defineEntity({
  name: 'transfer',
  form: z.object({ to_user: ref('user') }),
  api: { verbs: [] },
})

/**
 * The same when the machine on which the server runs is among them: its name is typed as well.
 * @param machineName its name
 */
export const newTransferOfOwnMachine = (machineName: string) =>
  defineEntity({
    name: 'transfer',
    form: newTransfer.form.extend({
      machine_name: line().refine((text) => text === machineName.trim(), {
        params: { key: 'validation.machine_name' },
      }),
    }),
    api: { verbs: [] },
  })

/** What became of each server of a `POST /batch-move/server`. */
export const moveReport = z
  .array(z.looseObject({ server_id: z.int(), status: z.string(), error: z.string().optional() }))
  .nullish()
  .transform((rows) => rows ?? [])
