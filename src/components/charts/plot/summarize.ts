import type { Point } from './chartSeries.ts'

/** The statistics of a series. */
export interface Summary {
  min: number
  average: number
  max: number
  last: number
}

/** Minimum, average, maximum and the last measured value; `undefined` without values. */
export function summarize(points: readonly Point[]): Summary | undefined {
  let [min, max, sum, count, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0, 0]
  for (const { value } of points) {
    if (value === null) continue
    min = Math.min(min, value)
    max = Math.max(max, value)
    sum += value
    count += 1
    last = value
  }
  return count ? { min, max, average: sum / count, last } : undefined
}
