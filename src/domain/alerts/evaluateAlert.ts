import type { AlarmCause } from '../../schemas/alerts/alarmCause.ts'
import { isYesOrNo, subjectOfType } from '../../schemas/alerts/alertRuleTypes.ts'
import {
  type AlertState,
  type CycleState,
  checkIntervalMs,
  type RuleState,
  type SamplesState,
  type WatchedAlert,
} from './alertState.ts'
import type { Calendar, Cycle } from './calendar.ts'
import type { CompiledAlert, CycleRule, Recovery, SampledRule } from './compileAlert.ts'
import { type MetricReport, metricValue } from './metricValue.ts'
import { addSample, emptyWindow } from './sampleWindow.ts'
import { alertFails, isOutside, samplesFail, secondsToNextEvaluation } from './thresholds.ts'

/** What is counted for rules about traffic. */
export interface CycleTraffic {
  /** Bytes of a server within the running cycle. */
  total(calendar: Calendar, serverId: number): TrafficTotal
  cycle(calendar: Calendar): Cycle
}

/** Bytes. */
export interface TrafficTotal {
  in: number
  out: number
}

interface EvaluationInput {
  watched: WatchedAlert
  state: AlertState
  serverId: number
  /** The machine's last report; `undefined` while it is offline. */
  report: MetricReport | undefined
  traffic: CycleTraffic
  /** Whether an alarm of it runs there: it has to recover. */
  isRaised: boolean
  /** Milliseconds since 1970. */
  now: number
  /** Milliseconds between two samples; the alert has to be compiled with the same. */
  intervalMs?: number
}

/**
 * Evaluates an alert rule on one server: adds the samples of one check to its state.
 * @returns whether the alert fails; `undefined` while there are not enough samples
 */
export function evaluateAlert(input: EvaluationInput): boolean | undefined {
  const { watched, state: alertState, serverId, report, traffic, isRaised, now, intervalMs = checkIntervalMs } = input
  const checkNumber = Math.floor(now / intervalMs)
  const hadReport = alertState.lastReportCheck === alertState.lastCheck
  let isChanged = hadReport !== (report !== undefined)
  const results = watched.alert.rules.map((rule, index) => {
    const state = alertState.ruleStates[index] as RuleState
    if (rule.kind === 'cycle') {
      isChanged = evaluateCycle(rule, state as CycleState, serverId, traffic, now) || isChanged
      return (state as CycleState).failed
    }
    const window = state as SamplesState
    const { failed: failedBefore, calm: calmBefore = 0 } = window
    let isAdded = false
    if (!isRaised) window.calm = undefined
    const sample = sampleOf(rule, report, alertState, checkNumber)
    if (sample) {
      isAdded = addRuleSample(window, rule, sample)
      if (rule.recovery && isRaised) window.calm = calmAfter(window, rule.recovery, sample)
    }
    if (isAdded && failedBefore === 0 && window.failed === 0) watched.hasGrown = true
    else if (isAdded) isChanged = true
    const { calm = 0 } = window
    // One that is saved too low only makes an alarm last longer.
    if (calm > calmBefore) watched.hasGrown = true
    else if (isRaised && calm < calmBefore) isChanged = true
    const fails = samplesFail(window, rule.sampleCount, rule.kind === 'offline')
    return fails === false && isRaised ? !hasRecovered(rule, window) : fails
  })
  alertState.lastCheck = checkNumber
  if (report) alertState.lastReportCheck = checkNumber
  if (isChanged) watched.isChanged = true
  return alertFails(results)
}

const hasRecovered = ({ recovery }: SampledRule, { calm = 0 }: SamplesState) =>
  recovery === undefined || calm >= recovery.sampleCount

interface Sample {
  failed: boolean
  /** Whether it is within the bounds of the recovery. */
  isCalm: boolean
  /** The value where it is outside the bounds. */
  value: number | undefined
  /** What that value is about. */
  names?: readonly string[]
  /** Checks since the last sample; below zero after the clock was set back. */
  checksSinceLast: number
}

