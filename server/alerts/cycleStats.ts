import { type AlertState, nextEvaluationAt } from '../../src/domain/alerts/alertState.ts'
import type { CompiledAlert } from '../../src/domain/alerts/compileAlert.ts'
import { cycleValue } from '../../src/domain/alerts/evaluateAlert.ts'
import type { ServerRow } from '../entities/row.ts'
import { timestamp } from '../wire/timestamp.ts'
import type { Traffic } from './traffic.ts'

/**
 * Traffic of an alert with a cycle rule in `GET /service` (docs/contract/CONTRACT.md#511-services). Bytes; the maps are
 * by server id.
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
  /** When the rule is evaluated next, RFC 3339. */
  next_update: Record<string, string>
}

/** The traffic of an alert's first cycle rule on these servers; `undefined` when there is none. */
export function cycleStatsOf(
  alert: CompiledAlert,
  stateByServer: ReadonlyMap<number, AlertState>,
  servers: ReadonlyMap<number, ServerRow>,
  traffic: Traffic,
): CycleStats | undefined {
  const index = alert.rules.findIndex(({ kind }) => kind === 'cycle')
  const rule = alert.rules[index]
  if (rule?.kind !== 'cycle') return undefined
  const { from, to } = traffic.cycle(rule.calendar)
  const { max = 0, min = 0 } = rule.bounds
  const stats: CycleStats = {
    name: alert.name,
    from: timestamp(from),
    to: timestamp(to),
    max,
    min,
    server_name: {},
    transfer: {},
    next_update: {},
  }
  for (const [id, state] of stateByServer) {
    const row = servers.get(id)
    const nextAt = row && nextEvaluationAt(state, index)
    if (nextAt === undefined) continue
    stats.server_name[id] = String(row?.name)
    stats.transfer[id] = cycleValue(rule, id, traffic)
    stats.next_update[id] = timestamp(nextAt)
  }
  return Object.keys(stats.transfer).length > 0 ? stats : undefined
}
