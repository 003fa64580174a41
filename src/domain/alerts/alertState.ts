import { sampleSeconds } from '../../schemas/alerts/ruleLimits.ts'
import type { CompiledAlert, CompiledRule, SampledRule } from './compileAlert.ts'
import { emptyWindow, packWindow, type SampleWindow, unpackWindow } from './sampleWindow.ts'

/** A compiled alert rule with its state on each server, by server id. */
export interface WatchedAlert {
  alert: CompiledAlert
  stateByServer: Map<number, AlertState>
  /** Whether there are changes that have to be saved soon. */
  isChanged: boolean
  /** Whether sample windows have only grown by passed samples: saving that is not urgent. */
  hasGrown: boolean
  /** The state from before a restart; only used in the first check. */
  restore?: (serverId: number) => AlertState | undefined
}

/** The state of an alert rule on one server. */
export interface AlertState {
  /** One for each rule of the alert, in the same order. */
  ruleStates: RuleState[]
  /** Numbers (time divided by the interval) of the last check, and of the last one with a report of the machine. */
  lastCheck: number
  lastReportCheck: number
}

export type RuleState = SamplesState | CycleState

export interface SamplesState extends SampleWindow {
  kind: 'samples'
  /** The last value outside the bounds. */
  value?: number
  /** While an alarm of a rule with a recovery runs: how many samples in a row were within the bounds of that. */
  calm?: number
  /** What the last value outside the bounds is about. It is not saved either. */
  names?: readonly string[]
}

/** The traffic of a cycle is not evaluated at every check. */
export interface CycleState {
  kind: 'cycle'
  failed: boolean
  value: number
  /** Milliseconds since 1970: the next evaluation (`next_transfer_at`). */
  nextAt: number
  /** Start of the cycle that was evaluated; a new cycle is evaluated immediately. */
  cycleFrom: number
}

/** Milliseconds between two checks. */
export const checkIntervalMs = sampleSeconds * 1000

export const newAlertState = (alert: CompiledAlert): AlertState => ({
  ruleStates: alert.rules.map(newRuleState),
  lastCheck: Number.NEGATIVE_INFINITY,
  lastReportCheck: Number.NEGATIVE_INFINITY,
})

const newRuleState = (rule: CompiledRule): RuleState =>
  rule.kind === 'cycle'
    ? { kind: 'cycle', failed: false, value: 0, nextAt: 0, cycleFrom: Number.NaN }
    : { kind: 'samples', ...emptyWindow() }

/** When the cycle rule at `index` is evaluated next, in milliseconds since 1970. */
export const nextEvaluationAt = (alertState: AlertState, index: number): number | undefined => {
  const state = alertState.ruleStates[index]
  return state?.kind === 'cycle' ? state.nextAt : undefined
}

/**
 * The state in few numbers, as it is saved: the last check with a report (0: the very last check, -1: none), then one
 * list for each rule, then a list of `calm` of all rules where one of them has any.
 */
export type PackedAlertState = readonly [lastReportCheck: number, ...states: (readonly number[])[]]

/**
 * `undefined` where nothing has to be saved: all samples passed, there are as many as the rules ask for, and nothing is
 * recovering.
 */
export function packAlertState(
  alert: CompiledAlert,
  { ruleStates, lastCheck, lastReportCheck }: AlertState,
): PackedAlertState | undefined {
  if (lastReportCheck === lastCheck && isQuiet(alert, ruleStates)) return undefined
  const calms = ruleStates.map((state) => (state.kind === 'samples' && state.calm) || 0)
  const isRecovering = calms.some((calm) => calm > 0)
  const packed = ruleStates.map((state, index) => {
    if (state.kind === 'cycle') return [state.nextAt, state.failed ? 1 : 0, state.value, state.cycleFrom]
    return packWindow(state, (alert.rules[index] as SampledRule).sampleCount)
  })
  if (isRecovering) packed.push(calms)
  return [lastReportCheck === lastCheck ? 0 : Number.isFinite(lastReportCheck) ? lastReportCheck : -1, ...packed]
}

/** Asked of all servers when one of them has changed, so it makes nothing. */
function isQuiet({ rules }: CompiledAlert, states: readonly RuleState[]): boolean {
  for (let index = 0; index < states.length; index++) {
    const state = states[index] as RuleState
    const rule = rules[index] as CompiledRule
    if (state.kind === 'cycle' || rule.kind === 'cycle') return false
    if (state.failed > 0 || state.count !== rule.sampleCount || (state.calm ?? 0) > 0) return false
  }
  return true
}

/** The opposite of `packAlertState`, for a state that was saved at `lastCheck`. */
export function unpackAlertState(
  alert: CompiledAlert,
  packed: PackedAlertState | undefined,
  lastCheck: number,
): AlertState {
  const [lastReportCheck, ...packedRules] = packed ?? [0]
  const calms = packedRules[alert.rules.length] ?? []
  return {
    ruleStates: alert.rules.map((rule, index) => {
      const numbers = packedRules[index]
      if (rule.kind !== 'cycle') {
        const window = unpackWindow(numbers ?? [rule.sampleCount], rule.sampleCount)
        return { kind: 'samples', ...window, ...(calms[index] && { calm: calms[index] }) }
      }
      const [nextAt = 0, failed = 0, value = 0, cycleFrom = Number.NaN] = numbers ?? []
      return { kind: 'cycle', nextAt, failed: failed === 1, value, cycleFrom }
    }),
    lastCheck,
    lastReportCheck:
      lastReportCheck === 0 ? lastCheck : lastReportCheck === -1 ? Number.NEGATIVE_INFINITY : lastReportCheck,
  }
}
