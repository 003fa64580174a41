import { useSyncExternalStore } from 'react'
import { createEmitter } from '../events/emitter.ts'
import type { TrafficOfPeriod } from '../schemas/endpoints/trafficEndpoints.ts'

let byServer: ReadonlyMap<number, TrafficOfPeriod> = new Map()
let version = 0
const changes = createEmitter()

/** @param periods the present ones of all servers of which this page may know */
export function setTraffic(periods: readonly TrafficOfPeriod[]): void {
  byServer = new Map(periods.map((period) => [period.server_id, period]))
  version += 1
  changes.emit()
}

/**
 * The traffic of a server in the present period, as it was asked last; `undefined` before, and of servers of others.
 */
export const trafficOf = (id: number | string | undefined) => byServer.get(Number(id))

export const useTrafficOf = (id: number | string | undefined): TrafficOfPeriod | undefined =>
  useSyncExternalStore(changes.subscribe, () => trafficOf(id))

/** Changes when the traffic was asked anew: rows that are sorted by it are sorted again. */
export const trafficState = { subscribe: changes.subscribe, version: () => version }

/** Percent of the quota that is used up; `undefined` without a quota. */
export function quotaPercent(traffic: Pick<TrafficOfPeriod, 'used' | 'quota_bytes'> | undefined): number | undefined {
  return traffic && traffic.quota_bytes > 0 ? (traffic.used / traffic.quota_bytes) * 100 : undefined
}
