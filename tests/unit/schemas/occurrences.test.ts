import { describe, expect, it } from 'vitest'
import { readTags, tagsOfNote } from '../../../server/maintenance/coveredRecords.ts'
import { zoneOffset } from '../../../src/domain/cron/timeZone.ts'
import { nextOccurrences, occurrenceAt } from '../../../src/domain/maintenance/occurrences.ts'
import type { WindowTimes } from '../../../src/domain/maintenance/windowTimes.ts'
import { maintenanceWindow } from '../../../src/schemas/maintenanceWindow.ts'

const [once, daily, weekly, monthly] = [0, 1, 2, 3]
const last = 5

const windowOf = (fields: Partial<WindowTimes>): WindowTimes => ({
  repeat: once,
  starts_at: '2026-12-01T02:00',
  week: 1,
  duration: 240,
  ...fields,
})

const starts = (fields: Partial<WindowTimes>, after: string, zone: string, count = 3) =>
  nextOccurrences(windowOf(fields), Date.parse(after), zone, count).map(({ from }) => new Date(from).toISOString())

describe('a maintenance window opens', () => {
  it('once, by the clocks of its zone', () => {
    expect(starts({}, '2026-11-01T00:00Z', 'Asia/Tokyo')).toEqual(['2026-11-30T17:00:00.000Z'])
    expect(starts({}, '2026-12-05T00:00Z', 'Asia/Tokyo')).toEqual([])
  })

  it('daily, from its first day on', () => {
    expect(starts({ repeat: daily }, '2026-11-01T00:00Z', 'UTC', 2)).toEqual([
      '2026-12-01T02:00:00.000Z',
      '2026-12-02T02:00:00.000Z',
    ])
  })

  it('weekly, on the weekday of its first day', () => {
    expect(starts({ repeat: weekly }, '2026-12-02T00:00Z', 'UTC', 2)).toEqual([
      '2026-12-08T02:00:00.000Z',
      '2026-12-15T02:00:00.000Z',
    ])
  })

  it('on the last Sunday of each month', () => {
    expect(starts({ repeat: monthly, week: last, starts_at: '2026-11-29T02:00' }, '2026-11-28T00:00Z', 'UTC')).toEqual([
      '2026-11-29T02:00:00.000Z',
      '2026-12-27T02:00:00.000Z',
      '2027-01-31T02:00:00.000Z',
    ])
  })

  it('on the second Tuesday of each month, also when its first day is another Tuesday', () => {
    expect(starts({ repeat: monthly, week: 2 }, '2026-11-28T00:00Z', 'UTC', 2)).toEqual([
      '2026-12-08T02:00:00.000Z',
      '2027-01-12T02:00:00.000Z',
    ])
  })

  it('at the change of the clocks when they are put forward past its time', () => {
    expect(starts({ starts_at: '2026-03-29T02:30' }, '2026-03-01T00:00Z', 'Europe/Rome')).toEqual([
      '2026-03-29T01:00:00.000Z',
    ])
  })

  it('in the first of two equal hours when they are put back, and for as long as it says', () => {
    const window = windowOf({ starts_at: '2026-10-25T02:30' })
    const [found] = nextOccurrences(window, Date.parse('2026-10-01T00:00Z'), 'Europe/Rome', 1)
    expect(new Date(found?.from ?? 0).toISOString()).toBe('2026-10-25T00:30:00.000Z')
    expect((found?.to ?? 0) - (found?.from ?? 0)).toBe(4 * 3_600_000)
  })

  it('is open from its start up to its end, and no longer', () => {
    const window = windowOf({ starts_at: '2026-12-01T23:00', repeat: daily })
    const openAt = (at: string) => occurrenceAt(window, Date.parse(at), 'UTC') !== undefined
    expect(
      ['2026-12-01T22:59:59Z', '2026-12-01T23:00Z', '2026-12-02T02:59:59Z', '2026-12-02T03:00Z'].map(openAt),
    ).toEqual([false, true, true, false])
  })
})

/** Numbers that look random and are the same in every run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state / 2 ** 32
  }
}

describe('over years of random windows in zones with every kind of change', () => {
  const zones = ['UTC', 'Europe/Rome', 'America/St_Johns', 'Australia/Lord_Howe', 'America/Santiago', 'Asia/Kathmandu']
  const random = numbers(7)
  const upTo = (count: number) => Math.floor(random.next().value * count)
  const cases = Array.from({ length: 48 }, () => {
    const day = new Date(Date.UTC(2026, upTo(12), 1 + upTo(28), upTo(24), 5 * upTo(12)))
    const repeat = upTo(4)
    return {
      zone: zones[upTo(zones.length)] as string,
      window: windowOf({
        repeat,
        week: 1 + upTo(5),
        starts_at: day.toISOString().slice(0, 16),
        duration: 5 + upTo(1_300),
      }),
    }
  })

  it('every opening shows the time of the form on the clocks of the zone, unless clocks jump over it', () => {
    for (const { window, zone } of cases) {
      for (const { from } of nextOccurrences(window, Date.UTC(2026, 0), zone, 9)) {
        const shown = new Date(from + zoneOffset(zone, from)).toISOString().slice(11, 16)
        const isJump = zoneOffset(zone, from) > zoneOffset(zone, from - 1000)
        expect(isJump || shown === window.starts_at.slice(11), `${zone} ${JSON.stringify(window)}`).toBe(true)
      }
    }
  })

  it('openings follow each other without overlaps and are found at each of their moments, and not outside', () => {
    for (const { window, zone } of cases) {
      const found = nextOccurrences(window, Date.UTC(2026, 0), zone, 9)
      for (const [index, { from, to }] of found.entries()) {
        expect(from).toBeGreaterThanOrEqual(found[index - 1]?.to ?? 0)
        for (const at of [from, Math.floor((from + to) / 2), to - 1]) {
          expect(occurrenceAt(window, at, zone), `${zone} ${JSON.stringify(window)} ${at}`).toEqual({ from, to })
        }
        if (found[index + 1]?.from !== to) expect(occurrenceAt(window, to, zone)).toBeUndefined()
        expect(nextOccurrences(window, from - 1, zone, 1)).toEqual([{ from, to }])
      }
    }
  })
})

describe('the form of a maintenance window', () => {
  const form = (fields: object) =>
    maintenanceWindow.form.safeParse({ name: 'patches', starts_at: '2026-12-01T02:00', ...fields })

  it.each([
    { starts_at: '2026-02-30T02:00' },
    { starts_at: '2026-12-01' },
    { time_zone: 'Mars/Olympus' },
    { duration: 20_161 },
    { repeat: daily, duration: 1_381 },
    { repeat: weekly, duration: 8_641 },
  ])('refuses %j', (fields) => {
    expect(form(fields).success).toBe(false)
  })

  it('takes a window that ends before the next of them begins', () => {
    for (const repeat of [once, daily, weekly, monthly]) expect(form({ repeat, duration: 1_380 }).success).toBe(true)
  })
})

describe('tags of notes', () => {
  it('are words that begin with #, in any case and language', () => {
    expect([...tagsOfNote('rack 4 #DB, #prod-eu (#größe) a#b https://wiki.test/#rack')]).toEqual([
      'db',
      'prod-eu',
      'größe',
    ])
  })

  it('are written in the form with or without #, with commas or spaces between', () => {
    expect(readTags(' #DB, web  db，缓存 ')).toEqual(['db', 'web', '缓存'])
  })
})
