import { setTimeout as pause } from 'node:timers/promises'
import { fillText } from '../../../i18n/fillText.ts'
import type { CheckOf, MachineCheck, OwnCheck } from '../../../src/schemas/checks/checks.ts'
import type { CheckReason } from '../../../src/schemas/endpoints/checkEndpoints.ts'
import type { Store } from '../../db/store.ts'
import type { ProbeResult } from '../../machines/hosts/probe.ts'
import { siteLocale } from '../../site/locale.ts'
import { readSite } from '../../site/site.ts'
import { readTexts } from '../../texts.ts'
import { type Pushes, pushState } from './push/pushes.ts'
import { type CheckingHost, type CheckResult, type RunOptions, runCheck } from './runCheck.ts'

/** A service's check, and how often it is repeated before it counts as failed. */
export interface ServiceCheck {
  check: MachineCheck
  target: string
}

/**
 * Checks a service from a machine, as `Host.probe` does what a service's type says.
 * @returns `undefined` when the machine has gone before it knew
 */
export async function probeByCheck(
  host: CheckingHost,
  { check, target }: ServiceCheck,
  options: RunOptions,
  reasonText: ReasonText,
): Promise<ProbeResult | undefined> {
  const result = await runCheck(check, target, host, options)
  return result && toProbeResult(result, reasonText)
}

function toProbeResult(result: CheckResult, reasonText: ReasonText): ProbeResult {
  const { state, reason, phases, certificate, chain, code, answer } = result
  const details = { phases, ...(certificate && { certificate }), ...(chain && { chain }) }
  if (state === 'up' || !reason) return { outcome: 'up', delay: phases.whole, ...details }
  const problem = reasonText(reason)
  if (state === 'not_permitted') return { outcome: 'not permitted', problem }
  const failure = { reason, ...(code !== undefined && { code }), ...(answer !== undefined && { answer }) }
  return { outcome: 'down', problem, failure, ...details }
}

/**
 * Repeats a check that has failed.
 * @param work checks once
 * @returns the first result that is no failure, else the last one
 * @throws what `work` throws, or the reason of `signal`
 */
export async function retried(
  work: () => Promise<ProbeResult | undefined>,
  { retries, pauseMs, signal }: { retries: number; pauseMs: number; signal: AbortSignal },
): Promise<ProbeResult | undefined> {
  let result = await work()
  for (let left = retries; left > 0 && result?.outcome === 'down'; left--) {
    await pause(pauseMs, undefined, { signal })
    result = await work()
  }
  return result
}

export interface OwnCheckSources {
  pushes: Pick<Pushes, 'of'>
  stateOf: StateOf
  reasonText: ReasonText
}

/** When a service is looked at: both in milliseconds since 1970. */
export interface Moment {
  /** When this server began to listen, or the service was made. */
  since: number
  now: number
}

/**
 * The result of a check that no machine makes: by the calls of a job, or by other services.
 * @returns `undefined` while nothing is known
 */
export function ownResult(
  service: number,
  check: OwnCheck,
  moment: Moment,
  { pushes, stateOf, reasonText }: OwnCheckSources,
): ProbeResult | undefined {
  const down = (reason: CheckReason): ProbeResult => ({
    outcome: 'down',
    problem: reasonText(reason),
    failure: { reason },
    isCertain: true,
  })
  if (check.kind === 'push') {
    const state = pushState(check, pushes.of(service), moment)
    if (!state) return undefined
    return state.state === 'up' ? { outcome: 'up', delay: state.ms, isCertain: true } : down(state.reason)
  }
  const state = groupState(check, stateOf)
  if (!state) return undefined
  return state.state === 'up' ? { outcome: 'up', delay: 0, isCertain: true } : down(state.reason)
}

/** Says in the language of the site why a check has failed: for notifications, and for clients without texts of their own. */
type ReasonText = (reason: CheckReason) => string

const texts = readTexts('checks')

export const reasonTextOf =
  (store: Pick<Store, 'value'>): ReasonText =>
  ({ key, values }) => {
    const { reasons } = texts[siteLocale(readSite(store).language)].app.checks
    const text = Object.entries(reasons).find(([name]) => name === key)?.[1]
    return text === undefined ? key : fillText(text, values)
  }

/** What is known of another service; `undefined` before its first check, and when it does not exist. */
export type StateOf = (service: number) => 'up' | 'down' | 'paused' | undefined

/**
 * Whether a group of services is up, without those that are paused.
 * @returns `undefined` while too little is known of them
 */
export function groupState(
  { services, needs }: Pick<CheckOf<'group'>, 'services' | 'needs'>,
  stateOf: StateOf,
): { state: 'up' } | { state: 'down'; reason: CheckReason } | undefined {
  const states = services.map(stateOf).filter((state) => state !== 'paused')
  if (states.length === 0) return undefined
  const up = states.filter((state) => state === 'up').length
  const unknown = states.filter((state) => state === undefined).length
  const needed = needs === 'all' ? states.length : needs === 'any' ? 1 : Math.min(needs, states.length)
  if (up >= needed) return { state: 'up' }
  // Those that are not known yet might make the difference.
  if (up + unknown >= needed) return undefined
  return { state: 'down', reason: { key: 'group', values: { up, all: states.length, needed } } }
}
