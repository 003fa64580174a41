import { describe, expect, it } from 'vitest'
import {
  type EscalationPlace,
  type EscalationTimes,
  firstPlace,
  nextMomentIn,
  placeAfter,
  placeAt,
  stepAt,
} from '../../../src/domain/escalation/escalationTimes.ts'
import { weekdays } from '../../../src/domain/timeOfDay.ts'

const minute = 60_000
const hour = 60 * minute
const plan: EscalationTimes = {
  steps: [{ after_min: 0 }, { after_min: 10 }, { after_min: 30 }],
  repeat_min: 20,
  repeat_times: 1,
  days: [],
  from: '',
  to: '',
}
const at = (text: string) => Date.parse(text)
const iso = (moment: number) => new Date(moment).toISOString().replace(':00.000Z', 'Z')

/** When each step comes, where each is done at once. */
function moments(times: EscalationTimes, begin: number, zone = 'UTC'): string[] {
  const found: string[] = []
  let place = firstPlace(times, begin, zone)
  while (place) {
    found.push(iso(place.due_at))
    place = placeAfter(times, place, place.due_at, zone)
  }
  return found
}

describe('an escalation plan', () => {
  const begin = at('2026-11-27T10:00:00Z')

  it('tells one after the other, and all of them again as often as it says', () => {
    expect(moments(plan, begin)).toEqual([
      '2026-11-27T10:00Z',
      '2026-11-27T10:10Z',
      '2026-11-27T10:30Z',
      '2026-11-27T10:50Z',
      '2026-11-27T11:00Z',
      '2026-11-27T11:20Z',
    ])
    expect(moments({ ...plan, repeat_times: 0 }, begin)).toHaveLength(3)
    expect(moments({ ...plan, steps: [] }, begin)).toEqual([])
    expect(stepAt(plan, 4)).toEqual({ index: 1, round: 1 })
    expect(stepAt(plan, 6)).toBeUndefined()
  })

  it('waits for the next hour that is in, and keeps the times between steps from there on', () => {
    const office = { ...plan, repeat_times: 0, days: weekdays.slice(0, 5), from: '08:00', to: '18:00' }
    // Friday evening in Berlin, an hour before UTC.
    expect(moments(office, at('2026-11-27T16:55:00Z'), 'Europe/Berlin')).toEqual([
      '2026-11-27T16:55Z',
      '2026-11-30T07:00Z',
      '2026-11-30T07:20Z',
    ])
  })

  it('tells once what was due while the machine slept, and the next one after its time', () => {
    const first = firstPlace(plan, begin, 'UTC') as EscalationPlace
    const woke = begin + 9 * hour
    expect(placeAfter(plan, first, woke, 'UTC')).toEqual({ position: 1, due_at: woke + 10 * minute })
    // A moment of business is not held against it.
    expect(placeAfter(plan, first, begin + 20_000, 'UTC')).toEqual({ position: 1, due_at: begin + 10 * minute })
  })

  it('does not wait for hours because the clock was set back', () => {
    const place = { position: 1, due_at: begin + 10 * minute }
    expect(placeAt(plan, place, begin, 'UTC')).toBe(place)
    const setBack = begin - 5 * hour
    expect(placeAt(plan, place, setBack, 'UTC')).toEqual({ position: 1, due_at: setBack + 10 * minute })
    const night = { ...plan, from: '08:00', to: '18:00' }
    const waits = { position: 0, due_at: at('2026-11-28T08:00:00Z') }
    expect(placeAt(night, waits, at('2026-11-27T22:00:00Z'), 'UTC')).toBe(waits)
  })
})

describe('the hours of a plan', () => {
  const hours = (from: string, to: string, days: EscalationTimes['days'] = []) => ({ ...plan, from, to, days })
  const next = (times: EscalationTimes, moment: string, zone: string) => iso(nextMomentIn(times, at(moment), zone))

  it.each([
    ['now, when it is in', hours('08:00', '18:00'), '2026-07-01T06:30:00Z', 'Europe/Berlin', '2026-07-01T06:30Z'],
    ['not at the very end', hours('08:00', '18:00'), '2026-07-01T16:00:00Z', 'Europe/Berlin', '2026-07-02T06:00Z'],
    ['over midnight', hours('22:00', '06:00'), '2026-07-01T02:00:00Z', 'Asia/Tokyo', '2026-07-01T13:00Z'],
    [
      'in the night that began on a Sunday',
      hours('22:00', '06:00', ['sunday']),
      '2026-11-30T03:00:00Z',
      'UTC',
      '2026-11-30T03:00Z',
    ],
    [
      'not in the night that began on a Monday',
      hours('22:00', '06:00', ['sunday']),
      '2026-12-01T03:00:00Z',
      'UTC',
      '2026-12-06T22:00Z',
    ],
    ['whole days', hours('', '', ['saturday', 'sunday']), '2026-11-27T15:00:00Z', 'UTC', '2026-11-28T00:00Z'],
    [
      'whole days by the zone',
      hours('', '', ['saturday', 'sunday']),
      '2026-11-27T15:00:00Z',
      'Asia/Tokyo',
      '2026-11-27T15:00Z',
    ],
    // Clocks go from 02:00 to 03:00 on 29 March, and from 03:00 to 02:00 on 25 October.
    ['an hour that is left out', hours('02:30', '04:00'), '2026-03-28T23:00:00Z', 'Europe/Berlin', '2026-03-29T01:00Z'],
    [
      'the first of two equal hours',
      hours('02:30', '04:00'),
      '2026-10-24T20:00:00Z',
      'Europe/Berlin',
      '2026-10-25T00:30Z',
    ],
    ['the shorter day', hours('08:00', '18:00'), '2026-03-29T01:30:00Z', 'Europe/Berlin', '2026-03-29T06:00Z'],
    ['a zone with half an hour', hours('09:00', '17:00'), '2026-07-01T00:00:00Z', 'Asia/Kolkata', '2026-07-01T03:30Z'],
  ])('are %s', (_, times, moment, zone, expected) => {
    expect(next(times, moment, zone)).toBe(expected)
  })

  it('are never before the moment, and always within a week and a day, around every change of clocks', () => {
    const office = hours('08:00', '18:00', ['wednesday'])
    for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia']) {
      for (let moment = at('2026-03-01T00:00:00Z'); moment < at('2026-04-15T00:00:00Z'); moment += 5 * hour) {
        const found = nextMomentIn(office, moment, zone)
        expect(found).toBeGreaterThanOrEqual(moment)
        expect(found - moment).toBeLessThanOrEqual(8 * 24 * hour)
        expect(nextMomentIn(office, found, zone)).toBe(found)
      }
    }
  })
})
