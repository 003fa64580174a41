import { describe, expect, it } from 'vitest'
import { axisLabels, axisRange, axisSteps } from '../../../src/components/charts/plot/axis.ts'
import { summarize } from '../../../src/components/charts/plot/chartSeries.ts'
import {
  formatMetric,
  formatPercentFloor,
  formatTimeTicks,
  type MetricUnit,
} from '../../../src/components/format/format.ts'
import { dailyAvailability, dayStatus, totalChecks, upPercent } from '../../../src/domain/availability.ts'

const translate = (key: string, args: Record<string, unknown> = {}) => `${args.count} ${key.split('.').at(-1)}`

describe('The values of a chart', () => {
  it.each<[number, MetricUnit, string, string]>([
    [0.2695, 'ms', 'en-US', '0.27 ms'],
    [12.34, 'ms', 'en-US', '12.3 ms'],
    [1234.5, 'ms', 'de-DE', '1.235 ms'],
    [3_865_470_566, 'bytes', 'en-US', '3.6 GiB'],
    [2_936_013, 'bytesPerSecond', 'en-US', '2.8 MiB/s'],
    [47.25, 'celsius', 'en-US', '47.3°C'],
    [11_550, 'seconds', 'en-US', '3 hours 12 minutes'],
    [1234.567, 'count', 'en-US', '1,235'],
    [0.33, 'count', 'de-DE', '0,3'],
    [0.5, 'load', 'en-US', '0.50'],
  ])('%d as %s reads in %s: %s', (value, unit, locale, words) => {
    expect(formatMetric(value, unit, { locale, translate })).toBe(words)
  })

  it('are never rounded up to 100 %', () => {
    expect(formatPercentFloor(99.999, 'en-US')).toBe('99.99%')
    expect(formatPercentFloor(100, 'en-US')).toBe('100%')
    expect(formatPercentFloor(99.4, 'en-US')).toBe('99.4%')
  })

  it('are summarized without the times without a value', () => {
    const points = [4, null, 2, 9, null].map((value, at) => ({ at, value }))
    expect(summarize(points)).toEqual({ min: 2, average: 5, max: 9, last: 9 })
    expect(summarize([{ at: 0, value: null }])).toBeUndefined()
  })
})

describe('The value axis of a chart', () => {
  const end = (unit: MetricUnit, max: number, rest: Partial<Parameters<typeof axisRange>[1]> = {}) =>
    axisRange(unit, { values: { min: 0, max }, ...rest })[1]
  const above = (value: number) => [{ value, side: 'max' as const }]

  it('ends at the highest possible value, if that is known', () => {
    expect(end('bytes', 3, { most: 16 })).toBe(16)
    // A machine that was given less memory since then.
    expect(end('bytes', 20, { most: 16 })).toBeGreaterThan(20)
  })

  it('goes from 0 to 100 for percentages, for an idle processor as for a busy one', () => {
    expect([0, 3, 100].map((highest) => end('percent', highest))).toEqual([100, 100, 100])
    expect(end('percent', 160)).toBeGreaterThan(160)
  })

  it('has a height if all values are zero, or none is there', () => {
    expect(axisRange('count', { values: { min: 0, max: 0 } })).toEqual([0, 1])
    expect(axisRange('load', { values: undefined })).toEqual([0, 1])
    expect(axisRange('bytesPerSecond', { values: { min: 0, max: 20 } })).toEqual([0, 1024])
  })

  it('goes below zero for frost', () => {
    expect(axisRange('celsius', { values: { min: -10, max: 20 } })[0]).toBeLessThan(-10)
  })

  it('reaches to a bound that is near, and not to one that would press the line to the ground', () => {
    expect(end('load', 3, { bounds: above(8) })).toBeGreaterThan(8)
    expect(end('load', 0, { bounds: above(8) })).toBeGreaterThan(8)
    expect(end('load', 0.2, { bounds: above(8) })).toBeLessThan(1)
    // Whoever is below a lower bound is in trouble.
    expect(end('count', 3, { bounds: [{ value: 100, side: 'min' }] })).toBeGreaterThan(100)
  })

  it('has ticks at powers of two, whole hours and whole things, else at round numbers', () => {
    expect(axisSteps('bytes')).toContain(1024 ** 3)
    expect(axisSteps('seconds')).toContain(3600)
    expect(Math.min(...(axisSteps('count') ?? []))).toBe(1)
    expect(axisSteps('ms')).toBeUndefined()
  })

  it.each<[readonly number[], MetricUnit, string, string[]]>([
    [[0, 524_288, 1_048_576], 'bytesPerSecond', 'en-US', ['0.0 MiB/s', '0.5 MiB/s', '1.0 MiB/s']],
    [[0, 512, 1024], 'bytesPerSecond', 'de-DE', ['0,0 KiB/s', '0,5 KiB/s', '1,0 KiB/s']],
    [[0, 4 * 1024 ** 3, 8 * 1024 ** 3], 'bytes', 'en-US', ['0 GiB', '4 GiB', '8 GiB']],
    [[0, 0], 'bytes', 'en-US', ['0 B', '0 B']],
    [[0, 0.25, 0.5], 'load', 'en-US', ['0.00', '0.25', '0.50']],
    [[0, 1000, 2000], 'count', 'de-DE', ['0', '1.000', '2.000']],
    [[0, 50, 100], 'percent', 'en-US', ['0%', '50%', '100%']],
    [[40, 42.5, 45], 'celsius', 'en-US', ['40.0°C', '42.5°C', '45.0°C']],
    [[0, 100, 200], 'ms', 'en-US', ['0 ms', '100 ms', '200 ms']],
    [[0, 86_400], 'seconds', 'en-US', ['0 seconds', '1 days']],
  ])('labels %j of %s in %s in one unit, all alike', (ticks, unit, locale, labels) => {
    expect(axisLabels(ticks, unit, { locale, translate })).toEqual(labels)
  })
})

describe('The time axis of a chart', () => {
  it('shows times of day, dates at midnight, and dates if the ticks are far apart', () => {
    const midnight = new Date(2026, 10, 21).getTime()
    const hour = 3_600_000
    expect(formatTimeTicks([midnight - hour, midnight, midnight + hour], hour, 'de-DE')).toEqual([
      '23:00',
      '21. Nov.',
      '01:00',
    ])
    expect(formatTimeTicks([midnight + hour], 24 * hour, 'en-US')).toEqual(['Nov 21'])
  })
})

describe('The days of a service', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')

  it('end today', () => {
    expect(dailyAvailability([0, 5, 9], [0, 0, 1], now)).toEqual([
      { at: Date.parse('2026-11-19T12:00:00Z'), up: 0, down: 0 },
      { at: Date.parse('2026-11-20T12:00:00Z'), up: 5, down: 0 },
      { at: now, up: 9, down: 1 },
    ])
  })

  it('are good, mixed, bad, or without checks', () => {
    const day = (up: number, down: number) => dayStatus(upPercent({ up, down }))
    expect([day(10, 0), day(1439, 1), day(99, 1), day(90, 10), day(0, 5), day(0, 0)]).toEqual([
      'good',
      'good',
      'mixed',
      'bad',
      'bad',
      'none',
    ])
  })

  it('add up to a percentage, and to none without checks', () => {
    expect(upPercent(totalChecks(dailyAvailability([9, 0], [0, 1], now)))).toBe(90)
    expect(upPercent(totalChecks(dailyAvailability([0, 0], [0, 0], now)))).toBeUndefined()
  })
})
