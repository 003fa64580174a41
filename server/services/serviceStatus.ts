import type { Certificate, ProbeResult } from '../machines/hosts/probe.ts'
import { type CertificateChange, compareCertificate, type SavedCertificate } from './compareCertificate.ts'
import { createIdSet } from './idSet.ts'

export type UpOrDown = 'up' | 'down'
/** The delay compared with `min_latency` and `max_latency`. */
export type LatencyRange = 'within' | 'above' | 'below'

/** The part of a service's status that is saved for a restart. */
export interface SavedStatus {
  /** `null` before the first check. */
  status: UpOrDown | null
  latency: LatencyRange
  /** By the id of the server that checked. */
  certificates: Record<string, SavedCertificate>
}

/** Milliseconds; 0 is no bound. */
export interface LatencyBounds {
  min: number
  max: number
}

export type StatusChange =
  | { kind: 'down'; problem: string }
  | { kind: 'up' }
  | { kind: 'slow'; latency: LatencyRange; delay: number }
  | CertificateChange

export interface ServiceStatus {
  /** Adds the result of a check by a server. @returns what has changed @param at milliseconds since 1970 */
  addResult(server: number, result: ProbeResult, bounds: LatencyBounds, at: number): StatusChange[]
  /**
   * Adds a certificate that was looked at without a check.
   * @param viewer the id of the server that looked; 0 is the console's own
   */
  addCertificate(viewer: number, certificate: Certificate, at: number): StatusChange[]
  /** Sets which servers check the service now; results of others no longer count. */
  setServers(ids: ReadonlySet<number>): void
  /** `null` before the first check. */
  status(): UpOrDown | null
  /** How many servers check the service, without those that are not permitted to, and on how many of them it is down. */
  servers(): { down: number; all: number }
  /** For a changed target, which has other certificates. */
  forgetCertificates(): void
  saved(): SavedStatus
}

export const unknownStatus = (): SavedStatus => ({ status: null, latency: 'within', certificates: {} })

/** The status of a service on a server changes after so many deviating results in a row. */
const requiredResults = 2

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
export function createServiceStatus({ status, latency, certificates }: SavedStatus): ServiceStatus {
  /** Those that have checked. 10,000 services on 5,000 servers would have 50 million statuses: only the unusual are kept. */
  const known = createIdSet()
  const unusual = new Map<number, ServerStatus>()
  const certificateByServer = new Map(Object.entries(certificates))
  let latencyDeviations = 0
  /** How many of them are down: counting them at each of thousands of results a second would be too much. */
  let down = 0
  /** How many servers should check. Those that have not yet done so keep one failing server from deciding alone. */
  let expected = 0
  const notPermitted = new Set<number>()

  function updateServer(server: number, outcome: UpOrDown): void {
    const previous = unusual.get(server) ?? (known.has(server) ? usual : undefined)
    const next = nextServerStatus(previous, outcome)
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
  const combinedStatus = (): UpOrDown => (down > 0 && down * 2 >= checkingCount() ? 'down' : 'up')

  function updateLatency(delay: number, { min, max }: LatencyBounds): StatusChange[] {
    const range: LatencyRange = max > 0 && delay > max ? 'above' : min > 0 && delay < min ? 'below' : 'within'
    latencyDeviations = range === latency ? 0 : latencyDeviations + 1
    if (latencyDeviations < requiredResults) return []
    latency = range
    latencyDeviations = 0
    return [{ kind: 'slow', latency, delay }]
  }

  function updateCertificate(server: number, certificate: Certificate | undefined, at: number): StatusChange[] {
    if (!certificate) return []
    const { saved, changes } = compareCertificate(certificateByServer.get(String(server)), certificate, at)
    certificateByServer.set(String(server), saved)
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
      updateServer(server, result.outcome)
      const previous = status
      status = combinedStatus()
      const changes = updateCertificate(server, result.certificate, at)
      if (result.outcome === 'up') changes.push(...updateLatency(result.delay, bounds))
      if (status === previous || (isFirst && status === 'up')) return changes
      const problem = result.outcome === 'down' ? result.problem : ''
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
    servers: () => ({ down, all: checkingCount() }),
    forgetCertificates: () => certificateByServer.clear(),
    saved: () => ({ status, latency, certificates: Object.fromEntries(certificateByServer) }),
  }
}
