import type { Row } from '../entities/row.ts'
import { timestamp } from '../wire/timestamp.ts'
import type { Alert } from './compileRules.ts'
import { cycleValue, nextLookOf, type Pair } from './serverRules.ts'
import type { Traffic } from './traffic.ts'

/**
 * What `GET /service` tells of an alert that counts traffic by cycle (docs/contract/CONTRACT.md#511-services). Bytes;
 * the maps are by server id.
 */
export type CycleStats = {
  name: string
  /** The running cycle, RFC 3339. */
  from: string
  to: string
  max: number
  min: number
  server_name: Record<string, string>
  transfer: Record<string, number>
  /** When the alert looks at it next. */
  next_update: Record<string, string>
}

/** The traffic of an alert's first cycle rule; `undefined` when it has none, on none of the servers to be told of. */
export function cycleStatsOf(
  alert: Alert,
  pairs: ReadonlyMap<number, Pair>,
  servers: readonly Row[],
  traffic: Traffic,
): CycleStats | undefined {
  const index = alert.rules.findIndex(({ kind }) => kind === 'cycle')
  const rule = alert.rules[index]
  if (rule?.kind !== 'cycle') return undefined
  const { from, to } = traffic.cycle(rule.calendar)
  const { max = 0, min = 0 } = rule.bounds
  const stats: CycleStats = {
    ...{ name: alert.name, from: timestamp(from), to: timestamp(to), max, min },
    ...{ server_name: {}, transfer: {}, next_update: {} },
  }
  for (const { id, name } of servers) {
    const pair = pairs.get(id)
    const nextAt = pair && nextLookOf(pair, index)
    if (nextAt === undefined) continue
    stats.server_name[id] = String(name)
    stats.transfer[id] = cycleValue(rule, id, traffic)
    stats.next_update[id] = timestamp(nextAt)
  }
  return Object.keys(stats.transfer).length > 0 ? stats : undefined
}
