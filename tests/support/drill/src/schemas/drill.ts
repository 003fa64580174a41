import { z } from 'zod'
import { bodyLimits } from '../../../../../src/schemas/define/endpoint.ts'
import { defineEntity, ownScopes } from '../../../../../src/schemas/define/entity.ts'
import { choice, flag, moment, multiline, name, refOrNone, refs } from '../../../../../src/schemas/define/fields.ts'

/** A time in which an operator practises an outage on servers and does not want to be alarmed by them. */
export const drill = defineEntity({
  name: 'drill',
  form: z.object({
    name: name(),
    servers: refs('server').default([]),
    repeat: choice({ 0: 'once', 1: 'daily', 2: 'weekly' }).default(0),
    starts_at: moment(),
    duration: z.int().min(5).max(720).default(60),
    mute_alerts: flag(true),
    notification_group_id: refOrNone('notification-group').default(0),
    note: multiline().optional(),
  }),
  computed: z.object({ last_started_at: moment().nullish() }),
  access: { delete: 'admin' },
  scopes: ownScopes('drill'),
  api: { bodyLimit: bodyLimits.largeForm },
})
