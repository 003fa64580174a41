import { ddns as ddnsEntity } from '../../src/schemas/ddns.ts'
import type { DdnsResult, DdnsSummary } from '../../src/schemas/endpoints/ddnsResult.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Row } from '../entities/row.ts'
import type { Log } from '../log.ts'
import type { Machines } from '../machines/machines.ts'
import type { MayCallPrivateTargets } from '../outbound/privateTargets.ts'
import { owns, type Person } from '../person.ts'
import { ApiError } from '../wire/apiError.ts'
import { timestamp } from '../wire/timestamp.ts'
import { fingerprintOf, type Wanted } from './desiredRecords.ts'
import { createNames } from './names.ts'
import type { Provider } from './provider.ts'
import { createQueue, type Job, type Outcome } from './queue.ts'
import { keyOf, openResults, type Result } from './results.ts'
import { sendUpdate } from './sendUpdate.ts'
import { mostUrgent, standingOf, summaryOf } from './status.ts'

export interface DdnsOptions {
  store: Store
  machines: Machines
  /** A user's role; `undefined` when there is no such user any more. */
  roleOf: (id: number) => number | undefined
  mayCallPrivateTargets: MayCallPrivateTargets
  providers: ReadonlyMap<string, Provider>
  log: Pick<Log, 'warn' | 'error'>
  /** Milliseconds since 1970. */
  now?: () => number
}

/** Keeps names pointed at the addresses of servers (docs/contract/CONTRACT.md#59-ddns). */
export interface Ddns {
  /** Looks every second from now on. */
  start(): void
  /** Breaks off what is under way; the next start does it anew. */
  stop(): Promise<void>
  /** Looks for changes, and sends what is due. The timer does it. */
  tick(): void
  /** Resolves when nothing is being sent. */
  idle(): Promise<void>
  /**
   * Sends the present addresses of all servers of a profile, changed or not.
   * @returns how many names that are @throws ApiError
   */
  updateNow(profileId: number, person: Person | undefined): number
  /** How the names of each of this person's profiles stand. */
  summaries(person: Person | undefined): DdnsSummary[]
  /** How the names of a profile stand, what needs a look first; so many at most. @throws ApiError */
  standings(profileId: number, person: Person | undefined): DdnsResult[]
}

interface Sending extends Job {
  wanted: Wanted & { address: string }
  fingerprint: string
}

