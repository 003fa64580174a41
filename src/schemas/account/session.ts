import { z } from 'zod'
import { moment } from '../define/fields.ts'

/** One of the user's own active sessions, as listed by the embedded server. */
export const ownSession = z.looseObject({
  id: z.int(),
  /** Time of the sign-in. */
  created_at: moment(),
  /** IP address of the sign-in; absent when the server does not know it. */
  address: z.string().optional(),
  /** Where it was used first over the other family, IPv4 or IPv6. */
  other_address: z.string().optional(),
  /** User-Agent header of the browser. */
  user_agent: z.string().optional(),
  /** Whether it is the session of this request. */
  current: z.boolean().optional(),
})
export type OwnSession = z.output<typeof ownSession>
