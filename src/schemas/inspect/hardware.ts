import { z } from 'zod'

export const hardwareKinds = ['system', 'cpu', 'memory', 'sensor', 'gpu', 'ups'] as const

/** One fact about the hardware, in the words of the program that tells it. */
export const hardwareItem = z.object({
  kind: z.enum(hardwareKinds),
  /** What it is about, where there are several: a module, a chip. */
  part: z.string().optional(),
  name: z.string(),
  value: z.string(),
})
export type HardwareItem = z.output<typeof hardwareItem>
