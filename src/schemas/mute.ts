import { z } from 'zod'
import { defineEntity, scopesOfArea } from './define/entity.ts'
import { moment, name, refOrNone } from './define/fields.ts'

/** Per member. Mutes end by themselves. */
const mutesPerMember = 200

/**
 * Suppresses notifications for a while: about the alarms of a server, of a rule or of a rule on one server, or about a
 * service. Embedded server only.
 */
export const mute = defineEntity({
  name: 'mute',
  scopes: scopesOfArea('alertrule'),
  perMember: mutesPerMember,
  // Mutes are temporary, so the configuration file does not have them.
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
