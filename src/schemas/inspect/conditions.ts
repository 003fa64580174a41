import { z } from 'zod'

/** What servers can be asked for in lists. */
export const conditionNames = ['failed_units', 'containers_down', 'updates', 'reboot_needed'] as const

/** `column`: somebody looks at this one, so servers are asked for it. */
export const conditionsQuery = z.object({ column: z.enum(conditionNames).optional() })

/**
 * What a server said when alert rules, or people who look at lists, made this server ask, as numbers. What nobody asks
 * for, or the server cannot say, is absent.
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
