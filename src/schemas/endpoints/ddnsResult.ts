import { z } from 'zod'

/** The state of a DNS record that DDNS updates. Embedded server only. */
export const ddnsResult = z.looseObject({
  profile_id: z.int(),
  server_id: z.int(),
  domain: z.string(),
  /** `A` or `AAAA`. */
  record: z.string(),
  /**
   * `done`, `failed`, `waiting` (for its turn or the next try), `no_address` (the server has none that may
   * be sent to the provider), `offline` (the server has not reported yet).
   */
  state: z.string(),
  /** The address that was sent last or is being sent. */
  address: z.string().optional(),
  /** When it succeeded or failed for good, RFC 3339. */
  at: z.string().optional(),
  tries: z.int().optional(),
  /** Why it failed. */
  words: z.string().optional(),
})
export type DdnsResult = z.output<typeof ddnsResult>

/** The number of records of one profile by state. */
export const ddnsSummary = z.looseObject({
  profile_id: z.int(),
  names: z.int(),
  done: z.int(),
  failed: z.int(),
  waiting: z.int(),
  /** Of the latest result. */
  at: z.string().optional(),
})
export type DdnsSummary = z.output<typeof ddnsSummary>
