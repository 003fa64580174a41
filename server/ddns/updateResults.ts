import { keyedTable } from '../db/keyedTable.ts'
import type { Store } from '../db/store.ts'
import type { RecordType } from './providers/provider.ts'

/** The result of the last update of a record. */
export interface UpdateResult {
  profile_id: number
  server_id: number
  domain: string
  record: RecordType
  address: string
  /** Of the profile at that time, see `fingerprintOf`. */
  fingerprint: string
  ok: boolean
  /** Why it failed, shortened; '' after success. */
  words: string
  tries: number
  /** RFC 3339. */
  at: string
}

/**
 * The last result of each record, saved for restarts. Written in batches, because each transaction waits for the disk
 * and ten thousand machines may change their addresses at the same time.
 */
export interface UpdateResults {
  all(): Iterable<UpdateResult>
  get(key: string): UpdateResult | undefined
  set(result: UpdateResult): void
  remove(key: string): void
  /** Writes one batch of changes, small enough not to block the event loop. @param first keys that are in it */
  flush(first: readonly string[]): void
  /** Writes all changes. */
  flushAll(): void
}

export const recordKey = (name: { profile_id: number; server_id: number; domain: string; record: string }) =>
  [name.profile_id, name.server_id, name.record, name.domain].join(' ')

/** As people read it: `www.example.org (A)`. */
export const recordName = ({ domain, record }: Pick<UpdateResult, 'domain' | 'record'>): string =>
  `${domain} (${record})`

export function openUpdateResults(store: Store): UpdateResults {
  const columns = [
    { name: 'profile_id', type: 'INTEGER' },
    { name: 'server_id', type: 'INTEGER' },
    { name: 'domain', type: 'TEXT' },
    { name: 'record', type: 'TEXT' },
    { name: 'address', type: 'TEXT' },
    { name: 'fingerprint', type: 'TEXT' },
    { name: 'ok', type: 'FLAG' },
    { name: 'words', type: 'TEXT' },
    { name: 'tries', type: 'INTEGER' },
    { name: 'at', type: 'TEXT' },
  ] as const
  const { saved, save } = keyedTable<UpdateResult & { id: number }, string>(
    store,
    { name: 'ddns_result', columns },
    recordKey,
  )
  const results = new Map<string, UpdateResult>(saved())
  const changed = new Set<string>()

  function flush(batch: readonly string[]): void {
    save(batch.map((key) => [key, results.get(key)]))
    for (const key of batch) changed.delete(key)
  }

  return {
    all: () => results.values(),
    get: (key) => results.get(key),
    set(result) {
      results.set(recordKey(result), result)
      changed.add(recordKey(result))
    },
    remove(key) {
      if (results.delete(key)) changed.add(key)
    },
    flush: (first) => flush([...new Set([...first, ...changed])].filter((key) => changed.has(key)).slice(0, 500)),
    flushAll: () => flush([...changed]),
  }
}
