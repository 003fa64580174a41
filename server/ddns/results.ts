import { keyedRows } from '../db/keyedRows.ts'
import type { Store } from '../db/store.ts'
import type { RecordType } from './provider.ts'

/** How the last update of a name ended. */
export interface Result {
  profile_id: number
  server_id: number
  domain: string
  record: RecordType
  address: string
  /** Of the profile as it was then. */
  fingerprint: string
  ok: boolean
  /** Why not, in the provider's words, cut short. */
  words: string
  tries: number
  /** When, as on the wire. */
  at: string
}

/**
 * The last result of each name that follows a server by a profile, kept across restarts. They are written together,
 * because each write waits for the disk: ten thousand machines may all change their addresses at once.
 */
export interface Results {
  all(): Iterable<Result>
  get(key: string): Result | undefined
  set(result: Result): void
  forget(key: string): void
  /** Writes some of what has changed, so many that nobody has to wait for it. */
  flush(): void
  /** Writes all that has changed. */
  flushAll(): void
}

export const keyOf = (name: { profile_id: number; server_id: number; domain: string; record: string }) =>
  [name.profile_id, name.server_id, name.record, name.domain].join(' ')

export function openResults(store: Store): Results {
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
  const { saved, save } = keyedRows<Result & { id: number }, string>(store, { name: 'ddns_result', columns }, keyOf)
  const results = new Map(saved)
  const changed = new Set<string>()

  function flush(most: number): void {
    const some = [...changed].slice(0, most)
    save(some.map((key) => [key, results.get(key)]))
    for (const key of some) changed.delete(key)
  }

  return {
    all: () => results.values(),
    get: (key) => results.get(key),
    set(result) {
      results.set(keyOf(result), result)
      changed.add(keyOf(result))
    },
    forget(key) {
      if (results.delete(key)) changed.add(key)
    },
    flush: () => flush(500),
    flushAll: () => flush(changed.size),
  }
}
