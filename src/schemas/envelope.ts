import { z } from 'zod'

/**
 * Every JSON reply: `success` is left out on failure, `data` when it would be zero, `""`, `[]` or null,
 * and failures travel with HTTP 200 (CONTRACT section 2).
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

/** Prefixes that are safe to match: all other texts follow the site's language. */
export const errorPrefix = { unauthorized: 'ApiErrorUnauthorized', forbidden: 'ApiErrorForbidden' } as const

/** The one 403 that a fresh CSRF cookie heals. */
export const csrfFailure = `${errorPrefix.forbidden}: missing or invalid CSRF token`

/** What servers write for "never" and "offline". */
export const zeroTime = '0001-01-01T00:00:00Z'

/** Names of the cookies and the header of a session (CONTRACT section 3). */
export const cookies = { session: 'nz-jwt', csrf: 'nz-csrf' } as const
export const csrfHeader = 'x-csrf-token'
