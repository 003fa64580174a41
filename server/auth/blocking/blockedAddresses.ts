import { isIP } from 'node:net'
import { blockedUntil } from '../../../src/schemas/waf.ts'
import { cachedRows } from '../../db/cachedRows.ts'
import type { Store } from '../../db/store.ts'

/** Why a row was written, as the wire numbers it (docs/contract/CONTRACT.md#6-enumerations). */
export const blockReasons = { loginFailed: 1, tokenAttack: 2, agentAttack: 3, byAdmin: 4, oauth2Attack: 5 } as const

/** Whose account a failure was aimed at: the id of a user, or one of these. */
export const blockIdentifiers = { agent: -127, token: -126, unknownUser: -125, byAdmin: -124 } as const

export type BlockReason = (typeof blockReasons)[keyof typeof blockReasons]

/** The failures of one address against one identifier. */
export interface WafRow {
  id: number
  ip: string
  block_identifier: number
  block_reason: number
  /** Seconds since 1970 of the last failure, rounded up. */
  block_timestamp: number
  count: number
}

/** Blocks addresses for a time that grows with every failure. The address '' means unknown and is never blocked. */
export interface Waf {
  isBlocked(address: string): boolean
  /** Seconds until the end of the block; 0 when the address is not blocked. */
  secondsLeft(address: string): number
  recordFailure(address: string, identifier: number, reason: BlockReason): void
  /** After a successful sign-in: deletes the failures of this address for that user and for users that do not exist. */
  clearFailures(address: string, userId: number): void
  /** All rows, the latest failure first. */
  rows(): readonly WafRow[]
  /** A permanent block by an administrator. @returns whether the text is an address */
  block(address: string): boolean
  /** Deletes all failures and blocks of these addresses; texts that are no address are ignored. */
  unblock(addresses: readonly string[]): void
}

/** So many failures that the end of the block is never reached. */
const permanentCount = 99_999

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

  // Read on every request and written on failures only, so it is cached until a row changes.
  let blockedUntilByAddress = new Map<string, number>()
  let cachedVersion = -1
  function blockEndOf(address: string): number {
    if (table.version() !== cachedVersion) {
      cachedVersion = table.version()
      const byAddress = Map.groupBy(table.all(), (row) => row.ip)
      blockedUntilByAddress = new Map([...byAddress].map(([ip, rows]) => [ip, blockedUntil(rows)]))
    }
    return blockedUntilByAddress.get(address) ?? 0
  }

  const secondsLeft = (address: string) =>
    address === '' ? 0 : Math.max(0, Math.ceil(blockEndOf(normalizeAddress(address)) - now() / 1000))

  /** @param count the number of failures. Default: one more than before */
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
    recordFailure(text, identifier, reason) {
      if (text !== '') write(normalizeAddress(text), identifier, reason)
    },
    clearFailures(address, userId) {
      const cleared: number[] = [userId, blockIdentifiers.unknownUser]
      const rows = table.find({ ip: normalizeAddress(address) }).filter((row) => cleared.includes(row.block_identifier))
      table.remove(rows.map((row) => row.id))
    },
    rows: () => cachedRows(table).toSorted((a, b) => b.block_timestamp - a.block_timestamp || b.id - a.id),
    block(text) {
      if (isIP(text) === 0) return false
      write(normalizeAddress(text), blockIdentifiers.byAdmin, blockReasons.byAdmin, permanentCount)
      return true
    },
    unblock(addresses) {
      const unblocked = new Set(addresses.map(normalizeAddress))
      table.remove(table.all().flatMap(({ id, ip }) => (unblocked.has(ip) ? [id] : [])))
    },
  }
}

/** One spelling for each address, so that no other spelling gets around a block. Other texts stay as they are. */
function normalizeAddress(text: string): string {
  const address = text.replace(/^::ffff:(?=[\d.]+$)/i, '')
  // Addresses with a zone are link-local, and a URL cannot hold them.
  const hasNoZone = isIP(address) === 6 && URL.canParse(`http://[${address}]`)
  return hasNoZone ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address
}
