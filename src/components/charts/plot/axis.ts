import { formatMetric, formatNumber, type Language, type MetricUnit } from '../../format/format.ts'
import type { ChartBound, Summary } from './chartSeries.ts'

const powersOfTwo = Array.from({ length: 52 }, (_, power) => 2 ** power)
/** 1, 2 and 5 times each power of ten. */
const roundNumbers = Array.from({ length: 13 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat()
/** Bytes per second: smaller steps say nothing of a network. */
const leastSpeedStep = 512
const [minute, hour, day] = [60, 3600, 86_400]

/** Possible intervals of an axis, by unit; of the others, any round number. */
const stepsByUnit: Partial<Record<MetricUnit, number[]>> = {
  bytes: powersOfTwo,
  bytesPerSecond: powersOfTwo.filter((step) => step >= leastSpeedStep),
  // There is no half a connection.
  count: roundNumbers,
  percent: [5, 10, 20, 25, 50, 100],
  seconds: [
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
  ],
}

/** Possible intervals of an axis: powers of two for bytes, whole minutes, hours and days for durations. */
export const axisSteps = (unit: MetricUnit): number[] | undefined => stepsByUnit[unit]

/** A bound this many times as high as the highest value would press the lines to the ground. */
const maxStretch = 4

export interface AxisContent {
  /** The lowest and the highest value; `undefined` without any. */
  values: Pick<Summary, 'min' | 'max'> | undefined
  /** The highest possible value, where it is known: the axis ends there. */
  most?: number
  /** The bounds of rules; the axis reaches to those that are near, and to those that are crossed. */
  bounds?: readonly Pick<ChartBound, 'value' | 'side'>[]
}

/** The range of a value axis: from zero to a little above the highest value; percentages end at 100. */
export function axisRange(unit: MetricUnit, { values, most, bounds = [] }: AxisContent): [number, number] {
  const [lowest, highest] = [Math.min(0, values?.min ?? 0), Math.max(0, values?.max ?? 0)]
  const near = bounds.filter(({ value, side }) => side === 'min' || highest === 0 || value <= highest * maxStretch)
  const reached = Math.max(highest, ...near.map(({ value }) => value))
  // Only degrees are below zero.
  const from = lowest < 0 ? lowest * headroom : 0
  const end = unit === 'percent' ? 100 : most
  if (end && end >= reached) return [from, end]
  if (unit === 'bytesPerSecond') return [from, Math.max(2 * leastSpeedStep, reached * headroom)]
  return [from, reached > 0 ? reached * headroom : 1]
}

const headroom = 1.1

const sizeUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const
const maxDigits = 3

/** The labels of a value axis: all in one unit, with the same number of decimals, as few as tell them apart. */
export function axisLabels(ticks: readonly number[], unit: MetricUnit, language: Language): string[] {
  const highest = Math.max(0, ...ticks.map(Math.abs))
  if (unit === 'seconds') return ticks.map((tick) => formatMetric(tick, unit, language))
  const isSize = unit === 'bytes' || unit === 'bytesPerSecond'
  const power = isSize ? powerOf(highest, unit === 'bytesPerSecond' ? 1 : 0) : 0
  const scaled = ticks.map((tick) => tick / 1024 ** power)
  const digits = digitsOf(scaled)
  const number = (value: number) => formatNumber(value, language.locale, digits)
  if (isSize) {
    const name = `${sizeUnits[power]}${unit === 'bytesPerSecond' ? '/s' : ''}`
    return scaled.map((value) => `${number(value)} ${name}`)
  }
  if (unit === 'count' || unit === 'load') return scaled.map(number)
  return scaled.map((value) => formatMetric(value, unit, language, digits))
}

/** The largest unit of which the highest label is at least one. */
function powerOf(highest: number, least: number): number {
  let power = least
  while (power < sizeUnits.length - 1 && highest / 1024 ** (power + 1) >= 1) power += 1
  return power
}

/** As many decimals as these numbers have. */
function digitsOf(numbers: readonly number[]): number {
  for (let digits = 0; digits < maxDigits; digits += 1) {
    const factor = 10 ** digits
    if (numbers.every((value) => Math.abs(value * factor - Math.round(value * factor)) < 1e-6)) return digits
  }
  return maxDigits
}
