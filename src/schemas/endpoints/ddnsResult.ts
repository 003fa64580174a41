import { z } from 'zod'

/** How a name stands that is to follow a server: where it leads by now, or why not. Embedded server only. */
export const ddnsResult = z.looseObject({
  profile_id: z.int(),
  server_id: z.int(),
  domain: z.string(),
  /** `A` or `AAAA`. */
  record: z.string(),
  /**
   * `done`, `failed`, `waiting` (for its turn or the next try), `no_address` (the server has none that the provider
   * may be told), `offline` (nothing is known of the server yet).
   */
  state: z.string(),
  /** The one that was sent last, or is being sent. */
  address: z.string().optional(),
  /** When it was taken or given up. */
  at: z.string().optional(),
  tries: z.int().optional(),
  /** Why it was not taken. */
  words: z.string().optional(),
})
export type DdnsResult = z.output<typeof ddnsResult>

/** The names of one profile in figures. */
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
