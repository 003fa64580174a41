import { z } from 'zod'
import { defineEntity } from './define/entity.ts'
import { moment, name, refOrNone } from './define/fields.ts'
import { scopesOfArea } from './define/tokenScopes.ts'

/** Of each member. They end by themselves. */
const mutesPerMember = 200

/**
 * Keeps people from being told for a while: of the alarms of a server, of a rule or of a rule on one server, and of a
 * service.
 * Embedded server only.
 */
export const mute = defineEntity({
  name: 'mute',
  scopes: scopesOfArea('alertrule'),
  perMember: mutesPerMember,
  // A mute is of the moment.
  configuration: false,
  form: z.object({
    name: name(),
    server_id: refOrNone('server').default(0),
    rule_id: refOrNone('alert-rule').default(0),
    service_id: refOrNone('service').default(0),
    /** Absent: until it has recovered. */
    ends_at: moment().optional(),
  }),
  computed: z.object({
    /** Who muted it. */
    username: z.string().optional(),
  }),
  api: { path: 'wheelhouse/mutes', announced: 'maintenance' },
})
