import { z } from 'zod'
import { defineCheck } from './checkKind.ts'

/** A host that answers pings: how many of them, and how evenly. */
export const pingCheck = defineCheck({
  target: 'host',
  type: 2,
  secrets: [],
  schema: z.object({
    kind: z.literal('ping'),
    packets: z.int().min(1).max(20).default(5),
    /** Bytes of what is sent in each. */
    size: z.int().min(8).max(1472).default(56),
    /** Percent of the packets that may be lost. */
    max_loss: z.int().min(0).max(99).default(0),
    /** Milliseconds that their times may deviate on the average; 0 is no bound. */
    max_jitter: z.int().min(0).max(10_000).default(0),
  }),
})
