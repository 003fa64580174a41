import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'

/** Something that was wrong in the last 24 hours: an alarm on a server, or an outage of a service. */
const pastTrouble = z.looseObject({
  kind: z.enum(['alarm', 'outage']),
  /** Unique within its kind. */
  id: z.int(),
  /** Of the server or service: of servers as it was at that time. */
  name: z.string().default(''),
  server_id: z.int().optional(),
  service_id: z.int().optional(),
  /** Of an alarm. */
  rule_name: z.string().optional(),
  /** Whether the alarm says that the server was offline. */
  offline: z.boolean().optional(),
  /** RFC 3339. */
  started_at: z.string(),
  /** Absent while it lasts. */
  ended_at: z.string().optional(),
})
export type PastTrouble = z.output<typeof pastTrouble>

/** At most so many, the latest. */
export const mostPastTroubles = 500

export const recentTrouble = z.looseObject({
  /** What began or ended in the last 24 hours, or lasted, latest first. */
  troubles: z.array(pastTrouble).default([]),
  /** When the last of all ended that are kept, RFC 3339; absent while one lasts, and without any. */
  last_ended_at: z.string().optional(),
})
export type RecentTrouble = z.output<typeof recentTrouble>

/** Only where `GET /setting` says `wheelhouse.recent_trouble`. Apart from the other calls: the sign-in form needs none. */
export const troubleEndpoints = {
  recentTrouble: endpoint('GET', 'wheelhouse/trouble', { scopes: ['nezha:alertrule:read'], reply: recentTrouble }),
} as const
