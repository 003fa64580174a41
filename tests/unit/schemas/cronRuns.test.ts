import { describe, expect, it } from 'vitest'
import { parseCron } from '../../../src/domain/cron/cronExpression.ts'
import { nextRuns } from '../../../src/domain/cron/cronRuns.ts'

const berlin = 'Europe/Berlin'

function runs(expression: string, after: string, count: number, zone = 'UTC'): string[] {
  return nextRuns(parseCron(expression), Date.parse(after), zone, count).map((at) =>
    new Date(at).toISOString().replace('.000Z', 'Z'),
  )
}

describe('the next runs', () => {
  it('are after the moment, never at it', () => {
    expect(runs('0 0 3 * * *', '2026-11-21T03:00:00Z', 2)).toEqual(['2026-11-22T03:00:00Z', '2026-11-23T03:00:00Z'])
    expect(runs('0 0 3 * * *', '2026-11-21T02:59:59.999Z', 1)).toEqual(['2026-11-21T03:00:00Z'])
  })

  it('pass over the ends of minutes, days, months and years', () => {
    expect(runs('*/25 59 23 31 12 *', '2026-12-31T23:59:30Z', 3)).toEqual([
      '2026-12-31T23:59:50Z',
      '2027-12-31T23:59:00Z',
      '2027-12-31T23:59:25Z',
    ])
  })

  it('wait for a leap year', () => {
    expect(runs('0 0 0 29 2 *', '2026-11-21T00:00:00Z', 1)).toEqual(['2028-02-29T00:00:00Z'])
  })

  it('are none for a day that never comes', () => {
    expect(runs('0 0 0 30 2 *', '2026-11-21T00:00:00Z', 5)).toEqual([])
  })

  it('fit either day field when both are set', () => {
    expect(runs('0 0 0 1 * MON', '2026-11-21T00:00:00Z', 3)).toEqual([
      '2026-11-23T00:00:00Z',
      '2026-11-30T00:00:00Z',
      '2026-12-01T00:00:00Z',
    ])
  })

  it('follow the clocks of the zone that the expression names, whatever the server has', () => {
    expect(runs('CRON_TZ=Asia/Tokyo 0 0 6 * * *', '2026-11-21T00:00:00Z', 1, berlin)).toEqual(['2026-11-21T21:00:00Z'])
  })

  it("follow the server's clocks otherwise", () => {
    expect(runs('0 0 6 * * *', '2026-07-01T00:00:00Z', 1, berlin)).toEqual(['2026-07-01T04:00:00Z'])
  })

  it('keep their distance with @every', () => {
    expect(runs('@every 90s', '2026-11-21T00:00:00.400Z', 2)).toEqual(['2026-11-21T00:01:30Z', '2026-11-21T00:03:00Z'])
  })
})

describe('on the night when clocks are put forward', () => {
  it('a run whose hour is skipped comes at the change, once', () => {
    expect(runs('0 30 2 * * *', '2026-03-28T12:00:00Z', 2, berlin)).toEqual([
      '2026-03-29T01:00:00Z',
      '2026-03-30T00:30:00Z',
    ])
    expect(runs('0 */10 2 * * *', '2026-03-28T12:00:00Z', 2, berlin)).toEqual([
      '2026-03-29T01:00:00Z',
      '2026-03-30T00:00:00Z',
    ])
  })

  it('what runs in every hour goes on at the same distance', () => {
    expect(runs('0 30 * * * *', '2026-03-29T00:00:00Z', 3, berlin)).toEqual([
      '2026-03-29T00:30:00Z',
      '2026-03-29T01:30:00Z',
      '2026-03-29T02:30:00Z',
    ])
  })
})

describe('on the night when clocks are put back', () => {
  it('a run at a certain hour comes once', () => {
    expect(runs('0 30 2 * * *', '2026-10-24T12:00:00Z', 2, berlin)).toEqual([
      '2026-10-25T00:30:00Z',
      '2026-10-26T01:30:00Z',
    ])
  })

  it('and not again after a restart between the two', () => {
    expect(runs('0 30 2 * * *', '2026-10-25T01:10:00Z', 1, berlin)).toEqual(['2026-10-26T01:30:00Z'])
  })

  it('what runs in every hour runs in both', () => {
    expect(runs('0 0 * * * *', '2026-10-24T23:30:00Z', 4, berlin)).toEqual([
      '2026-10-25T00:00:00Z',
      '2026-10-25T01:00:00Z',
      '2026-10-25T02:00:00Z',
      '2026-10-25T03:00:00Z',
    ])
  })
})
