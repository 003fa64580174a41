import type { SampleWindow } from './sampleWindow.ts'

/** The bounds of a rule; 0 and absent mean no bound. */
export interface Bounds {
  min?: number
  max?: number
}

/** Whether a value is outside its bounds. */
export const isOutside = (value: number, { min = 0, max = 0 }: Bounds): boolean =>
  (max > 0 && value > max) || (min > 0 && value < min)

/**
 * Whether a rule fails by its last samples; `undefined` while there are fewer than it needs. An offline rule fails when
 * all samples failed, any other rule when more than 70 % did.
 */
export function samplesFail(
  { count, failed }: SampleWindow,
  sampleCount: number,
  isOffline: boolean,
): boolean | undefined {
  if (count < sampleCount) return undefined
  // In whole numbers, because the floating-point number 0.7 is a little less than seven tenths.
  return isOffline ? failed === count : failed * 10 > count * 7
}

/** Whether an alert fails, by the results of its rules: all have to fail together. `undefined` while one is unknown. */
export function alertFails(results: readonly (boolean | undefined)[]): boolean | undefined {
  if (results.includes(false)) return false
  return results.includes(undefined) ? undefined : true
}

/** Seconds until a cycle is evaluated again: half an hour at most, and less the closer its traffic is to the limit. */
export function secondsToNextEvaluation(value: number, { max = 0 }: Bounds): number {
  if (!(max > 0)) return minSeconds
  return Math.min(maxSeconds, Math.max(minSeconds, Math.round((maxSeconds * (max - value)) / max)))
}

const minSeconds = 180
const maxSeconds = 1800
