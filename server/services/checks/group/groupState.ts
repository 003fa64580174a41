import type { CheckOf } from '../../../../src/schemas/checks/checks.ts'
import type { CheckReason } from '../../../../src/schemas/endpoints/checkEndpoints.ts'

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
