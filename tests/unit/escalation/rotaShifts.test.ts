import { describe, expect, it } from 'vitest'
import { type RotaTimes, shiftAt, shiftsBetween } from '../../../src/domain/rota/rotaShifts.ts'

const rota: RotaTimes = {
  people: [11, 12, 13],
  handover: 1,
  weekday: 0,
  handover_at: '09:00',
  starts_on: '2026-11-25',
  overrides: [],
}
const at = (text: string) => Date.parse(text)
const iso = (moment: number) => new Date(moment).toISOString().replace(':00.000Z', 'Z')
const shifts = (times: RotaTimes, from: string, to: string, zone = 'Europe/Berlin') =>
  shiftsBetween(times, at(from), at(to), zone).map((shift) => [
    iso(shift.from),
    iso(shift.to),
    shift.user_id,
    ...(shift.is_override ? ['override'] : []),
  ])

describe('a rota', () => {
  it('hands over every week, and the first one has the week of the first day', () => {
    expect(shifts(rota, '2026-11-27T00:00:00Z', '2026-12-15T00:00:00Z')).toEqual([
      ['2026-11-23T08:00Z', '2026-11-30T08:00Z', 11],
      ['2026-11-30T08:00Z', '2026-12-07T08:00Z', 12],
      ['2026-12-07T08:00Z', '2026-12-14T08:00Z', 13],
      ['2026-12-14T08:00Z', '2026-12-21T08:00Z', 11],
    ])
  })

  it('hands over every day, backwards too', () => {
    const daily = { ...rota, handover: 0, starts_on: '2026-12-02' }
    expect(shifts(daily, '2026-12-01T09:00:00Z', '2026-12-03T07:00:00Z')).toEqual([
      ['2026-12-01T08:00Z', '2026-12-02T08:00Z', 13],
      ['2026-12-02T08:00Z', '2026-12-03T08:00Z', 11],
    ])
  })

  it('lets others take over on some days, the last one that says so', () => {
    const overrides = [
      { from: '2026-12-01', to: '2026-12-03', user_id: 20 },
      { from: '2026-12-02', to: '2026-12-02', user_id: 21 },
    ]
    expect(shifts({ ...rota, overrides }, '2026-11-30T09:00:00Z', '2026-12-04T09:00:00Z')).toEqual([
      ['2026-11-30T08:00Z', '2026-12-01T08:00Z', 12],
      ['2026-12-01T08:00Z', '2026-12-02T08:00Z', 20, 'override'],
      ['2026-12-02T08:00Z', '2026-12-03T08:00Z', 21, 'override'],
      ['2026-12-03T08:00Z', '2026-12-04T08:00Z', 20, 'override'],
      ['2026-12-04T08:00Z', '2026-12-07T08:00Z', 12],
    ])
  })

  it('hands over at the time that clocks show, on the day they are changed too', () => {
    const daily = { ...rota, handover: 0, handover_at: '02:30' }
    // 02:30 is not there on 29 March, and twice on 25 October.
    expect(shifts(daily, '2026-03-28T12:00:00Z', '2026-03-30T00:00:00Z').map(([from]) => from)).toEqual([
      '2026-03-28T01:30Z',
      '2026-03-29T01:00Z',
    ])
    expect(shifts(daily, '2026-10-25T00:45:00Z', '2026-10-25T02:00:00Z')).toEqual([
      ['2026-10-25T00:30Z', '2026-10-26T01:30Z', expect.any(Number)],
    ])
  })

  it.each(['Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kolkata'])(
    'has somebody at every moment of a year, and never two: %s',
    (zone) => {
      const overrides = [{ from: '2026-10-20', to: '2026-10-28', user_id: 20 }]
      for (const times of [
        { ...rota, overrides },
        { ...rota, overrides, handover: 0, handover_at: '02:30' },
      ]) {
        const found = shiftsBetween(times, at('2026-02-01T00:00:00Z'), at('2026-11-30T00:00:00Z'), zone)
        for (const [index, shift] of found.slice(1).entries()) expect(shift.from).toBe(found[index]?.to)
        for (const { from, to, user_id } of found.slice(1, -1)) {
          expect(shiftAt(times, from, zone)).toMatchObject({ user_id, from })
          expect(shiftAt(times, to - 1, zone)?.user_id).toBe(user_id)
        }
      }
    },
  )

  it('has nobody without people, or before it is complete', () => {
    expect(shifts({ ...rota, people: [] }, '2026-11-27T00:00:00Z', '2026-12-15T00:00:00Z')).toEqual([])
    expect(shiftAt({ ...rota, starts_on: '' }, at('2026-11-27T00:00:00Z'), 'UTC')).toBeUndefined()
  })
})
