import { describe, expect, it } from 'vitest'
import { axisRange, axisSteps } from '../../../src/components/charts/plot/axis.ts'
import { summarize } from '../../../src/components/charts/plot/summarize.ts'
import { formatPercentFloor } from '../../../src/components/format/format.ts'
import { formatTimeTicks } from '../../../src/components/format/formatChartTime.ts'
import { formatMetric, type MetricUnit } from '../../../src/components/format/formatMetric.ts'
import { dailyAvailability, dayStatus, totalChecks, upPercent } from '../../../src/resources/service/availability.ts'

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
    [1234.567, 'count', 'en-US', '1,234.57'],
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
  it('ends at the highest possible value, if that is known', () => {
    expect(axisRange(3, 'bytes', 16)).toEqual([0, 16])
    // A machine that was given less memory since then.
    expect(axisRange(20, 'bytes', 16)[1]).toBeGreaterThan(20)
  })

  it('is shorter for an idle CPU than for a busy one', () => {
    expect([3, 12, 40, 80, 100].map((highest) => axisRange(highest, 'percent')[1])).toEqual([10, 25, 50, 100, 100])
  })

  it('has a height if all values are zero', () => {
    expect(axisRange(0, 'count')).toEqual([0, 1])
  })

  it('has ticks of speeds that read differently, also where hardly anything flows', () => {
    const [least = 0] = axisSteps('bytesPerSecond') ?? []
    const ticks = [0, least, 2 * least].map((tick) =>
      formatMetric(tick, 'bytesPerSecond', { locale: 'en-US', translate }),
    )
    expect(ticks).toEqual(['0.0 KiB/s', '0.5 KiB/s', '1.0 KiB/s'])
    expect(axisRange(20, 'bytesPerSecond')).toEqual([0, 1024])
  })

  it('has ticks at powers of two and whole hours, else at round numbers', () => {
    expect(axisSteps('bytes')).toContain(1024 ** 3)
    expect(axisSteps('seconds')).toContain(3600)
    expect(axisSteps('ms')).toBeUndefined()
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
    const day = (up: number, down: number) => dayStatus({ at: now, up, down })
    expect([day(10, 0), day(99, 1), day(90, 10), day(0, 5), day(0, 0)]).toEqual(['good', 'mixed', 'bad', 'bad', 'none'])
  })

  it('add up to a percentage, and to none without checks', () => {
    expect(upPercent(totalChecks(dailyAvailability([9, 0], [0, 1], now)))).toBe(90)
    expect(upPercent(totalChecks(dailyAvailability([0, 0], [0, 0], now)))).toBeUndefined()
  })
})
