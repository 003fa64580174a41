import { setTimeout as pause } from 'node:timers/promises'
import type { MachineCheck } from '../../../src/schemas/checks/checks.ts'
import type { ProbeResult } from '../../machines/hosts/probe.ts'
import type { ReasonText } from './reasonText.ts'
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
