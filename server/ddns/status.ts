import type { DdnsResult, DdnsSummary } from '../../src/schemas/endpoints/ddnsResult.ts'
import type { Wanted } from './desiredRecords.ts'
import type { Waiting } from './queue.ts'
import type { Result } from './results.ts'

/**
 * How a name stands.
 * @param last the last result
 * @param job what is to be sent or being sent
 */
export function standingOf(
  { profile, serverId: server_id, domain, record, address }: Wanted,
  isOnline: boolean,
  last: Result | undefined,
  job: Waiting | undefined,
): DdnsResult {
  const name = { profile_id: profile.id, server_id, domain, record }
  const told = last && { address: last.address, at: last.at, tries: last.tries, words: last.words }
  if (job) return { ...name, state: 'waiting', at: last?.at, address, tries: job.tries, words: job.words }
  if (last) return { ...name, ...told, state: last.ok ? 'done' : 'failed' }
  return { ...name, state: isOnline ? 'no_address' : 'offline' }
}

/** The names of one profile in figures. */
export function summaryOf(profile_id: number, standings: readonly DdnsResult[]): DdnsSummary {
  const count = (wanted: string) => standings.filter(({ state }) => state === wanted).length
  const at = standings.reduce<string | undefined>(
    (latest, { at }) => (at && at > (latest ?? '') ? at : latest),
    undefined,
  )
  return {
    profile_id,
    names: standings.length,
    done: count('done'),
    failed: count('failed'),
    waiting: count('waiting'),
    at,
  }
}

const urgency = ['failed', 'waiting', 'no_address', 'offline', 'done']
/** So many names are told of: a profile of ten thousand servers has too many to read. */
const most = 500

/** What needs a look first. */
export const mostUrgent = (standings: readonly DdnsResult[]) =>
  standings
    .toSorted(
      (one, other) => urgency.indexOf(one.state) - urgency.indexOf(other.state) || one.server_id - other.server_id,
    )
    .slice(0, most)
