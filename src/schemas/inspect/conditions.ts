import { z } from 'zod'

/**
 * What a server said when alert rules made this server ask, as numbers. What no rule asks for, or the server cannot
 * say, is absent.
 */
export const serverConditions = z.object({
  server_id: z.int(),
  failed_units: z.int().optional(),
  /** Containers that have ended with an error, or are started again and again. */
  containers_down: z.int().optional(),
  /** Updates that wait. */
  updates: z.int().optional(),
  /** Reasons for which the machine has to be restarted. */
  reboot_needed: z.int().optional(),
})
export type ServerConditions = z.output<typeof serverConditions>
