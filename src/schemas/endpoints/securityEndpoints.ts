import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'
import { moment } from '../define/fields.ts'

/**
 * What only the embedded server can say for the security page: how it was started, and what its audit log has of the last
 * days.
 */
export const securityFacts = z.looseObject({
  /** Whether other machines can reach it without TLS. */
  plain_http: z.boolean(),
  /** Whether notifiers, services and webhooks of members may call private addresses. */
  private_targets: z.boolean(),
  /** By address, most failures first, 100 addresses at most; '' for unknown ones. Of the last 24 hours. */
  failed_sign_ins: z.array(z.object({ address: z.string(), count: z.int() })).default([]),
  /** Creations and changes of tasks, latest first, one for each task. Of the last 7 days. */
  changed_tasks: z.array(z.object({ id: z.int(), at: moment(), username: z.string().optional() })).default([]),
  /** Whether the audit log was read back for 7 days; it is not when it has very many lines. */
  complete: z.boolean(),
  /** Backups by schedule: whether there are any, when the latest was made, and why there is no newer one. */
  backups: z
    .object({
      scheduled: z.boolean(),
      latest: moment().optional(),
      failure: z.object({ at: moment(), message: z.string() }).optional(),
    })
    .optional(),
})
export type SecurityFacts = z.output<typeof securityFacts>

/** Apart from the others: only the security page asks. */
export const securityEndpoints = {
  /** Only where `GET /setting` says `wheelhouse.security_facts`. */
  securityFacts: endpoint('GET', 'wheelhouse/security', {
    scopes: ['nezha:admin:*'],
    reply: securityFacts,
    access: 'admin',
  }),
} as const
