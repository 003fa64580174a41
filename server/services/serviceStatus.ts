import type { Certificate, ProbeResult } from '../machines/hosts/probe.ts'
import { type CertificateChange, compareCertificate, type SavedCertificate } from './compareCertificate.ts'

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
  /** Sets which servers check the service now; results of others no longer count. */
  setServers(ids: ReadonlySet<number>): void
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

/**
 * Decides whether a service is up or down by the results of the servers that check it. One lost packet is no failure:
 * on each server the status changes after two deviating results in a row. Only the very first result counts
 * immediately. A service is down while it is down on half of its servers or more; checks that were not permitted do not
 * count.
 */
export function createServiceStatus({ status, latency, certificates }: SavedStatus): ServiceStatus {
  const byServer = new Map<number, ServerStatus>()
  const certificateByServer = new Map(Object.entries(certificates))
  let latencyDeviations = 0

  function updateServer(server: number, outcome: UpOrDown): void {
    // After a restart, servers continue with the saved status.
    const serverStatus = byServer.get(server) ?? { status: status ?? outcome, deviations: 0 }
    byServer.set(server, serverStatus)
    serverStatus.deviations = outcome === serverStatus.status ? 0 : serverStatus.deviations + 1
    if (serverStatus.deviations < requiredResults) return
    serverStatus.status = outcome
    serverStatus.deviations = 0
  }

  function combinedStatus(): UpOrDown {
    const down = [...byServer.values()].filter((serverStatus) => serverStatus.status === 'down').length
    return down > 0 && down * 2 >= byServer.size ? 'down' : 'up'
  }

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
    addResult(server, result, bounds, at) {
      if (result.outcome === 'not permitted') return []
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
      for (const id of byServer.keys()) if (!ids.has(id)) byServer.delete(id)
    },
    forgetCertificates: () => certificateByServer.clear(),
    saved: () => ({ status, latency, certificates: Object.fromEntries(certificateByServer) }),
  }
}
