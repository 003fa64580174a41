import type { Quorum } from '../../src/schemas/service.ts'
import type { Certificate, ProbeResult } from '../machines/hosts/probe.ts'
import { type CertificateChange, compareCertificate, type KnownCertificate } from './certificates.ts'
import { jitterShare } from './timetable.ts'

export type UpOrDown = 'up' | 'down'
/** The delay compared with `min_latency` and `max_latency`. */
export type LatencyRange = 'within' | 'above' | 'below'

/** The part of a service's status that is saved for a restart. */
export interface SavedStatus {
  /** `null` before the first check. */
  status: UpOrDown | null
  latency: LatencyRange
  /** The last one that each server has seen, by its id. */
  certificates: Record<string, Certificate>
  /** Those of which people were told; absent in what older versions have saved, which had this at `certificates`. */
  knownCertificates?: readonly KnownCertificate[]
}

/** Milliseconds; 0 is no bound. */
export interface LatencyBounds {
  min: number
  max: number
}

/** What makes a service slow or down. */
export interface StatusBounds extends LatencyBounds {
  /** How many of its servers must fail. Default: half of them. */
  quorum?: Quorum
  /** Of how many checks the 95th percentile counts for the bounds. Default: each check for itself. */
  latencyChecks?: number
}

export type StatusChange =
  | { kind: 'down'; problem: string }
  | { kind: 'up' }
  /** It is up, and down on some of its servers; or that is over. */
  | { kind: 'degraded'; isDegraded: boolean; problem: string }
  | { kind: 'slow'; latency: LatencyRange; delay: number }
  | CertificateChange

export interface ServiceStatus {
  /** Adds the result of a check by a server. @returns what has changed @param at milliseconds since 1970 */
  addResult(server: number, result: ProbeResult, bounds: StatusBounds, at: number): StatusChange[]
  /**
   * Adds a certificate that was looked at without a check.
   * @param viewer the id of the server that looked; 0 is the console's own
   */
  addCertificate(viewer: number, certificate: Certificate, at: number): StatusChange[]
  /** Sets which servers check the service now; results of others no longer count. */
  setServers(ids: ReadonlySet<number>): void
  /** `null` before the first check. */
  status(): UpOrDown | null
  /** Whether it is up, and slow or down on some of the servers that check it. */
  isDegraded(): boolean
  /** How many servers check the service, without those that are not permitted to, and on how many of them it is down. */
  servers(): { down: number; all: number }
  /** Begins anew, as before the first check: for a service that is paused. */
  forget(): void
  /** For a changed target, which has other certificates. */
  forgetCertificates(): void
  saved(): SavedStatus
}

export const unknownStatus = (): SavedStatus => ({ status: null, latency: 'within', certificates: {} })

/** The status of a service on a server changes after so many deviating results in a row. */
const requiredResults = 2

/**
 * Milliseconds after which it is known that a service answers again: of so many checks, the last one begins late.
 * @param duration seconds between two checks
 */
export const recoveryNoticedMs = ({ duration }: { duration: number }): number =>
  requiredResults * duration * 1000 * (1 + jitterShare)

interface ServerStatus {
  status: UpOrDown
  /** How many of the latest results in a row deviate from `status`. */
  deviations: number
}

/** All possible values, shared. */
const serverStatuses = {
  up: serverStatusesOf('up'),
  down: serverStatusesOf('down'),
} as const

/** The delay that 95 of a hundred do not exceed. */
function percentile95(delays: readonly number[]): number {
  const sorted = delays.toSorted((one, other) => one - other)
  return sorted[Math.ceil(0.95 * sorted.length) - 1] ?? 0
}

const half: Quorum = { share: 0.5 }

/** That of nearly all servers nearly always. */
const usual = serverStatuses.up[0]

function serverStatusesOf(status: UpOrDown): readonly ServerStatus[] {
  return Array.from({ length: requiredResults }, (_, deviations) => ({ status, deviations }))
}

/**
 * Decides whether a service is up or down by the results of the servers that check it. One lost packet is no failure:
 * on each server the status changes after two deviating results in a row. Only the very first result counts
 * immediately. A service is down while it is down on half of its servers or more; servers that are not permitted to
 * check do not count.
 */
