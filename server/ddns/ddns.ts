import { ddns as ddnsEntity } from '../../src/schemas/ddns.ts'
import type { DdnsResult, DdnsSummary } from '../../src/schemas/endpoints/ddnsResult.ts'
import { repeat } from '../concurrency/repeat.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Log } from '../log.ts'
import type { Machines } from '../machines/machines.ts'
import type { MayCallPrivateTargets } from '../outbound/privateTargets.ts'
import { untilDurable } from '../outbound/untilDurable.ts'
import { owns, type Person } from '../person.ts'
import { ApiError, timestamp } from '../wire/apiCall.ts'
import type { Provider } from './providers/provider.ts'
import { createRecordTracker, type DesiredRecord, fingerprintOf, type Profile } from './recordTracker.ts'
import { createUpdateQueue, sendUpdate, type UpdateJob, type UpdateOutcome } from './updateQueue.ts'
import {
  createRecordTroubles,
  type DdnsTrouble,
  mostUrgent,
  openUpdateResults,
  profileSummary,
  recordKey,
  recordStatus,
  type UpdateResult,
} from './updateResults.ts'

export interface DdnsOptions {
  store: Store
  machines: Machines
  /** A user's role; `undefined` when the user no longer exists. */
  roleOf: (id: number) => number | undefined
  mayCallPrivateTargets: MayCallPrivateTargets
  providers: ReadonlyMap<string, Provider>
  /** Called when a record could not be updated with all tries, and once when that is over. Default: nothing is done. */
  onTrouble?: (trouble: DdnsTrouble) => void
  log: Pick<Log, 'warn' | 'error'>
  /** Milliseconds since 1970. */
  now?: () => number
}

/** Keeps DNS records up to date with the addresses of servers (docs/contract/CONTRACT.md#59-ddns). */
export interface Ddns {
  /** Calls `tick` every second. */
  start(): void
  /** Aborts running updates; they are sent again after the next start. */
  stop(): Promise<void>
  /** Looks for changes and sends updates that are due. */
  tick(): void
  /** Resolves when nothing is being sent. */
  idle(): Promise<void>
  /**
   * Sends the current addresses of all servers of a profile, changed or not.
   * @returns the number of records @throws ApiError
   */
  updateNow(profileId: number, person: Person | undefined): number
  /** The number of records by state, for each profile of this person. */
  summaries(person: Person | undefined): DdnsSummary[]
  /** The state of each record of a profile, failed ones first, limited in number. @throws ApiError */
  results(profileId: number, person: Person | undefined): DdnsResult[]
  /** The last results of records that stay wrong after all tries, of which `onTrouble` was told. */
  troubles(): UpdateResult[]
}

interface GivenUp {
  job: RecordJob
  /** Milliseconds since 1970: when it is sent again; never after an error that stays the same. */
  againAt: number
  pauseMs: number
}

/** Milliseconds before a record that failed with all its tries has them again; then twice as long. */
const againPauses = { first: 900_000, longest: 21_600_000 } as const

interface RecordJob extends UpdateJob {
  desired: DesiredRecord & { address: string }
  fingerprint: string
}

