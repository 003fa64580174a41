import { describe, expect, it } from 'vitest'
import { daysOf, healthOf, totalOf, upPercent } from '../../../src/custom/charts/availability.ts'
import { summaryOf } from '../../../src/custom/charts/plot/summarize.ts'
import { tickWords } from '../../../src/custom/format/formatChartTime.ts'
import { formatShare, formatValue, scaleOf, stepsOf, type Unit } from '../../../src/custom/format/formatMetric.ts'

const translate = (key: string, args: Record<string, unknown> = {}) => `${args.count} ${key.split('.').at(-1)}`

describe('Figures of a chart', () => {
  it.each<[number, Unit, string, string]>([
    [0.2695, 'ms', 'en-US', '0.27 ms'],
    [12.34, 'ms', 'en-US', '12.3 ms'],
    [1234.5, 'ms', 'de-DE', '1.235 ms'],
    [3_865_470_566, 'bytes', 'en-US', '3.6 GiB'],
    [2_936_013, 'bytesPerSecond', 'en-US', '2.8 MiB/s'],
    [47.25, 'celsius', 'en-US', '47.3°C'],
    [11_550, 'seconds', 'en-US', '3 hours 12 minutes'],
    [1234.567, 'count', 'en-US', '1,234.57'],
  ])('%d as %s reads in %s: %s', (value, unit, locale, words) => {
    expect(formatValue(value, unit, { locale, translate })).toBe(words)
  })

  it('never call it 100 % where something failed', () => {
    expect(formatShare(99.999, 'en-US')).toBe('99.99%')
    expect(formatShare(100, 'en-US')).toBe('100%')
    expect(formatShare(99.4, 'en-US')).toBe('99.4%')
  })

  it('are summed up without the moments at which nothing was measured', () => {
    const points = [4, null, 2, 9, null].map((value, at) => ({ at, value }))
    expect(summaryOf(points)).toEqual({ min: 2, average: 5, max: 9, last: 9 })
    expect(summaryOf([{ at: 0, value: null }])).toBeUndefined()
  })
})

describe('The scale of a chart', () => {
  it('ends where the figure can be at most, if that is known', () => {
    expect(scaleOf(3, 'bytes', 16)).toEqual([0, 16])
    // A machine that was given less memory since then.
    expect(scaleOf(20, 'bytes', 16)[1]).toBeGreaterThan(20)
  })

  it('shows a processor that does little larger than one that is busy', () => {
    expect([3, 12, 40, 80, 100].map((highest) => scaleOf(highest, 'percent')[1])).toEqual([10, 25, 50, 100, 100])
  })

  it('has room where everything is zero', () => {
    expect(scaleOf(0, 'count')).toEqual([0, 1])
  })

  it('goes by whole KiB and whole hours, and by round numbers elsewhere', () => {
    expect(stepsOf('bytes')).toContain(1024 ** 3)
    expect(stepsOf('seconds')).toContain(3600)
    expect(stepsOf('ms')).toBeUndefined()
  })
})

describe('The axis of time', () => {
  it('tells times within a day, the day at midnight, and days where they are far apart', () => {
    const midnight = new Date(2026, 10, 21).getTime()
    const hour = 3_600_000
    expect(tickWords([midnight - hour, midnight, midnight + hour], hour, 'de-DE')).toEqual([
      '23:00',
      '21. Nov.',
      '01:00',
    ])
    expect(tickWords([midnight + hour], 24 * hour, 'en-US')).toEqual(['Nov 21'])
  })
})

describe('The days of a service', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')

  it('end with today', () => {
    expect(daysOf([0, 5, 9], [0, 0, 1], now)).toEqual([
      { at: Date.parse('2026-11-19T12:00:00Z'), up: 0, down: 0 },
      { at: Date.parse('2026-11-20T12:00:00Z'), up: 5, down: 0 },
      { at: now, up: 9, down: 1 },
    ])
  })

  it('were good, now and then bad, bad, or not checked', () => {
    const day = (up: number, down: number) => healthOf({ at: now, up, down })
    expect([day(10, 0), day(99, 1), day(90, 10), day(0, 5), day(0, 0)]).toEqual(['good', 'mixed', 'bad', 'bad', 'none'])
  })

  it('add up to a share of good checks, and to none without a check', () => {
    expect(upPercent(totalOf(daysOf([9, 0], [0, 1], now)))).toBe(90)
    expect(upPercent(totalOf(daysOf([0, 0], [0, 0], now)))).toBeUndefined()
  })
})
