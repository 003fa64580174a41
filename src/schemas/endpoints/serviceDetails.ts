import { z } from 'zod'

/** `GET wheelhouse/service/:id/details`; times are RFC 3339. */
export const serviceDetails = z.object({
  /**
   * The certificates that its check has seen, host by host as redirects lead to them: that of the host first. Empty until
   * a check has seen any.
   */
  chain: z
    .array(z.object({ host: z.string(), subject: z.string(), issuer: z.string(), expires_at: z.string() }))
    .default([]),
  /** What the job has said, the latest first. */
  calls: z
    .array(
      z.object({
        at: z.string(),
        event: z.enum(['start', 'success', 'fail', 'log']),
        message: z.string(),
        /** Milliseconds that it ran. */
        ms: z.number().optional(),
      }),
    )
    .default([]),
})
export type ServiceDetails = z.output<typeof serviceDetails>