export function createDdns(options: DdnsOptions): Ddns {
  const { store, machines, roleOf, log, now = Date.now } = options
  const profiles = entityTable(store, ddnsEntity)
  const results = openResults(store)
  const ending = new AbortController()
  /** Given up since the start: sent again when something changes, or when somebody asks for it. */
  const givenUp = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let failure: string | undefined

  const queue = createQueue<Sending>({ now, ended, send })
  const names = createNames({ store, machines, roleOf, onWanted: follow, onListed: forgetOthers })

  function send({ wanted }: Sending): Promise<Outcome> {
    const allowPrivate = options.mayCallPrivateTargets(wanted.profile.user_id)
    return sendUpdate(wanted, { providers: options.providers, allowPrivate, signal: ending.signal })
  }

  function ended(key: string, { wanted, fingerprint }: Sending, { ok, words }: Outcome, tries: number): void {
    // Broken off by us: nothing is known of it, and the next start sends it anew.
    if (ending.signal.aborted && !ok) return
    keep(wanted, { address: wanted.address, fingerprint, ok, words, tries })
    if (ok) return
    givenUp.add(key)
    const { domain, record, address, serverId, profile } = wanted
    log.warn(
      `DDNS: ${domain} (${record}) could not be pointed at ${address} of server ${serverId} by profile ${profile.id}, ` +
        `tries: ${tries}. ${words}`,
    )
  }

  function keep(
    { profile, serverId: server_id, domain, record }: Wanted,
    result: Pick<Result, 'address' | 'fingerprint' | 'ok' | 'words' | 'tries'>,
  ): void {
    results.set({ profile_id: profile.id, server_id, domain, record, at: timestamp(now()), ...result })
  }

  /** What is configured no longer has no result and is not sent any more. */
  function forgetOthers(all: readonly Wanted[]): void {
    const wanted = new Set(all.map(nameKey))
    for (const result of [...results.all()]) if (!wanted.has(keyOf(result))) results.forget(keyOf(result))
    for (const key of [...queue.keys()]) if (!wanted.has(key)) queue.drop(key)
    for (const key of givenUp) if (!wanted.has(key)) givenUp.delete(key)
  }

  function follow(wanted: Wanted): void {
    const key = nameKey(wanted)
    const last = results.get(key)
    const fingerprint = fingerprintOf(wanted.profile)
    if (wanted.obstacle !== undefined) {
      queue.drop(key)
      const { address = '', obstacle: words } = wanted
      if (last?.words !== words) keep(wanted, { address, fingerprint, ok: false, words, tries: 0 })
    } else if (wanted.address === undefined) queue.drop(key)
    else if (queue.get(key)) queue.put(key, sendingOf(wanted, wanted.address, fingerprint))
    else if (last?.address !== wanted.address || last.fingerprint !== fingerprint || !(last.ok || givenUp.has(key))) {
      queue.put(key, sendingOf(wanted, wanted.address, fingerprint))
    }
  }

  function attempt(work: () => void): void {
    try {
      work()
      failure = undefined
    } catch (error) {
      // A full disk fails every second; once is enough to tell.
      if (String(error) !== failure) log.error('DDNS: the results could not be kept:', error)
      failure = String(error)
    }
  }

  const tick = () =>
    attempt(() => {
      names.look()
      queue.start()
      results.flush()
    })

  /** @throws ApiError */
  function ownProfile(id: number, person: Person | undefined): Row {
    const profile = profiles.get(id)
    if (!profile) throw new ApiError(`profile id ${id} does not exist`)
    if (!owns(person, profile)) throw new ApiError('permission denied')
    return profile
  }

  /** Every name by profile, as far as this person may see them. */
  function standingsBy(person: Person | undefined, only?: number): Map<number, DdnsResult[]> {
    names.look()
    const byProfile = new Map<number, DdnsResult[]>()
    for (const { server, wanted } of names.all()) {
      const isOnline = machines.connected(server) !== undefined
      for (const one of wanted) {
        const { id } = one.profile
        if ((only !== undefined && id !== only) || !owns(person, one.profile)) continue
        const key = nameKey(one)
        const standing = standingOf(one, isOnline, results.get(key), queue.get(key))
        const known = byProfile.get(id)
        if (known) known.push(standing)
        else byProfile.set(id, [standing])
      }
    }
    return byProfile
  }

  return {
    tick,
    idle: queue.idle,
    start() {
      tick()
      timer = setInterval(tick, 1000)
    },
    async stop() {
      clearInterval(timer)
      names.stop()
      ending.abort()
      await queue.stop()
      attempt(results.flushAll)
    },
    updateNow(profileId, person) {
      ownProfile(profileId, person)
      names.look()
      let count = 0
      for (const { wanted } of names.all()) {
        for (const one of wanted) {
          if (one.profile.id !== profileId || one.address === undefined || one.obstacle !== undefined) continue
          const key = nameKey(one)
          queue.put(key, sendingOf(one, one.address, fingerprintOf(one.profile)))
          queue.hurry(key)
          count++
        }
      }
      queue.start()
      return count
    },
    summaries: (person) => [...standingsBy(person)].map(([id, standings]) => summaryOf(id, standings)),
    standings(profileId, person) {
      ownProfile(profileId, person)
      return mostUrgent(standingsBy(person, profileId).get(profileId) ?? [])
    },
  }
}

const nameKey = ({ profile, serverId, domain, record }: Wanted) =>
  keyOf({ profile_id: profile.id, server_id: serverId, domain, record })

const sendingOf = (wanted: Wanted, address: string, fingerprint: string): Sending => ({
  lane: wanted.profile.id,
  domain: wanted.domain,
  content: `${address} ${fingerprint}`,
  limit: wanted.profile.max_retries,
  wanted: { ...wanted, address },
  fingerprint,
})
