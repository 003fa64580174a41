import { z } from 'zod'
import { defineEntity, scopesOfAdmin } from './define/entity.ts'
import { choice } from './define/fields.ts'
import { searchFilter } from './formats/listFilters.ts'

/** Why an address was noted, as the wire numbers it (docs/contract/CONTRACT.md#6-enumerations). */
export const blockReasons = {
  1: 'login_failed',
  2: 'token_attack',
  3: 'agent_attack',
  4: 'by_admin',
  5: 'oauth2_attack',
} as const

/** Whom an offence was aimed at, when it was nobody's account; numbers above 0 are ids of users. */
export const blockIdentifiers = {
  [-127]: 'agent',
  [-126]: 'token',
  [-125]: 'unknown_user',
  [-124]: 'by_admin',
} as const

/**
 * The offences of one address against one identifier. An address may have several rows, stays in the list when its
 * block is over, and is set free as a whole.
 */
export const waf = defineEntity({
  name: 'waf',
  nameField: 'ip',
  scopes: scopesOfAdmin,
  form: z.object({}),
  computed: z.object({
    ip: z.string(),
    count: z.int().optional(),
    block_reason: choice(blockReasons).optional(),
    block_identifier: choice(blockIdentifiers).optional(),
    block_timestamp: z.int().optional(),
    /** When the block ends that the row is part of, in seconds since 1970. Only the embedded server knows it. */
    blocked_until: z.int().optional(),
  }),
  id: ['ip', 'block_identifier'],
  access: { list: 'admin', delete: 'admin' },
  api: {
    membersOfOldServers: true,
    paging: 'window',
    verbs: ['delete'],
    batchKey: 'ip',
    /** `q`: a part of an address, or an IPv6 address, whose network has the row. */
    filters: z.object({ q: searchFilter() }),
    filtersAnnounced: 'waf_search',
  },
})

/** How often an address failed, and when it last did, in seconds since 1970. */
export interface Offences {
  count?: number
  block_timestamp?: number
}

/** Seconds, whatever the formula says. */
const shortestBlock = 3

/**
 * The end of an address's block at servers that do not say it: the last offence and the fourth power of the number of all
 * of them
 * (docs/contract/CONTRACT.md#3-session-csrf-login-address-blocking).
 * @param rows every row of the address; with some of them only, it is the earliest end that can be
 * @returns seconds since 1970
 */
export function blockedUntil(rows: readonly Offences[]): number {
  const offences = rows.reduce((sum, { count = 0 }) => sum + count, 0)
  const last = Math.max(...rows.map(({ block_timestamp = 0 }) => block_timestamp))
  return last + Math.max(offences ** 4, shortestBlock)
}
