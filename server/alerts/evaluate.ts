import type { SampleWindow } from './sampleWindow.ts'

/** The bounds of a rule; 0 and none are no bound. */
export interface Bounds {
  min?: number
  max?: number
}

/** Whether a value lies beyond a bound. */
export const isOutside = (value: number, { min = 0, max = 0 }: Bounds): boolean =>
  (max > 0 && value > max) || (min > 0 && value < min)

/**
 * Whether a rule fails by its last samples; `undefined` while there are fewer than it asks for. A machine is offline
 * when it was silent in all of them; any other rule fails when more than 70 % of them failed.
 */
export function verdictOf({ count, failed }: SampleWindow, size: number, isOffline: boolean): boolean | undefined {
  if (count < size) return undefined
  // In whole numbers: 0.7 is a little less than seven tenths.
  return isOffline ? failed === count : failed * 10 > count * 7
}

/**
 * Whether an alert fails, by the verdicts of its rules: all of them have to fail together. `undefined` while that
 * cannot be told.
 */
export function allFail(verdicts: readonly (boolean | undefined)[]): boolean | undefined {
  if (verdicts.includes(false)) return false
  return verdicts.includes(undefined) ? undefined : true
}

/** Seconds until the traffic of a cycle is looked at again: half an hour, and the sooner the nearer its limit is. */
export function secondsToNextLook(value: number, { max = 0 }: Bounds): number {
  if (!(max > 0)) return soonest
  return Math.min(latest, Math.max(soonest, Math.round((latest * (max - value)) / max)))
}

const soonest = 180
const latest = 1800
