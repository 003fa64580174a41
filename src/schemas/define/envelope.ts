import { z } from 'zod'

/**
 * Every JSON reply: `success` is left out on failure, `data` when it would be zero, `""`, `[]` or null,
 * and failures travel with HTTP 200 (docs/contract/CONTRACT.md#2-envelope-and-status-codes).
 */
export const envelope = z.looseObject({
  success: z.boolean().optional(),
  data: z.unknown().optional(),
  error: z.string().optional(),
})
export type Envelope = z.output<typeof envelope>

/** The frame of a list that the server pages; `value` is absent on an empty page, `total` when it is 0. */
export const listWindow = z.looseObject({
  value: z.array(z.unknown()).nullish(),
  pagination: z
    .looseObject({ offset: z.int().optional(), limit: z.int().optional(), total: z.int().optional() })
    .optional(),
})
