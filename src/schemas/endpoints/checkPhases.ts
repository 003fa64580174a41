import { z } from 'zod'

/** Milliseconds of the parts of a check, as far as they are known. */
export const checkPhases = z.object({
  name: z.number().optional(),
  connect: z.number().optional(),
  tls: z.number().optional(),
  first_byte: z.number().optional(),
  whole: z.number().optional(),
})
export type CheckPhases = z.output<typeof checkPhases>
