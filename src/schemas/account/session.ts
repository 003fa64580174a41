import { z } from 'zod'
import { moment } from '../define/fields.ts'

/** One of the own sign-ins that still count, as the embedded server lists them. */
export const ownSession = z.looseObject({
  id: z.int(),
  /** When and where from the person signed in. The address is left out when the server knows none. */
  created_at: moment(),
  address: z.string().optional(),
  /** What the browser called itself. */
  user_agent: z.string().optional(),
  /** Whether it is the one that asks. */
  current: z.boolean().optional(),
})
export type OwnSession = z.output<typeof ownSession>
