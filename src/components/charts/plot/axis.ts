import type { MetricUnit } from '../../format/formatMetric.ts'

const powersOfTwo = Array.from({ length: 52 }, (_, power) => 2 ** power)
/** Bytes per second: speeds are written in KiB/s with one decimal, so that smaller steps would all read 0.0. */
const leastSpeedStep = 512

/** Possible intervals of an axis: powers of two for bytes, whole minutes, hours and days for durations. */
export function axisSteps(unit: MetricUnit): number[] | undefined {
  if (unit === 'bytes') return powersOfTwo
  if (unit === 'bytesPerSecond') return powersOfTwo.filter((step) => step >= leastSpeedStep)
  if (unit === 'seconds') {
    const [minute, hour, day] = [60, 3600, 86_400]
    return [
      10,
      30,
      minute,
      5 * minute,
      15 * minute,
      hour,
      3 * hour,
      6 * hour,
      12 * hour,
      ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000].map((days) => days * day),
    ]
  }
  return undefined
}

/** Possible ends of a percent axis, so that the line of an idle processor is not flat. */
const percentTops = [10, 25, 50, 100]

/**
 * The range of a value axis: from zero to a little above the highest value.
 * @param max the highest possible value, where it is known: the axis ends there
 */
export function axisRange(highest: number, unit: MetricUnit, max?: number): [number, number] {
  if (max && max >= highest) return [0, max]
  if (unit === 'percent') return [0, percentTops.find((top) => top >= highest) ?? highest * 1.1]
  if (unit === 'bytesPerSecond') return [0, Math.max(2 * leastSpeedStep, highest * 1.1)]
  return [0, highest > 0 ? highest * 1.1 : 1]
}
