import type { TrafficOfPeriod } from '../schemas/endpoints/trafficEndpoints.ts'
import { createServerFacts } from './serverFacts.ts'

/** The traffic of servers in the present period. */
export const {
  set: setTraffic,
  of: trafficOf,
  use: useTrafficOf,
  state: trafficState,
} = createServerFacts<TrafficOfPeriod>()

/** Percent of the quota that is used up; `undefined` without a quota. */
export function quotaPercent(traffic: Pick<TrafficOfPeriod, 'used' | 'quota_bytes'> | undefined): number | undefined {
  return traffic && traffic.quota_bytes > 0 ? (traffic.used / traffic.quota_bytes) * 100 : undefined
}