export function createDdns(options: DdnsOptions): Ddns {
  const { store, machines, roleOf, log, now = Date.now, onTrouble = () => {} } = options
  const profiles = entityTable(store, ddnsEntity)
  const lastResults = openUpdateResults(store)
  const shutdown = new AbortController()
  /** Records that failed with all their tries, by key. They are sent again after a change, on request, and later. */
  const givenUp = new Map<string, GivenUp>()
  const troubles = createRecordTroubles(lastResults, onTrouble)
  let lastError: string | undefined

  const queue = createUpdateQueue<RecordJob>({ now, onEnded: handleOutcome, send: sendJob })
  const tracker = createRecordTracker({
    store,
    machines,
    roleOf,
    onChecked: queueIfChanged,
    onReplaced: removeUnconfigured,
  })

  async function sendJob({ desired }: RecordJob): Promise<UpdateOutcome> {
    // What the stop of this server ends fails below, in words.
    await untilDurable(store, shutdown.signal)?.catch(() => {})
    const allowPrivate = options.mayCallPrivateTargets(desired.profile)
    return sendUpdate(desired, { providers: options.providers, allowPrivate, signal: shutdown.signal, now })
  }

  function handleOutcome(
    key: string,
    job: RecordJob,
    { ok, message, isFinal = false }: UpdateOutcome,
    tries: number,
  ): void {
    const { desired, fingerprint } = job
    // Aborted by `stop`: the result is unknown, and the next start sends it again.
    if (shutdown.signal.aborted && !ok) return
    const result = saveResult(desired, { address: desired.address, fingerprint, ok, words: message, tries })
    const before = givenUp.get(key)
    if (ok) {
      givenUp.delete(key)
      troubles.end(result)
      return
    }
    const pauseMs = before ? Math.min(before.pauseMs * 2, againPauses.longest) : againPauses.first
    givenUp.set(key, { job, pauseMs, againAt: isFinal ? Number.POSITIVE_INFINITY : now() + pauseMs })
    troubles.begin(result)
    // Once for all tries: the later ones end as the first did.
    if (before?.job.content === job.content) return
    const { domain, record, address, serverId, profile } = desired
    log.warn(
      `DDNS: ${domain} (${record}) could not be pointed at ${address} of server ${serverId} by profile ${profile.id}, ` +
        `tries: ${tries}. ${message}`,
    )
  }

  function saveResult(
    { profile, serverId: server_id, domain, record }: DesiredRecord,
    values: Pick<UpdateResult, 'address' | 'fingerprint' | 'ok' | 'words' | 'tries'>,
  ): UpdateResult {
    const result = { profile_id: profile.id, server_id, domain, record, at: timestamp(now()), ...values }
    lastResults.set(result)
    return result
  }

  /** Deletes results and jobs of records that are no longer configured. */
  function removeUnconfigured(all: readonly DesiredRecord[]): void {
    const desiredKeys = new Set(all.map(desiredKey))
    for (const key of [...lastResults.all()].map(recordKey)) {
      if (desiredKeys.has(key)) continue
      lastResults.remove(key)
      troubles.withdraw(key)
    }
    for (const key of [...queue.keys()]) if (!desiredKeys.has(key)) queue.cancel(key)
    for (const key of givenUp.keys()) if (!desiredKeys.has(key)) givenUp.delete(key)
  }

  function queueIfChanged(desired: DesiredRecord): void {
    const key = desiredKey(desired)
    const last = lastResults.get(key)
    const fingerprint = fingerprintOf(desired.profile)
    const given = givenUp.get(key)
    // What it would send again is no longer wanted.
    if (given && given.job.desired.address !== desired.address) given.againAt = Number.POSITIVE_INFINITY
    if (desired.error !== undefined) {
      queue.cancel(key)
      troubles.withdraw(key)
      const { address = '', error: words } = desired
      if (last?.words !== words) saveResult(desired, { address, fingerprint, ok: false, words, tries: 0 })
    } else if (desired.address === undefined) queue.cancel(key)
    else if (queue.get(key)) queue.put(key, recordJob(desired, desired.address, fingerprint))
    else if (last?.address !== desired.address || last.fingerprint !== fingerprint || !(last.ok || givenUp.has(key))) {
      queue.put(key, recordJob(desired, desired.address, fingerprint))
    }
  }

  function logFailure(work: () => void): void {
    try {
      work()
      lastError = undefined
    } catch (error) {
      // A full disk fails every second; the same error is logged once.
      if (String(error) !== lastError) log.error('DDNS: the results could not be saved:', error)
      lastError = String(error)
    }
  }

  function tick(): void {
    logFailure(() => {
      tracker.refresh()
      tryAgain()
      queue.start()
      lastResults.flush(troubles.untold())
    })
    // Also while the disk is full.
    troubles.tell()
  }

  /** A provider may have been gone for hours: without this, the name would lead to an old address for ever. */
  function tryAgain(): void {
    for (const [key, given] of givenUp) {
      if (given.againAt > now() || queue.get(key)) continue
      given.againAt = Number.POSITIVE_INFINITY
      queue.put(key, given.job)
    }
  }

  /** @throws ApiError */
  function ownProfile(id: number, person: Person | undefined): Profile {
    const profile = profiles.get(id)
    if (!profile) throw new ApiError(`profile id ${id} does not exist`)
    if (!owns(person, profile)) throw new ApiError('permission denied')
    return profile
  }

  /** The state of every record that this person may see, by profile id. */
  function resultsByProfile(person: Person | undefined, only?: number): Map<number, DdnsResult[]> {
    tracker.refresh()
    const byProfile = new Map<number, DdnsResult[]>()
    for (const { server, records } of tracker.all()) {
      const isOnline = machines.connected(server) !== undefined
      for (const desired of records) {
        const { id } = desired.profile
        if ((only !== undefined && id !== only) || !owns(person, desired.profile)) continue
        const key = desiredKey(desired)
        const status = recordStatus(desired, isOnline, lastResults.get(key), queue.get(key))
        const existing = byProfile.get(id)
        if (existing) existing.push(status)
        else byProfile.set(id, [status])
      }
    }
    return byProfile
  }

  const ticks = repeat(tick, { intervalMs: 1000, log, failure: 'DDNS records could not be checked:' })

  return {
    tick,
    idle: queue.idle,
    troubles: troubles.lasting,
    start() {
      tick()
      ticks.start()
    },
    async stop() {
      ticks.stop()
      tracker.stop()
      shutdown.abort()
      await queue.stop()
      logFailure(lastResults.flushAll)
    },
    updateNow(profileId, person) {
      ownProfile(profileId, person)
      tracker.refresh()
      let count = 0
      for (const { records } of tracker.all()) {
        for (const desired of records) {
          if (desired.profile.id !== profileId || desired.address === undefined || desired.error !== undefined) continue
          const key = desiredKey(desired)
          queue.put(key, recordJob(desired, desired.address, fingerprintOf(desired.profile)))
          queue.retryNow(key)
          count++
        }
      }
      queue.start()
      return count
    },
    summaries: (person) => [...resultsByProfile(person)].map(([id, results]) => profileSummary(id, results)),
    results(profileId, person) {
      ownProfile(profileId, person)
      return mostUrgent(resultsByProfile(person, profileId).get(profileId) ?? [])
    },
  }
}

const desiredKey = ({ profile, serverId, domain, record }: DesiredRecord) =>
  recordKey({ profile_id: profile.id, server_id: serverId, domain, record })

const recordJob = (desired: DesiredRecord, address: string, fingerprint: string): RecordJob => ({
  profileId: desired.profile.id,
  domain: desired.domain,
  content: `${address} ${fingerprint}`,
  maxTries: desired.profile.max_retries,
  desired: { ...desired, address },
  fingerprint,
})
