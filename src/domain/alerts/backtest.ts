import type { AlarmCause } from '../../schemas/alerts/alarmCause.ts'
import { subjectOfType } from '../../schemas/alerts/alertRuleTypes.ts'
import { isCycleType, sampleSeconds } from '../../schemas/alerts/ruleLimits.ts'
import type { Values } from '../../schemas/define/values.ts'
import { type AlertState, newAlertState, type WatchedAlert } from './alertState.ts'
import { type AlertRulePart, type CompiledAlert, compileAlert } from './compileAlert.ts'
import { alarmCauses, type CycleTraffic, evaluateAlert } from './evaluateAlert.ts'
import { type MetricReport, metricValue } from './metricValue.ts'
import { isOutside } from './thresholds.ts'

/** An alarm that a rule would have raised. Times are milliseconds since 1970. */
export interface BacktestAlarm {
  server_id: number
  started_at: number
  /** Absent while it would still be running. */
  ended_at?: number
  /** The highest share of samples that were outside the bounds together, 0 to 1. */
  share: number
  /** Values and bounds when it would have been raised. */
  causes: AlarmCause[]
}

/** What a rule would have done. */
export interface BacktestResult {
  /** Of the first and the last sample, milliseconds since 1970; absent without any. */
  from?: number
  until?: number
  /** All samples that were looked at, and how many of them were outside the bounds. */
  samples: number
  failed: number
  /** In the order in which they began; at most `maxBacktestAlarms`, the latest ones. */
  alarms: BacktestAlarm[]
  alarms_total: number
}

/** Replays recorded metrics of servers to a rule, as the live evaluation would have seen them. */
export interface Backtest {
  /**
   * Takes what was measured on some servers in one step of time. For each server, steps follow one another; a step in
   * which nobody measured anything, as while the console was stopped, is left out.
   * @param reports by server id; a server that is not in it was offline
   */
  add(step: BacktestStep, servers: readonly number[], reports: ReadonlyMap<number, MetricReport>): void
  result(): BacktestResult
}

/** The start of a step (milliseconds since 1970) and its length (milliseconds, at least one sample). */
export interface BacktestStep {
  at: number
  length: number
}

/** At most this many alarms are returned, the latest ones. */
export const maxBacktestAlarms = 200

/** Why rules cannot be tested on recorded metrics: an i18n key below `backtest`; `undefined` if they can. */
export function backtestProblem(rules: readonly Values[]): string | undefined {
  if (rules.length === 0) return 'no_rules'
  if (rules.some(({ type }) => isCycleType(type))) return 'cycle'
  if (rules.some(({ type }) => subjectOfType(String(type)))) return 'inspected'
  return compile(rules as readonly AlertRulePart[]) ? undefined : 'unknown_type'
}

const compile = (rules: readonly AlertRulePart[], intervalMs = sampleSeconds * 1000): CompiledAlert | undefined =>
  compileAlert({ id: 0, user_id: 0, enable: true, rules }, intervalMs)

/**
 * The servers on which rules are true by a single sample, whatever was before.
 * @param servers with the last report of each; `undefined` while it is offline
 */
export function serversWhereTrue(
  rules: readonly AlertRulePart[],
  servers: ReadonlyMap<number, MetricReport | undefined>,
): number[] {
  const alert = compile(rules)
  if (!alert) return []
  return [...servers].flatMap(([id, report]) => (alert.covers(id) && allTrue(alert, report) ? [id] : []))
}

const allTrue = ({ rules }: CompiledAlert, report: MetricReport | undefined): boolean =>
  rules.every(({ kind, type, bounds }) => {
    if (kind === 'offline') return !report
    const value = report && metricValue(type, report)
    return value !== undefined && isOutside(value, bounds)
  })

/** Rules about traffic in cycles cannot be tested: see `backtestProblem`. */
const noTraffic: CycleTraffic = { total: () => ({ in: 0, out: 0 }), cycle: () => ({ from: 0, to: 0 }) }

/**
 * Prepares the test of rules.
 * @param intervalMs milliseconds from sample to sample: averages of the past lie further apart than live samples
 * @returns `undefined` for rules with a `backtestProblem`
 */
export function createBacktest(rules: readonly AlertRulePart[], intervalMs: number): Backtest | undefined {
  const alert = compile(rules, intervalMs)
  if (!alert || backtestProblem(rules)) return undefined
  const watched: WatchedAlert = { alert, stateByServer: new Map(), isChanged: false, hasGrown: false }
  const running = new Map<number, BacktestAlarm>()
  let alarms: BacktestAlarm[] = []
  let alarmCount = 0
  let samples = 0
  let failed = 0
  let from: number | undefined
  let until: number | undefined

  function sample(id: number, report: MetricReport | undefined, now: number): void {
    const state = watched.stateByServer.get(id) ?? newAlertState(alert as CompiledAlert)
    watched.stateByServer.set(id, state)
    const alarm = running.get(id)
    const isRaised = alarm !== undefined
    const fails = evaluateAlert({ watched, state, serverId: id, report, traffic: noTraffic, isRaised, now, intervalMs })
    samples++
    if (allTrue(alert as CompiledAlert, report)) failed++
    if (fails && alarm) alarm.share = Math.max(alarm.share, shareOf(state))
    else if (fails) raise(id, state, now)
    else if (fails === false && alarm) {
      alarm.ended_at = now
      running.delete(id)
    }
  }

  function raise(id: number, state: AlertState, now: number): void {
    const causes = alarmCauses(alert as CompiledAlert, state)
    const alarm: BacktestAlarm = { server_id: id, started_at: now, share: shareOf(state), causes }
    running.set(id, alarm)
    alarms.push(alarm)
    alarmCount++
    if (alarms.length > 2 * maxBacktestAlarms) alarms = latest(alarms)
  }

  return {
    add({ at, length }, servers, reports) {
      from = Math.min(from ?? at, at)
      until = Math.max(until ?? at, at + length)
      const count = Math.max(1, Math.round(length / intervalMs))
      for (const id of servers) {
        if (!alert.covers(id)) continue
        const report = reports.get(id)
        // A server counts from its first report on: before, it may not have existed.
        if (!report && !watched.stateByServer.has(id)) continue
        for (let number = 0; number < count; number++) sample(id, report, at + number * intervalMs)
      }
    },
    result: () => ({ from, until, samples, failed, alarms: latest(alarms), alarms_total: alarmCount }),
  }
}

const latest = (alarms: readonly BacktestAlarm[]) =>
  alarms.toSorted((one, other) => one.started_at - other.started_at).slice(-maxBacktestAlarms)

/** Of the rules of an alert, which fail together: the share of the one that fails least. */
const shareOf = ({ ruleStates }: AlertState): number =>
  Math.min(...ruleStates.map((state) => (state.kind === 'samples' ? state.failed / Math.max(1, state.count) : 1)))
