import { describe, expect, it } from 'vitest'
import { exchangeOf, monthOf, monthText, paymentsByMonth } from '../../../server/traffic/costs.ts'
import { bytesText, quotaText } from '../../../src/domain/contract/bytesText.ts'

const now = Date.parse('2026-11-15T00:00:00Z')

describe('what falls due of a contract', () => {
  const due = (ends_at: string, renews: boolean, cycle: 'month' | 'quarter' | 'year' | 'two' | 'once') =>
    paymentsByMonth({ price: 12, cycle, ends_at, renews }, now, 4)

  it('is paid at the end of each cycle while it goes on', () => {
    expect(due('2026-11-20T00:00:00Z', true, 'month')).toEqual([12, 12, 12, 12])
    expect(due('2020-11-10T00:00:00Z', true, 'month')).toEqual([0, 12, 12, 12])
    expect(due('2026-12-31T00:00:00Z', true, 'quarter')).toEqual([0, 12, 0, 0])
    expect(due('2025-01-31T00:00:00Z', true, 'two')).toEqual([0, 0, 12, 0])
    expect(due('2025-02-28T00:00:00Z', true, 'year')).toEqual([0, 0, 0, 12])
  })

  it('is paid until its end where it does not renew itself', () => {
    expect(due('2027-01-20T00:00:00Z', false, 'month')).toEqual([12, 12, 0, 0])
    expect(due('2027-01-20T00:00:00Z', false, 'year')).toEqual([0, 0, 0, 0])
    expect(due('2020-01-20T00:00:00Z', false, 'month')).toEqual([0, 0, 0, 0])
  })

  it('is a share of each month without an end, and nothing for what is paid once', () => {
    expect(due('', false, 'quarter')).toEqual([4, 4, 4, 4])
    expect(due('', false, 'once')).toEqual([0, 0, 0, 0])
  })

  it('is in months of the calendar', () => {
    expect([0, 1, 2].map((index) => monthText(monthOf(now) + index))).toEqual(['2026-11', '2026-12', '2027-01'])
  })
})

describe('the currency of sums', () => {
  it('is that of most contracts until somebody chooses one, and prices without one are in it', () => {
    expect(exchangeOf('', [], ['USD', 'EUR', '', 'EUR', '', '']).currency).toBe('EUR')
    expect(exchangeOf('', [], ['USD', 'EUR']).currency).toBe('EUR')
    const exchange = exchangeOf('CHF', [{ currency: 'USD', rate: 0.8 }], ['USD'])
    expect(['USD', 'CHF', '', 'EUR'].map((currency) => exchange.convert(10, currency))).toEqual([8, 10, 10, undefined])
    // Somebody may have others most than the person who typed the rates.
    const unchosen = exchangeOf('', [{ currency: 'USD', rate: 0.8 }], ['GBP', 'GBP', 'USD'])
    expect(['USD', 'GBP', ''].map((currency) => unchosen.convert(10, currency))).toEqual([undefined, 10, 10])
  })
})

it('writes bytes in the units of their quota', () => {
  const texts = [80.5e9, 999_950, 12].map((bytes) => bytesText(bytes, 'en-US', 1e12))
  expect(texts).toEqual(['80.5 GB', '1 MB', '12 B'])
  expect(bytesText(1.5 * 1024 ** 4, 'de-DE', 2 * 1024 ** 4)).toBe('1,5 TiB')
  expect(quotaText(1.5e12)).toBe('1.5 TB')
})
