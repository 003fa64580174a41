import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import type { Store } from '../../db/store.ts'
import { ApiError } from '../../wire/apiError.ts'
import { addressGroup } from '../addresses/canonicalAddress.ts'
import { secretIn } from '../sessions/secret.ts'
import { type BlockReason, blockIdentifiers, blockReasons } from './blockCodes.ts'
import { BlockedError } from './blockedPage.ts'
import {
  type Account,
  type Attempt,
  type Block,
  blockEnd,
  blockFor,
  type FailureRow,
  failureOf,
  isByAdmin,
} from './blockRules.ts'
import { openFailures } from './failures.ts'

/**
 * Keeps addresses that fail from trying again, for a time that grows with every failure, and only from what they failed
 * at: who has a valid session, API token or agent secret is never kept out by it. IPv6 addresses count by their /64
 * network, which is written `2001:db8:0:7::/64`. The address '' means unknown and is never blocked.
 *
 * Failures are counted in memory and written a second later, so that counting and signing in work on a full disk. What
 * an administrator orders is on the disk when the call returns.
 */
export interface Waf {
  /** Whether an administrator blocked the address: permanently, and for everything. */
  isBlockedByAdmin(address: string): boolean
  /** Why this attempt is refused now. */
  blockFor(address: string, attempt: Attempt): Block | undefined
  /** @throws BlockedError when this attempt is refused now */
  check(address: string, attempt: Attempt): void
  /** @returns a function that takes it back, for a failure that turns out to be none */
  recordFailure(address: string, attempt: Attempt): () => void
  /** @param user whom the name belongs to. Names that do not exist are as many accounts, so that nobody can tell them apart */
  accountOf(user: { id: number } | undefined, username: string): Account
  /**
   * After a successful sign-in: deletes what failed at this address for that user in this browser, or in all that are not
   * known, and for users that do not exist. @param browser when it is known for the user
   */
  clearFailures(address: string, userId: number, browser?: string): void
  /** After an agent has proved itself: deletes the failures of agents from this address. */
  clearAgentFailures(address: string): void
  /** After an API token was good: deletes the failures of tokens from this address. */
  clearTokenFailures(address: string): void
  /** All rows as the wire has them, one for each address and identifier, the latest failure first. */
  rows(): readonly FailureRow[]
  /** When the block that a row takes part in ends. @returns seconds since 1970, or infinite */
  endOf(row: FailureRow): number
  /** A permanent block by an administrator. @returns whether the text is an address @throws ApiError beyond the limit */
  block(address: string): boolean
  /** Deletes all failures and blocks of these addresses; texts that are no address are ignored. */
  unblock(addresses: readonly string[]): void
  /** Writes what is in memory only. */
  flush(): void
}

/** What servers write for a block that never ends. */
const permanentCount = 99_999

/** The blocks that administrators may order. */
const maxBlockedByAdmin = 50_000

/**
 * @param now the clock, in milliseconds since 1970
 * @param onFailure called when failures could not be written; they stay in memory and are written later
 */
export function createWaf(store: Store, now: () => number, onFailure: (error: unknown) => void = () => {}): Waf {
  const failures = openFailures(store, now, onFailure)
  const nameKey = secretIn(store, 'auth.nameKey')
  const rowsOf = (address: string) => (address === '' ? [] : failures.of(addressGroup(address)))
  const blockOf = (address: string, attempt: Attempt) => blockFor(rowsOf(address), attempt, now() / 1000)
  const clearReason = (address: string, reason: BlockReason) =>
    failures.remove(addressGroup(address), ({ block_reason }) => block_reason === reason)

  return {
    isBlockedByAdmin: (address) => rowsOf(address).some(isByAdmin),
    blockFor: blockOf,
    check(address, attempt) {
      const block = blockOf(address, attempt)
      if (block) throw new BlockedError(block, now() / 1000)
    },
    recordFailure(address, attempt) {
      return address === '' ? () => {} : failures.add({ ip: addressGroup(address), ...failureOf(attempt) })
    },
    // Not the name itself: passwords get typed into that field too.
    accountOf: (user, username) => user?.id ?? createHmac('sha256', nameKey).update(username).digest('base64url'),
    clearFailures(address, userId, browser = '') {
      failures.remove(addressGroup(address), (row) => {
        if (row.block_identifier === userId) return row.browser === browser
        return row.block_identifier === blockIdentifiers.unknownUser && ['', browser].includes(row.browser)
      })
    },
    clearAgentFailures: (address) => clearReason(address, blockReasons.agentAttack),
    clearTokenFailures: (address) => clearReason(address, blockReasons.tokenAttack),
    rows: () => mergedRows(failures.all()),
    endOf: (row) => blockEnd(failures.of(row.ip), row),
    block(text) {
      const ip = addressGroup(text)
      if (isIP(ip.replace(/\/64$/, '')) === 0) return false
      if (failures.countByAdmin() >= maxBlockedByAdmin) {
        throw new ApiError(
          `there are ${maxBlockedByAdmin} blocks by administrators already: delete some of them first, or block whole networks in a firewall`,
        )
      }
      const byAdmin = { block_identifier: blockIdentifiers.byAdmin, block_reason: blockReasons.byAdmin }
      failures.add({ ip, ...byAdmin, account: '', browser: '', count: permanentCount })
      failures.save()
      return true
    },
    unblock(addresses) {
      for (const ip of new Set(addresses.map(addressGroup))) failures.remove(ip)
      failures.save()
    },
    flush: failures.flush,
  }
}

/** One row for each address and identifier: here, names that do not exist, browsers and the kinds of tokens have their own. */
function mergedRows(rows: readonly FailureRow[]): FailureRow[] {
  const merged = new Map<string, FailureRow>()
  for (const row of rows) {
    const key = `${row.ip} ${row.block_identifier}`
    const latest = merged.get(key)
    merged.set(key, latest ? { ...latest, count: latest.count + row.count } : row)
  }
  return [...merged.values()]
}
