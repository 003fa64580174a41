import type { OwnCheck } from '../../../src/schemas/checks/checks.ts'
import type { CheckReason } from '../../../src/schemas/endpoints/checkEndpoints.ts'
import type { ProbeResult } from '../../machines/hosts/probe.ts'
import { groupState, type StateOf } from './group/groupState.ts'
import type { Pushes } from './push/pushes.ts'
import { pushState } from './push/pushState.ts'
import type { ReasonText } from './reasonText.ts'

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
