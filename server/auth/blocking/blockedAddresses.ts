import { isIP } from 'node:net'
import { blockedUntil } from '../../../src/schemas/waf.ts'
import type { Store } from '../../db/store.ts'
import { ApiError } from '../../wire/apiError.ts'
import { addressGroup } from '../addresses/canonicalAddress.ts'
import { type BlockReason, blockIdentifiers, blockReasons } from './blockCodes.ts'
import { type FailureRow, openFailures } from './failures.ts'

/**
 * Blocks addresses for a time that grows with every failure. IPv6 addresses are blocked by their /64 network, which is
 * written `2001:db8:0:7::/64`. The address '' means unknown and is never blocked.
 *
 * Failures are counted in memory and written a second later, so that counting and signing in work on a full disk. What
 * an administrator orders is on the disk when the call returns.
 */
export interface Waf {
  isBlocked(address: string): boolean
  /** Whether an administrator blocked the address, which is permanent. */
  isBlockedByAdmin(address: string): boolean
  /** Seconds until the end of the block; 0 when the address is not blocked. */
  secondsLeft(address: string): number
  recordFailure(address: string, identifier: number, reason: BlockReason): void
  /** After a successful sign-in: deletes the failures of this address for that user and for users that do not exist. */
  clearFailures(address: string, userId: number): void
  /** After an agent has proved itself: deletes the failures of agents from this address. */
  clearAgentFailures(address: string): void
  /** After an API token was good: deletes the failures of tokens from this address. */
  clearTokenFailures(address: string): void
  /** All rows, the latest failure first. */
  rows(): readonly FailureRow[]
  /** A permanent block by an administrator. @returns whether the text is an address @throws ApiError beyond the limit */
  block(address: string): boolean
  /** Deletes all failures and blocks of these addresses; texts that are no address are ignored. */
  unblock(addresses: readonly string[]): void
  /** Writes what is in memory only. */
  flush(): void
}

/** So many failures that the end of the block is never reached. */
const permanentCount = 99_999

/** The blocks that administrators may order. */
const maxBlockedByAdmin = 50_000

/**
 * @param now the clock, in milliseconds since 1970
 * @param onFailure called when failures could not be written; they stay in memory and are written later
 */
export function createWaf(store: Store, now: () => number, onFailure: (error: unknown) => void = () => {}): Waf {
  const failures = openFailures(store, now, onFailure)

  const secondsLeft = (address: string) => {
    const rows = address === '' ? [] : failures.of(addressGroup(address))
    return rows.length === 0 ? 0 : Math.max(0, Math.ceil(blockedUntil(rows) - now() / 1000))
  }

  return {
    secondsLeft,
    isBlocked: (address) => secondsLeft(address) > 0,
    isBlockedByAdmin: (address) =>
      failures.of(addressGroup(address)).some(({ block_identifier: by }) => by === blockIdentifiers.byAdmin),
    recordFailure(address, block_identifier, block_reason) {
      if (address !== '') failures.add({ ip: addressGroup(address), block_identifier, block_reason })
    },
    clearFailures(address, userId) {
      for (const identifier of [userId, blockIdentifiers.unknownUser])
        failures.remove(addressGroup(address), identifier)
    },
    clearAgentFailures: (address) => failures.remove(addressGroup(address), blockIdentifiers.agent),
    clearTokenFailures: (address) => failures.remove(addressGroup(address), blockIdentifiers.token),
    rows: failures.all,
    block(text) {
      const ip = addressGroup(text)
      if (isIP(ip.replace(/\/64$/, '')) === 0) return false
      if (failures.countByAdmin() >= maxBlockedByAdmin) {
        throw new ApiError(
          `there are ${maxBlockedByAdmin} blocks by administrators already: delete some of them first, or block whole networks in a firewall`,
        )
      }
      const byAdmin = { block_identifier: blockIdentifiers.byAdmin, block_reason: blockReasons.byAdmin }
      failures.add({ ip, ...byAdmin, count: permanentCount })
      failures.save()
      return true
    },
    unblock(addresses) {
      for (const ip of new Set(addresses.map(addressGroup))) {
        for (const { block_identifier } of failures.of(ip)) failures.remove(ip, block_identifier)
      }
      failures.save()
    },
    flush: failures.flush,
  }
}
