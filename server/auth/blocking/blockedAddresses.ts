import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import type { Store } from '../../db/store.ts'
import { keyedTable, writeBehind } from '../../db/writeBehind.ts'
import { ApiError } from '../../wire/apiCall.ts'
import { addressGroup } from '../addresses/clientAddress.ts'
import { secretIn } from '../sessions/sealedTokens.ts'
import { BlockedError } from './blockedPage.ts'
import {
  type Account,
  type Attempt,
  type Block,
  type BlockReason,
  blockEnd,
  blockFor,
  blockIdentifiers,
  blockReasons,
  type FailureRow,
  failureOf,
  isByAdmin,
} from './blockRules.ts'

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

/** The failures in memory, and their table. */
export interface Failures {
  /** The rows of an address. @param ip as `addressGroup` writes it */
  of(ip: string): readonly FailureRow[]
  /**
   * Counts a failure now. @param row its `count` replaces the number of failures; default: one more than before
   * @returns a function that takes it back, once
   */
  add(row: Omit<FailureRow, 'block_timestamp' | 'count'> & { count?: number }): () => void
  /** Deletes the rows of an address for which the predicate is true; default: all. */
  remove(ip: string, isRemoved?: (row: FailureRow) => boolean): void
  /** The latest failure first. */
  all(): readonly FailureRow[]
  /** The number of addresses that administrators have blocked. */
  countByAdmin(): number
  /** Writes what is in memory only. @throws the error of the database */
  save(): void
  /** As `save`, but reports the error. */
  flush(): void
}

/** Rows. Beyond it the one is forgotten that has not grown for the longest time. Blocks by administrators do not count. */
export const maxFailures = 100_000

/** An address that does not fail for so many seconds after the end of its block is forgotten. */
const forgottenAfter = 7 * 86_400

/** Milliseconds between two searches for rows to forget. */
const sweepMs = 60_000

/**
 * @param now the clock, in milliseconds since 1970
 * @param onFailure called when rows could not be written, once until writing succeeds again
 */
function openFailures(store: Store, now: () => number, onFailure: (error: unknown) => void): Failures {
  const definition = {
    name: 'waf',
    columns: [
      { name: 'ip', type: 'TEXT' },
      { name: 'block_identifier', type: 'INTEGER' },
      { name: 'block_reason', type: 'INTEGER' },
      { name: 'block_timestamp', type: 'INTEGER' },
      { name: 'count', type: 'INTEGER' },
      { name: 'account', type: 'TEXT', initial: '' },
      { name: 'browser', type: 'TEXT', initial: '' },
    ],
  } as const
  const { saved, save } = keyedTable<FailureRow & { id: number }, string>(store, definition, keyOf, 'urgently')
  const byAddress = new Map<string, Map<string, FailureRow>>()
  /** In the order of their last failure. Blocks by administrators are apart, so that the oldest other row is the first. */
  const failed = new Set<FailureRow>()
  const byAdmin = new Set<FailureRow>()
  const changed = new Set<string>()
  let sweptAt = now()
  const writer = writeBehind(write, onFailure, { retry: true })

  const seconds = () => Math.ceil(now() / 1000)
  const listOf = (row: FailureRow) => (isByAdmin(row) ? byAdmin : failed)

  function put(row: FailureRow): void {
    const rows = byAddress.get(row.ip) ?? new Map<string, FailureRow>()
    byAddress.set(row.ip, rows.set(keyOf(row), row))
    listOf(row).add(row)
  }

  function drop(row: FailureRow): void {
    const rows = byAddress.get(row.ip)
    rows?.delete(keyOf(row))
    if (rows?.size === 0) byAddress.delete(row.ip)
    listOf(row).delete(row)
    markChanged(row)
  }

  /** @param before the row as it was without the failure */
  function takeBack(failure: FailureRow, before: FailureRow | undefined): void {
    const present = byAddress.get(failure.ip)?.get(keyOf(failure))
    // It was cleared meanwhile.
    if (!present) return
    drop(present)
    const count = present.count - 1
    if (count <= 0) return
    // What failed after it keeps its time.
    const block_timestamp = present === failure && before ? before.block_timestamp : present.block_timestamp
    put({ ...present, count, block_timestamp })
  }

  function markChanged(row: FailureRow): void {
    changed.add(keyOf(row))
    writer.schedule()
  }

  function write(): void {
    sweep()
    save([...changed].map((key) => [key, find(key)]))
    changed.clear()
  }

  function find(key: string): FailureRow | undefined {
    const [ip = ''] = key.split(' ')
    return byAddress.get(ip)?.get(key)
  }

  function of(ip: string): readonly FailureRow[] {
    const rows = [...(byAddress.get(ip)?.values() ?? [])]
    for (const row of rows) clampStamp(row)
    return rows
  }

  /** A clock that was wrong must not block an address until it reaches that time again. */
  function clampStamp(row: FailureRow): void {
    if (row.block_timestamp <= seconds()) return
    row.block_timestamp = seconds()
    markChanged(row)
  }

  function sweep(): void {
    // The clock may have been set back.
    if (Math.abs(now() - sweptAt) < sweepMs) return
    sweptAt = now()
    for (const ip of [...byAddress.keys()]) {
      const rows = of(ip)
      const end = Math.max(...rows.map((row) => blockEnd(rows, row)))
      if (end + forgottenAfter < seconds()) for (const row of rows) drop(row)
    }
  }

  /** Rows of older versions have one address each, IPv6 too. */
  function load(row: FailureRow): void {
    const ip = addressGroup(row.ip)
    const existing = byAddress.get(ip)?.get(keyOf({ ...row, ip }))
    if (ip !== row.ip) markChanged(row)
    if (existing) drop(existing)
    const block_timestamp = Math.max(row.block_timestamp, existing?.block_timestamp ?? 0)
    put({ ...row, ip, block_timestamp, count: row.count + (existing?.count ?? 0) })
    if (ip !== row.ip) changed.add(keyOf({ ...row, ip }))
  }

  for (const row of [...saved().values()].sort((a, b) => a.block_timestamp - b.block_timestamp)) load(row)

  return {
    of,
    add({ count, ...row }) {
      const existing = byAddress.get(row.ip)?.get(keyOf(row))
      if (existing) drop(existing)
      const failure = { ...row, block_timestamp: seconds(), count: count ?? (existing?.count ?? 0) + 1 }
      put(failure)
      markChanged(failure)
      const [oldest] = failed
      if (oldest && failed.size > maxFailures) drop(oldest)
      return () => takeBack(failure, existing)
    },
    remove(ip, isRemoved = () => true) {
      for (const row of of(ip)) if (isRemoved(row)) drop(row)
    },
    all() {
      sweep()
      const rows = [...failed, ...byAdmin].reverse()
      for (const row of rows) clampStamp(row)
      return rows.sort((a, b) => b.block_timestamp - a.block_timestamp)
    },
    countByAdmin: () => byAdmin.size,
    save: write,
    flush: writer.flush,
  }
}

const keyOf = (row: Omit<FailureRow, 'block_timestamp' | 'count'>) =>
  `${row.ip} ${row.block_identifier} ${row.block_reason} ${row.account} ${row.browser}`