/**
 * What a check says to a rule; `undefined` for nothing: while a machine is offline, its metric rules stay as they are,
 * and so do those about what it is asked for, while it cannot be asked.
 */
function sampleOf(
  { kind, type, bounds, recovery }: SampledRule,
  report: MetricReport | undefined,
  { lastCheck, lastReportCheck }: AlertState,
  checkNumber: number,
): Sample | undefined {
  if (kind === 'offline') {
    return { failed: !report, isCalm: report !== undefined, value: undefined, checksSinceLast: checkNumber - lastCheck }
  }
  if (!report) return undefined
  const value = metricValue(type, report)
  if (value === undefined && subjectOfType(type)) return undefined
  const failed = value !== undefined && isOutside(value, bounds)
  return {
    failed,
    isCalm: value === undefined || !isOutside(value, recovery?.bounds ?? bounds),
    value: failed ? value : undefined,
    names: report.inspected?.[type]?.names,
    checksSinceLast: checkNumber - lastReportCheck,
  }
}

/** After a gap longer than the window, old samples are dropped. @returns whether the window has changed */
function addRuleSample(
  window: SamplesState,
  { sampleCount }: SampledRule,
  { failed, value, names, checksSinceLast }: Sample,
): boolean {
  if (checksSinceLast > sampleCount) Object.assign(window, emptyWindow(), { bits: undefined })
  if (value !== undefined) {
    window.value = value
    window.names = names
  }
  return addSample(window, failed, sampleCount)
}

/**
 * How many samples in a row are calm by now. What was not measured counts for neither: after a gap longer than the time
 * of the recovery, or of a length that nobody knows as the clock was set back, it begins anew.
 */
function calmAfter({ calm = 0 }: SamplesState, { sampleCount }: Recovery, { isCalm, checksSinceLast }: Sample): number {
  if (!isCalm) return 0
  return Math.abs(checksSinceLast) > sampleCount ? 1 : Math.min(calm + 1, sampleCount)
}

/** @returns whether it was evaluated, because its time had come or a new cycle has begun */
function evaluateCycle(
  rule: CycleRule,
  state: CycleState,
  serverId: number,
  traffic: CycleTraffic,
  now: number,
): boolean {
  const { from } = traffic.cycle(rule.calendar)
  // After the clock was set back, `nextAt` may be far in the future.
  const isEarly = now < state.nextAt && now > state.nextAt - 3_600_000
  if (isEarly && from === state.cycleFrom) return false
  state.value = cycleValue(rule, serverId, traffic)
  state.failed = isOutside(state.value, rule.bounds)
  state.nextAt = now + secondsToNextEvaluation(state.value, rule.bounds) * 1000
  state.cycleFrom = from
  return true
}

/** Bytes that a rule counts in the running cycle. */
export function cycleValue({ type, calendar }: CycleRule, serverId: number, traffic: CycleTraffic): number {
  const { in: received, out: sent } = traffic.total(calendar, serverId)
  if (type === 'transfer_in_cycle') return received
  return type === 'transfer_out_cycle' ? sent : received + sent
}

/** The values and bounds of the rules that failed together. */
export const alarmCauses = ({ rules }: CompiledAlert, { ruleStates }: AlertState): AlarmCause[] =>
  rules.map(({ kind, type, bounds }, index) => {
    if (kind === 'offline') return { type }
    const state = ruleStates[index] as RuleState
    const { value } = state
    const names = state.kind === 'samples' ? state.names : undefined
    const detail = names && names.length > 0 ? { detail: names.join(', ') } : {}
    if (isYesOrNo(type)) return { type, ...detail }
    return { type, value, ...(bounds.min && { min: bounds.min }), ...(bounds.max && { max: bounds.max }), ...detail }
  })
