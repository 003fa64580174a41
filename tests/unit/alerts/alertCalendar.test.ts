import { describe, expect, it } from 'vitest'
import { type CycleUnit, cycleAt, cycleUnitOf } from '../../../src/domain/alerts/calendar.ts'

/** The cycle at a moment, as texts. */
function cycle(start: string, interval: number, unit: CycleUnit, now: string, zone = 'UTC') {
  const { from, to } = cycleAt({ start: Date.parse(start), interval, unit }, Date.parse(now), zone)
  return [new Date(from).toISOString().replace('.000Z', 'Z'), new Date(to).toISOString().replace('.000Z', 'Z')]
}

describe('a cycle', () => {
  it.each([
    [
      'an hour',
      '2026-11-21T00:15:00Z',
      1,
      'hour',
      '2026-11-21T12:14:59Z',
      '2026-11-21T11:15:00Z',
      '2026-11-21T12:15:00Z',
    ],
    [
      '6 hours',
      '2026-11-20T23:00:00Z',
      6,
      'hour',
      '2026-11-21T12:00:00Z',
      '2026-11-21T11:00:00Z',
      '2026-11-21T17:00:00Z',
    ],
    ['a day', '2026-01-01T08:00:00Z', 1, 'day', '2026-11-21T07:59:59Z', '2026-11-20T08:00:00Z', '2026-11-21T08:00:00Z'],
    [
      '10 days',
      '2026-11-01T00:00:00Z',
      10,
      'day',
      '2026-11-21T00:00:00Z',
      '2026-11-21T00:00:00Z',
      '2026-12-01T00:00:00Z',
    ],
    [
      'a week',
      '2026-11-02T00:00:00Z',
      1,
      'week',
      '2026-11-22T23:59:59Z',
      '2026-11-16T00:00:00Z',
      '2026-11-23T00:00:00Z',
    ],
    [
      '2 weeks',
      '2026-11-02T00:00:00Z',
      2,
      'week',
      '2026-11-22T23:59:59Z',
      '2026-11-16T00:00:00Z',
      '2026-11-30T00:00:00Z',
    ],
    [
      'a month',
      '2026-01-15T00:00:00Z',
      1,
      'month',
      '2026-11-14T23:59:59Z',
      '2026-10-15T00:00:00Z',
      '2026-11-15T00:00:00Z',
    ],
    [
      '3 months',
      '2025-11-30T00:00:00Z',
      3,
      'month',
      '2026-02-28T00:00:00Z',
      '2026-02-28T00:00:00Z',
      '2026-05-30T00:00:00Z',
    ],
    [
      'a year',
      '2024-02-29T06:00:00Z',
      1,
      'year',
      '2026-11-21T00:00:00Z',
      '2026-02-28T06:00:00Z',
      '2027-02-28T06:00:00Z',
    ],
    [
      '4 years',
      '2020-02-29T06:00:00Z',
      4,
      'year',
      '2026-11-21T00:00:00Z',
      '2024-02-29T06:00:00Z',
      '2028-02-29T06:00:00Z',
    ],
    [
      'a month for 100 years',
      '1926-11-21T00:00:00Z',
      1,
      'month',
      '2026-11-20T23:59:59Z',
      '2026-10-21T00:00:00Z',
      '2026-11-21T00:00:00Z',
    ],
  ] as const)('of %s from %s', (_, start, interval, unit, now, from, to) => {
    expect(cycle(start, interval, unit, now)).toEqual([from, to])
  })

  it('that starts on the 31st starts on the last day of a shorter month, and on the 31st again after it', () => {
    const begins = ['2027-02-10', '2027-03-10', '2027-04-10', '2027-05-10', '2028-02-29', '2028-03-01'].map(
      (day) => cycle('2026-10-31T00:00:00Z', 1, 'month', `${day}T12:00:00Z`)[0],
    )
    expect(begins).toEqual([
      '2027-01-31T00:00:00Z',
      '2027-02-28T00:00:00Z',
      '2027-03-31T00:00:00Z',
      '2027-04-30T00:00:00Z',
      '2028-02-29T00:00:00Z',
      '2028-02-29T00:00:00Z',
    ])
  })

  it('starts at local midnight in summer and in winter', () => {
    const start = '2026-01-01T00:00:00+01:00'
    expect(cycle(start, 1, 'month', '2026-07-10T00:00:00Z', 'Europe/Berlin')).toEqual([
      '2026-06-30T22:00:00Z',
      '2026-07-31T22:00:00Z',
    ])
    expect(cycle(start, 1, 'month', '2026-11-10T00:00:00Z', 'Europe/Berlin')).toEqual([
      '2026-10-31T23:00:00Z',
      '2026-11-30T23:00:00Z',
    ])
    // The days on which clocks change have 23 and 25 hours.
    expect(cycle(start, 1, 'day', '2026-03-29T12:00:00Z', 'Europe/Berlin')).toEqual([
      '2026-03-28T23:00:00Z',
      '2026-03-29T22:00:00Z',
    ])
    expect(cycle(start, 1, 'day', '2026-10-25T12:00:00Z', 'Europe/Berlin')).toEqual([
      '2026-10-24T22:00:00Z',
      '2026-10-25T23:00:00Z',
    ])
  })

  it('starts after the gap when its local time is skipped, and at the first of two when it occurs twice', () => {
    const start = '2026-01-01T02:30:00+01:00'
    expect(cycle(start, 1, 'day', '2026-03-29T12:00:00Z', 'Europe/Berlin')[0]).toBe('2026-03-29T01:30:00Z')
    expect(cycle(start, 1, 'day', '2026-10-25T12:00:00Z', 'Europe/Berlin')[0]).toBe('2026-10-25T00:30:00Z')
  })

  it('of hours ignores clock changes', () => {
    const start = '2026-03-28T00:30:00+01:00'
    expect(cycle(start, 24, 'hour', '2026-03-30T12:00:00Z', 'Europe/Berlin')).toEqual([
      '2026-03-29T23:30:00Z',
      '2026-03-30T23:30:00Z',
    ])
  })

  it('is the first one before its start, and ends at the maximum time when it is longer', () => {
    expect(cycle('2026-12-01T00:00:00Z', 1, 'day', '2026-11-21T00:00:00Z')).toEqual([
      '2026-12-01T00:00:00Z',
      '2026-12-02T00:00:00Z',
    ])
    for (const unit of ['hour', 'day', 'week', 'month', 'year'] as const) {
      expect(cycle('2026-11-01T00:00:00Z', Number.MAX_SAFE_INTEGER, unit, '2026-11-21T00:00:00Z')).toEqual([
        '2026-11-01T00:00:00Z',
        '+275760-09-13T00:00:00Z',
      ])
    }
  })

  it('follows the previous one without a gap, across clock changes and month lengths', () => {
    for (const unit of ['day', 'week', 'month'] as const) {
      const calendar = { start: Date.parse('2024-01-31T02:30:00Z'), interval: 1, unit }
      let { from, to } = cycleAt(calendar, calendar.start, 'America/New_York')
      for (let count = 0; count < 40; count++) {
        expect(cycleAt(calendar, to - 1, 'America/New_York')).toEqual({ from, to })
        const next = cycleAt(calendar, to, 'America/New_York')
        expect(next.from).toBe(to)
        expect(next.to).toBeGreaterThan(next.from)
        from = next.from
        to = next.to
      }
    }
  })

  it('accepts units in any case, and takes unknown ones as hours', () => {
    expect(['Day', 'WEEK', 'month', 'YeaR', 'hour', 'fortnight', '', undefined].map(cycleUnitOf)).toEqual([
      'day',
      'week',
      'month',
      'year',
      'hour',
      'hour',
      'hour',
      'hour',
    ])
  })
})
