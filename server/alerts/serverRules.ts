import type { AlarmCause } from '../../src/schemas/alarm.ts'
import type { Alert, CycleRule, SampledRule, WatchedRule } from './compileRules.ts'
import { allFail, isOutside, secondsToNextLook, verdictOf } from './evaluate.ts'
import { figureOf, type Reading } from './metricValue.ts'
import { addSample, emptyWindow, packWindow, type SampleWindow, unpackWindow } from './sampleWindow.ts'
import type { Traffic } from './traffic.ts'

/** An alert, and where it stands on each server by its id. */
export interface Watch {
  alert: Alert
  pairs: Map<number, Pair>
  /** Whether something changed that has to be kept. */
  isChanged: boolean
  /** Where it stood on a server before the restart; asked at the first check. */
  before?: (serverId: number) => Pair | undefined
}

/** Where an alert stands on one server. */
export interface Pair {
  /** One for each rule, in their order. */
  states: RuleState[]
  /** Number of the latest check, and of the latest one at which the machine was heard. */
  checked: number
  heard: number
}

type RuleState = Sampled | Looked

interface Sampled extends SampleWindow {
  kind: 'sampled'
  /** The latest value beyond the bounds. */
  value?: number
}

/** Traffic of a cycle is looked at now and then only. */
interface Looked {
  kind: 'looked'
  failed: boolean
  value: number
  /** Milliseconds since 1970: not to be looked at again before (`next_transfer_at`). */
  nextAt: number
  /** The cycle that it was looked at in; a new one is looked at at once. */
  from: number
}

/** Milliseconds between two checks. */
export const checkMs = 3000

export const newPair = (alert: Alert): Pair => ({
  states: alert.rules.map(newState),
  checked: Number.NEGATIVE_INFINITY,
  heard: Number.NEGATIVE_INFINITY,
})

const newState = (rule: WatchedRule): RuleState =>
  rule.kind === 'cycle'
    ? { kind: 'looked', failed: false, value: 0, nextAt: 0, from: Number.NaN }
    : { kind: 'sampled', ...emptyWindow() }

export interface Check {
  watch: Watch
  pair: Pair
  serverId: number
  /** What the machine told last; `undefined` while nothing is heard from it. */
  reading: Reading | undefined
  traffic: Traffic
  /** Milliseconds since 1970. */
  now: number
}

/** Takes the samples of one check. @returns whether the alert fails; `undefined` while that cannot be told */
export function checkPair({ watch, pair, serverId, reading, traffic, now }: Check): boolean | undefined {
  const number = Math.floor(now / checkMs)
  const wasHeard = pair.heard === pair.checked
  let isChanged = wasHeard !== (reading !== undefined)
  const verdicts = watch.alert.rules.map((rule, index) => {
    const state = pair.states[index] as RuleState
    if (rule.kind === 'cycle') {
      isChanged = look(rule, state as Looked, serverId, traffic, now) || isChanged
      return (state as Looked).failed
    }
    const window = state as Sampled
    // A silent machine gives no samples: what was found stands until it is heard again.
    if (rule.kind === 'offline') isChanged = sample(window, rule, number - pair.checked, !reading) || isChanged
    else if (reading) isChanged = sampleFigure(window, rule, number - pair.heard, reading) || isChanged
    return verdictOf(window, rule.size, rule.kind === 'offline')
  })
  pair.checked = number
  if (reading) pair.heard = number
  if (isChanged) watch.isChanged = true
  return allFail(verdicts)
}

/**
 * @param since checks since the last sample: those from before a long gap say nothing about now
 * @returns whether the window is another one now
 */
function sample(window: Sampled, { size }: SampledRule, since: number, failed: boolean): boolean {
  if (since > size) Object.assign(window, emptyWindow(), { bits: undefined })
  return addSample(window, failed, size)
}

function sampleFigure(window: Sampled, rule: SampledRule, since: number, reading: Reading): boolean {
  const value = figureOf(rule.type, reading)
  const failed = value !== undefined && isOutside(value, rule.bounds)
  if (failed) window.value = value
  return sample(window, rule, since, failed)
}

/** @returns whether it was time to look */
function look(rule: CycleRule, state: Looked, serverId: number, traffic: Traffic, now: number): boolean {
  const { from } = traffic.cycle(rule.calendar)
  // A clock that was put back must not make it wait for years.
  const isEarly = now < state.nextAt && now > state.nextAt - 3_600_000
  if (isEarly && from === state.from) return false
  state.value = cycleValue(rule, serverId, traffic)
  state.failed = isOutside(state.value, rule.bounds)
  state.nextAt = now + secondsToNextLook(state.value, rule.bounds) * 1000
  state.from = from
  return true
}

/** Bytes within the running cycle. */
export function cycleValue({ type, calendar }: CycleRule, serverId: number, traffic: Traffic): number {
  const { in: received, out: sent } = traffic.total(calendar, serverId)
  if (type === 'transfer_in_cycle') return received
  return type === 'transfer_out_cycle' ? sent : received + sent
}

/** When the traffic of a cycle is looked at next, in milliseconds since 1970. */
export const nextLookOf = (pair: Pair, index: number): number | undefined => {
  const state = pair.states[index]
  return state?.kind === 'looked' ? state.nextAt : undefined
}

/** What the rules saw that failed together. */
export const causesOf = ({ rules }: Alert, { states }: Pair): AlarmCause[] =>
  rules.map(({ kind, type, bounds }, index) => {
    if (kind === 'offline') return { type }
    const { value } = states[index] as RuleState
    return { type, value, ...(bounds.min && { min: bounds.min }), ...(bounds.max && { max: bounds.max }) }
  })

/** A pair in few numbers: the check at which the machine was heard (0: at the latest, -1: never), then each state. */
export type PackedPair = readonly [heard: number, ...states: (readonly number[])[]]

/** `undefined` for what need not be kept: every sample passed, and there are as many as the rules ask for. */
export function packPair(alert: Alert, { states, checked, heard }: Pair): PackedPair | undefined {
  const isQuiet = states.every((state, index) => {
    const rule = alert.rules[index] as WatchedRule
    return state.kind === 'sampled' && rule.kind !== 'cycle' && state.failed === 0 && state.count === rule.size
  })
  if (isQuiet && heard === checked) return undefined
  const packed = states.map((state, index) => {
    if (state.kind === 'looked') return [state.nextAt, state.failed ? 1 : 0, state.value, state.from]
    return packWindow(state, (alert.rules[index] as SampledRule).size)
  })
  return [heard === checked ? 0 : Number.isFinite(heard) ? heard : -1, ...packed]
}

/** A pair as it was at the check `latest`. @param packed `undefined` for one that needed no keeping */
export function unpackPair(alert: Alert, packed: PackedPair | undefined, latest: number): Pair {
  const [heard, ...states] = packed ?? [0]
  return {
    states: alert.rules.map((rule, index) => {
      const numbers = states[index]
      if (rule.kind !== 'cycle') return { kind: 'sampled', ...unpackWindow(numbers ?? [rule.size], rule.size) }
      const [nextAt = 0, failed = 0, value = 0, from = Number.NaN] = numbers ?? []
      return { kind: 'looked', nextAt, failed: failed === 1, value, from }
    }),
    checked: latest,
    heard: heard === 0 ? latest : heard === -1 ? Number.NEGATIVE_INFINITY : heard,
  }
}
