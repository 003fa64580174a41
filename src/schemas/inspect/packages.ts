import { z } from 'zod'

/** An update that waits, or that the machine has to be restarted for what is installed already. */
export const packageItem = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('update'),
    name: z.string(),
    installed: z.string().optional(),
    available: z.string(),
    is_security: z.boolean(),
  }),
  z.object({
    kind: z.literal('reboot'),
    /** What it is needed for, as far as the machine says. */
    name: z.string(),
  }),
])
export type PackageItem = z.output<typeof packageItem>
