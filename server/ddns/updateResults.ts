import type { DdnsResult, DdnsSummary } from '../../src/schemas/endpoints/ddnsResult.ts'
import type { Store } from '../db/store.ts'
import { keyedTable } from '../db/writeBehind.ts'
import type { RecordType } from './providers/provider.ts'
import type { DesiredRecord } from './recordTracker.ts'
import type { PendingUpdate } from './updateQueue.ts'

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
interface UpdateResults {
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

/** A record that stays wrong after all tries, or does so no more. */
export interface DdnsTrouble {
  /** `withdrawn`: nothing has recovered; the record is not wanted any more, or cannot be updated as it is configured. */
  change: 'began' | 'ended' | 'withdrawn'
  /** The last one of the record. */
  result: UpdateResult
}

/** Which records people are told of. */
export interface RecordTroubles {
  /** The results of those that stay wrong, as far as `tell` has told of them, or this server before its start. */
  lasting(): UpdateResult[]
  /** A record failed with all its tries. */
  begin(result: UpdateResult): void
  /** It was updated. */
  end(result: UpdateResult): void
  /** Nobody waits for it any more. */
  withdraw(key: string): void
  /** The keys of those that `tell` will tell of. */
  untold(): string[]
  /**
   * Tells of what is new. To be called when the results are on the disk: after the next start, what was told and what is
   * known are the same.
   */
  tell(): void
}

export function createRecordTroubles(
  results: Pick<UpdateResults, 'all'>,
  onTrouble: (trouble: DdnsTrouble) => void,
): RecordTroubles {
  const lasting = new Map<string, UpdateResult>()
  const news = new Map<string, DdnsTrouble>()
  for (const result of results.all()) if (!result.ok && result.tries > 0) lasting.set(recordKey(result), result)

  /** What began since the last `tell` and has ended was never there. */
  function endAs(change: 'ended' | 'withdrawn', key: string, result: UpdateResult | undefined): void {
    news.delete(key)
    if (result && lasting.has(key)) news.set(key, { change, result })
  }

  return {
    lasting: () => [...lasting.values()],
    begin(result) {
      const key = recordKey(result)
      news.delete(key)
      if (lasting.has(key)) lasting.set(key, result)
      else news.set(key, { change: 'began', result })
    },
    end: (result) => endAs('ended', recordKey(result), result),
    withdraw: (key) => endAs('withdrawn', key, lasting.get(key)),
    untold: () => [...news.keys()],
    tell() {
      for (const [key, trouble] of news) {
        news.delete(key)
        if (trouble.change === 'began') lasting.set(key, trouble.result)
        else lasting.delete(key)
        onTrouble(trouble)
      }
    },
  }
}

/** The state of a record, from its last result and its waiting or running job. */
export function recordStatus(
  { profile, serverId: server_id, domain, record, address }: DesiredRecord,
  isOnline: boolean,
  last: UpdateResult | undefined,
  job: PendingUpdate | undefined,
): DdnsResult {
  const name = { profile_id: profile.id, server_id, domain, record }
  const lastResult = last && { address: last.address, at: last.at, tries: last.tries, words: last.words }
  if (job) return { ...name, state: 'waiting', at: last?.at, address, tries: job.tries, words: job.message }
  if (last) return { ...name, ...lastResult, state: last.ok ? 'done' : 'failed' }
  return { ...name, state: isOnline ? 'no_address' : 'offline' }
}

/** The number of records of one profile by state. */
export function profileSummary(profile_id: number, results: readonly DdnsResult[]): DdnsSummary {
  const count = (state: DdnsResult['state']) => results.filter((result) => result.state === state).length
  const at = results.reduce<string | undefined>(
    (latest, { at }) => (at && at > (latest ?? '') ? at : latest),
    undefined,
  )
  return {
    profile_id,
    names: results.length,
    done: count('done'),
    failed: count('failed'),
    waiting: count('waiting'),
    at,
  }
}

const urgency = ['failed', 'waiting', 'no_address', 'offline', 'done']
/** A profile of ten thousand servers has too many records to read. */
const maxResults = 500

/** Sorted by urgency, failed ones first. */
export const mostUrgent = (results: readonly DdnsResult[]) =>
  results
    .toSorted(
      (one, other) => urgency.indexOf(one.state) - urgency.indexOf(other.state) || one.server_id - other.server_id,
    )
    .slice(0, maxResults)