export function createServiceStatus({ status, latency, certificates, knownCertificates }: SavedStatus): ServiceStatus {
  /** Those that have checked. 10,000 services on 5,000 servers would have 50 million statuses: only the unusual are kept. */
  const known = createIdSet()
  const unusual = new Map<number, ServerStatus>()
  const certificateByServer = new Map(Object.entries(certificates))
  let certificatesSoFar: readonly KnownCertificate[] = knownCertificates ?? Object.values(certificates)
  let latencyDeviations = 0
  /** The latest, where several count together. */
  let delays: number[] = []
  /** How many of them are down: counting them at each of thousands of results a second would be too much. */
  let down = 0
  /** How many servers should check. Those that have not yet done so keep one failing server from deciding alone. */
  let expected = 0
  const notPermitted = new Set<number>()
  /** Whether the latest that was said is that it is down on some servers. */
  let isToldDegraded = false

  function updateServer(server: number, outcome: UpOrDown, isCertain: boolean): void {
    const previous = unusual.get(server) ?? (known.has(server) ? usual : undefined)
    const next = isCertain ? (serverStatuses[outcome][0] as ServerStatus) : nextServerStatus(previous, outcome)
    if (next === previous) return
    known.add(server)
    if (next === usual) unusual.delete(server)
    else unusual.set(server, next)
    if (previous?.status === 'down') down--
    if (next.status === 'down') down++
  }

  function nextServerStatus(previous: ServerStatus | undefined, outcome: UpOrDown): ServerStatus {
    // After a restart, servers continue with the saved status.
    const before = previous?.status ?? status ?? outcome
    const deviations = outcome === before ? 0 : (previous?.deviations ?? 0) + 1
    const [next, count] = deviations < requiredResults ? [before, deviations] : [outcome, 0]
    return serverStatuses[next][count] as ServerStatus
  }

  const checkingCount = () => Math.max(known.size(), expected - notPermitted.size)

  /** Servers that have not checked yet have seen no failure, and no answer either: they begin and end nothing. */
  function combinedStatus(outcome: UpOrDown, quorum: Quorum = half): UpOrDown {
    const isDownFor = (all: number) =>
      down > 0 && down >= ('count' in quorum ? Math.min(quorum.count, all) : quorum.share * all)
    if (status !== 'down') return isDownFor(checkingCount()) ? 'down' : 'up'
    return outcome === 'up' && !isDownFor(known.size()) ? 'up' : 'down'
  }

  function updateLatency(latest: number, { min, max, latencyChecks = 1 }: StatusBounds): StatusChange[] {
    delays = latencyChecks > 1 ? [...delays, latest].slice(-latencyChecks) : []
    if (delays.length > 0 && delays.length < latencyChecks) return []
    const delay = delays.length > 0 ? percentile95(delays) : latest
    const range: LatencyRange = max > 0 && delay > max ? 'above' : min > 0 && delay < min ? 'below' : 'within'
    latencyDeviations = range === latency ? 0 : latencyDeviations + 1
    // One that stands for many is no accident.
    if (latencyDeviations < (delays.length > 0 ? 1 : requiredResults)) return []
    latency = range
    latencyDeviations = 0
    return [{ kind: 'slow', latency, delay }]
  }

  function updateCertificate(server: number, certificate: Certificate | undefined, at: number): StatusChange[] {
    if (!certificate) return []
    const previous = certificateByServer.get(String(server))
    const { known, changes } = compareCertificate(certificatesSoFar, previous, certificate, at)
    certificatesSoFar = known
    certificateByServer.set(String(server), { issuer: certificate.issuer, expiresAt: certificate.expiresAt })
    return changes
  }

  return {
    addCertificate: updateCertificate,
    addResult(server, result, bounds, at) {
      if (result.outcome === 'not permitted') {
        if (!known.has(server)) notPermitted.add(server)
        return []
      }
      notPermitted.delete(server)
      const isFirst = status === null
      const wasPartlyDown = down > 0
      updateServer(server, result.outcome, result.isCertain === true)
      const previous = status
      status = combinedStatus(result.outcome, bounds.quorum)
      const changes = updateCertificate(server, result.certificate, at)
      if (result.outcome === 'up') changes.push(...updateLatency(result.delay, bounds))
      const problem = result.outcome === 'down' ? result.problem : ''
      if (status === 'up' && previous === 'up' && wasPartlyDown !== down > 0 && isToldDegraded !== down > 0) {
        isToldDegraded = down > 0
        changes.push({ kind: 'degraded', isDegraded: isToldDegraded, problem })
      }
      if (status === previous || (isFirst && status === 'up')) return changes
      isToldDegraded = false
      return [status === 'up' ? { kind: 'up' } : { kind: 'down', problem }, ...changes]
    },
    setServers(ids) {
      expected = ids.size
      for (const id of known.ids()) {
        if (ids.has(id)) continue
        if (unusual.get(id)?.status === 'down') down--
        known.delete(id)
        unusual.delete(id)
      }
      for (const id of notPermitted) if (!ids.has(id)) notPermitted.delete(id)
    },
    status: () => status,
    isDegraded: () => status === 'up' && (latency !== 'within' || down > 0),
    servers: () => ({ down, all: checkingCount() }),
    forget() {
      status = null
      latency = 'within'
      latencyDeviations = 0
      delays = []
      down = 0
      isToldDegraded = false
      for (const id of known.ids()) known.delete(id)
      unusual.clear()
      notPermitted.clear()
    },
    forgetCertificates() {
      certificateByServer.clear()
      certificatesSoFar = []
    },
    saved: () => ({
      status,
      latency,
      certificates: Object.fromEntries(certificateByServer),
      knownCertificates: certificatesSoFar,
    }),
  }
}

/** Ids in little memory: thousands of services each remember thousands of servers. Those of one range share a number. */
export interface IdSet {
  has(id: number): boolean
  add(id: number): void
  delete(id: number): void
  size(): number
  ids(): Iterable<number>
}

/** Ids for each number: as many bits as Node keeps of a number without an object for it. */
const bits = 30

export function createIdSet(): IdSet {
  const ranges = new Map<number, number>()
  let size = 0

  const rangeOf = (id: number) => Math.floor(id / bits)
  const bitOf = (id: number) => 1 << (id % bits)
  const has = (id: number) => ((ranges.get(rangeOf(id)) ?? 0) & bitOf(id)) !== 0

  return {
    has,
    size: () => size,
    add(id) {
      if (has(id)) return
      ranges.set(rangeOf(id), (ranges.get(rangeOf(id)) ?? 0) | bitOf(id))
      size++
    },
    delete(id) {
      if (!has(id)) return
      const left = (ranges.get(rangeOf(id)) ?? 0) & ~bitOf(id)
      if (left === 0) ranges.delete(rangeOf(id))
      else ranges.set(rangeOf(id), left)
      size--
    },
    *ids() {
      for (const [range, members] of ranges) {
        for (let bit = 0; bit < bits; bit++) if (members & (1 << bit)) yield range * bits + bit
      }
    },
  }
}
