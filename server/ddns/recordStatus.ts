import type { DdnsResult, DdnsSummary } from '../../src/schemas/endpoints/ddnsResult.ts'
import type { DesiredRecord } from './recordTracker.ts'
import type { PendingUpdate } from './updateQueue.ts'
import type { UpdateResult } from './updateResults.ts'

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
