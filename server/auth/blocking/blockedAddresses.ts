import { isIP } from 'node:net'
import { blockedUntil } from '../../../src/schemas/waf.ts'
import { cachedRows } from '../../db/cachedRows.ts'
import type { Store } from '../../db/store.ts'

/** Why a row was written, as the wire numbers it (docs/contract/CONTRACT.md#6-enumerations). */
export const blockReasons = { loginFailed: 1, tokenAttack: 2, agentAttack: 3, byAdmin: 4, oauth2Attack: 5 } as const

/** Whom an offence was aimed at: the id of a user, or one of these. */
export const blockIdentifiers = { agent: -127, token: -126, unknownUser: -125, byAdmin: -124 } as const

export type BlockReason = (typeof blockReasons)[keyof typeof blockReasons]

/** The offences of one address against one identifier. */
export interface WafRow {
  id: number
  ip: string
  block_identifier: number
  block_reason: number
  /** Seconds since 1970 of the last offence, rounded up. */
  block_timestamp: number
  count: number
}

/** Blocks addresses for a time that grows with every offence. The address '' is unknown and never blocked. */
export interface Waf {
  isBlocked(address: string): boolean
  /** Seconds until the address is let in again; 0 when it is not blocked. */
  secondsLeft(address: string): number
  offend(address: string, identifier: number, reason: BlockReason): void
  /** A good sign-in: what this address did to that user, and to users that do not exist, is forgotten. */
  forgive(address: string, userId: number): void
  /** All rows, the latest offence first. */
  rows(): readonly WafRow[]
  /** An administrator's block, for ever. @returns whether the text is an address */
  block(address: string): boolean
  /** Forgets everything about these addresses; what is no address is passed over. */
  unblock(addresses: readonly string[]): void
}

/** So many offences that the end of the block is never reached. */
const forEver = 99_999

/** @param now the clock, in milliseconds since 1970 */
export function createWaf(store: Store, now: () => number): Waf {
  const table = store.table<WafRow>({
    name: 'waf',
    columns: [
      { name: 'ip', type: 'TEXT' },
      { name: 'block_identifier', type: 'INTEGER' },
      { name: 'block_reason', type: 'INTEGER' },
      { name: 'block_timestamp', type: 'INTEGER' },
      { name: 'count', type: 'INTEGER' },
    ],
  })

  // Asked on every request and written on offences only: so the answer is kept in memory until a row changes.
  let ends = new Map<string, number>()
  let seen = -1
  function endOf(address: string): number {
    if (table.version() !== seen) {
      seen = table.version()
      const byAddress = Map.groupBy(table.all(), (row) => row.ip)
      ends = new Map([...byAddress].map(([ip, rows]) => [ip, blockedUntil(rows)]))
    }
    return ends.get(address) ?? 0
  }

  const secondsLeft = (address: string) =>
    address === '' ? 0 : Math.max(0, Math.ceil(endOf(spelled(address)) - now() / 1000))

  /** @param count of offences; one more than there were by default */
  function write(ip: string, block_identifier: number, block_reason: BlockReason, count?: number): void {
    const [row] = table.find({ ip, block_identifier })
    const block_timestamp = Math.ceil(now() / 1000)
    const latest = { block_reason, block_timestamp, count: count ?? (row?.count ?? 0) + 1 }
    if (row) table.update(row.id, latest)
    else table.insert({ ...latest, ip, block_identifier })
  }

  return {
    secondsLeft,
    isBlocked: (address) => secondsLeft(address) > 0,
    offend(text, identifier, reason) {
      if (text !== '') write(spelled(text), identifier, reason)
    },
    forgive(address, userId) {
      const forgiven: number[] = [userId, blockIdentifiers.unknownUser]
      const rows = table.find({ ip: spelled(address) }).filter((row) => forgiven.includes(row.block_identifier))
      table.remove(rows.map((row) => row.id))
    },
    rows: () => cachedRows(table).toSorted((a, b) => b.block_timestamp - a.block_timestamp || b.id - a.id),
    block(text) {
      if (isIP(text) === 0) return false
      write(spelled(text), blockIdentifiers.byAdmin, blockReasons.byAdmin, forEver)
      return true
    },
    unblock(addresses) {
      const freed = new Set(addresses.map(spelled))
      table.remove(table.all().flatMap(({ id, ip }) => (freed.has(ip) ? [id] : [])))
    },
  }
}

/** One spelling for each address, so that no other one slips past a block. What is no address stays as it is. */
function spelled(text: string): string {
  const address = text.replace(/^::ffff:(?=[\d.]+$)/i, '')
  // A URL cannot hold a zone; such addresses are of one link only.
  const isPlain = isIP(address) === 6 && URL.canParse(`http://[${address}]`)
  return isPlain ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address
}
