import { describe, expect, it } from 'vitest'
import { countedBytes, forecastBytes } from '../../../server/traffic/periodTraffic.ts'
import { contractEnd, daysUntil, pricePerMonth } from '../../../src/domain/contract/contractTimes.ts'
import { periodAt, periodsUntil } from '../../../src/domain/contract/trafficPeriods.ts'

const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString().slice(0, 16))
const at = (text: string) => Date.parse(text)

describe('a period of traffic', () => {
  const period = (resets_on: number, now: string, zone = 'UTC') => {
    const { from, to } = periodAt({ resets_on, zone: '' }, at(now), zone)
    return [iso(from), iso(to)]
  }

  it.each([
    [1, '2026-11-27T12:00Z', ['2026-11-01T00:00', '2026-12-01T00:00']],
    [28, '2026-11-27T12:00Z', ['2026-10-28T00:00', '2026-11-28T00:00']],
    [31, '2026-11-30T00:00Z', ['2026-11-30T00:00', '2026-12-31T00:00']],
    [31, '2027-02-27T23:59Z', ['2027-01-31T00:00', '2027-02-28T00:00']],
    [30, '2028-02-29T00:00Z', ['2028-02-29T00:00', '2028-03-30T00:00']],
  ])('that begins on the %i. has at %s the bounds %j', (resetsOn, now, bounds) => {
    expect(period(resetsOn, now)).toEqual(bounds)
  })

  it('begins at midnight of its zone, in summer too', () => {
    expect(period(15, '2026-10-20T12:00Z', 'Europe/Rome')).toEqual(['2026-10-14T22:00', '2026-11-14T23:00'])
  })

  it('follows on the one before without a gap', () => {
    const periods = periodsUntil({ resets_on: 31, zone: '' }, at('2026-11-27T12:00Z'), 'Asia/Tokyo', 24)
    expect(periods).toHaveLength(24)
    for (const [index, { from }] of periods.entries()) expect(periods[index + 1]?.to ?? from).toBe(from)
  })
})

describe('a contract', () => {
  const now = at('2026-11-27T12:00Z')

  it('ends when it says, and one that renews itself at the end of its cycle', () => {
    const end = (ends_at: string, renews: boolean, cycle: 'year' | 'once') =>
      iso(contractEnd({ ends_at, renews, cycle }, now))
    expect(end('2026-12-24T00:00:00Z', false, 'year')).toBe('2026-12-24T00:00')
    expect(end('2024-12-24T00:00:00Z', true, 'year')).toBe('2026-12-24T00:00')
    expect(end('2024-12-24T00:00:00Z', false, 'year')).toBe('2024-12-24T00:00')
    expect(end('2024-12-24T00:00:00Z', true, 'once')).toBe('2024-12-24T00:00')
    expect(end('', true, 'year')).toBeUndefined()
    expect([daysUntil(now + 1, now), daysUntil(now, now), daysUntil(now - 86_400_001, now)]).toEqual([1, 0, -1])
  })

  it('costs so much in a month', () => {
    expect(pricePerMonth({ price: 60, cycle: 'year' })).toBe(5)
    expect(pricePerMonth({ price: 60, cycle: 'five' })).toBe(1)
    expect(pricePerMonth({ price: 60, cycle: 'once' })).toBeUndefined()
    expect(pricePerMonth({ price: 0, cycle: 'month' })).toBeUndefined()
  })

  it('counts the direction that it names', () => {
    const bytes = { received: 30, sent: 12 }
    expect((['in', 'out', 'sum', 'larger'] as const).map((counts) => countedBytes(bytes, counts))).toEqual([
      30, 12, 42, 30,
    ])
  })

  it('has a forecast once six hours are counted', () => {
    const day = 86_400_000
    const period = { from: 0, to: 30 * day }
    expect(forecastBytes(100, period, 10 * day)).toBe(300)
    expect(forecastBytes(100, period, 10 * day, 5 * day)).toBe(500)
    expect(forecastBytes(100, period, day / 5)).toBeUndefined()
    expect(forecastBytes(100, period, 40 * day)).toBe(100)
  })
})
