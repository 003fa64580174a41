import { z } from 'zod'
import { defineCheck } from './checkKind.ts'

/** Services in a group. */
const maxServices = 200

/** Other services together. */
export const groupCheck = defineCheck({
  target: 'label',
  type: 3,
  secrets: [],
  initial: { services: [], needs: 'all' },
  schema: z.object({
    kind: z.literal('group'),
    /** Their ids. */
    services: z.array(z.int().min(1)).min(1).max(maxServices),
    /** How many of them must be up. */
    needs: z.union([z.enum(['all', 'any']), z.int().min(1).max(maxServices)]).default('all'),
  }),
})
