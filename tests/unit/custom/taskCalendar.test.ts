import { describe, expect, it } from 'vitest'
import { hourMarks } from '../../../src/custom/calendar/TimeLine.tsx'
import { type TaskRow, taskCalendar } from '../../../src/custom/calendar/taskCalendar.ts'

const now = Date.parse('2026-11-21T22:10:00Z')
const task = (id: number, scheduler: string, more: Partial<TaskRow> = {}): TaskRow => ({
  id,
  name: `task ${id}`,
  task_type: 0,
  cover: 1,
  servers: null,
  scheduler,
  ...more,
})
const plan = (tasks: readonly TaskRow[], servers: readonly number[] = [1, 2, 3], zone = 'UTC', at = now) =>
  taskCalendar(tasks, servers, at, zone)
const text = (at: number) => new Date(at).toISOString().slice(5, 16)
const startsOf = ({ rows }: ReturnType<typeof plan>, index = 0) => {
  const schedule = rows[index]?.schedule
  return schedule?.kind === 'clock' ? schedule.starts.map(text) : undefined
}
const spansOf = ({ rows }: ReturnType<typeof plan>) =>
  rows[0]?.schedule.spans.map(({ from, to }) => `${text(from)} ${text(to)}`)
const overlapsOf = (tasks: readonly TaskRow[], servers?: readonly number[]) =>
  plan(tasks, servers).overlaps.map((overlap) => ({ ...overlap, times: overlap.times.map(text) }))

describe('the next 48 hours of tasks', () => {
  it('have the runs after now until the same time two days later', () => {
    expect(startsOf(plan([task(1, '0 10 22 * * *')]))).toEqual(['11-22T22:10', '11-23T22:10'])
    expect(startsOf(plan([task(1, '0 0 */12 * * *')]))).toEqual([
      '11-22T00:00',
      '11-22T12:00',
      '11-23T00:00',
      '11-23T12:00',
    ])
  })

  it("are in the server's time zone, or in that of the expression", () => {
    expect(startsOf(plan([task(1, '0 0 3 * * *')], [], 'Asia/Tokyo'))).toEqual(['11-22T18:00', '11-23T18:00'])
    expect(startsOf(plan([task(1, 'CRON_TZ=Europe/Berlin 0 0 3 * * *')], [], 'Asia/Tokyo'))).toEqual([
      '11-22T02:00',
      '11-23T02:00',
    ])
  })

  it('follow clocks that are put back', () => {
    const before = Date.parse('2026-10-24T10:00:00Z')
    expect(startsOf(plan([task(1, '0 30 2 * * *')], [], 'Europe/Berlin', before))).toEqual([
      '10-25T00:30',
      '10-26T01:30',
    ])
  })

  it('put the next to run first, and those at unknown times last', () => {
    const { rows } = plan([task(1, '@every 6h'), task(2, '0 0 3 * * *'), task(3, '0 0 23 * * *')])
    expect(rows.map(({ task: { id } }) => id)).toEqual([3, 2, 1])
  })

  it('leave out triggered tasks, and name what runs later and what cannot be read', () => {
    const calendar = plan([
      task(1, '', { task_type: 1 }),
      task(2, '0 0 0 1 1 *'),
      task(3, '0 3 * * *'),
      task(4, ''),
      task(5, '0 0 0 30 2 *'),
    ])
    expect(calendar.rows).toEqual([])
    expect(calendar.triggered).toBe(1)
    expect(calendar.later.map(({ id }) => id)).toEqual([2, 5])
    expect(calendar.invalid.map(({ task: { id }, error }) => [id, error.key])).toEqual([
      [3, 'validation.cron_fields'],
      [4, 'validation.cron_empty'],
    ])
  })

  it('show every run up to one each half hour, and the time that more of them fill', () => {
    expect(startsOf(plan([task(1, '0 */30 * * * *')]))).toHaveLength(96)
    const [halfHourly] = plan([task(1, '0 */30 * * * *')]).rows
    expect(halfHourly?.schedule).toMatchObject({ isFrequent: false })
    expect(halfHourly?.schedule.spans).toHaveLength(96)
    const often = plan([task(1, '0 */5 * * * *')])
    expect(often.rows[0]?.schedule).toMatchObject({ isFrequent: true })
    expect(spansOf(often)).toEqual([expect.stringMatching(/^11-21T22:15 11-23T22:/)])
    const hours = plan([task(1, '0 */5 3-4 * * *')])
    expect(spansOf(hours)).toEqual(['11-22T03:00 11-22T04:55', '11-23T03:00 11-23T04:55'])
  })

  it('are bounded for a task that runs every second of some hours', () => {
    const { rows } = plan([task(1, '* * 3 * * *')])
    const [row] = rows
    expect(row?.schedule).toMatchObject({ kind: 'clock', isFrequent: true })
    const spans = row?.schedule.spans ?? []
    expect(spans.map(({ from }) => text(from))).toEqual(['11-22T03:00', '11-23T03:00'])
    // Drawn to some minutes only.
    for (const { from, to } of spans) expect(Math.abs(to - from - 3_600_000)).toBeLessThan(12 * 60_000)
  })

  it('say nothing of when a task at a fixed distance runs, but that a short distance fills the time', () => {
    expect(spansOf(plan([task(1, '@every 90s')]))).toEqual(['11-21T22:10 11-23T22:10'])
    expect(plan([task(1, '@every 6h')]).rows[0]?.schedule).toEqual({ kind: 'every', seconds: 21_600, spans: [] })
  })
})

describe('overlaps of tasks', () => {
  const nightly = '0 0 3 * * *'

  it('are on the servers that both run on, with every time', () => {
    expect(
      overlapsOf([
        task(1, nightly, { cover: 0, servers: [1, 2] }),
        task(2, '0 0 3,9 * * *', { cover: 0, servers: [2, 3] }),
      ]),
    ).toEqual([{ tasks: [1, 2], servers: [2], times: ['11-22T03:00', '11-23T03:00'] }])
  })

  it('follow what a task covers: only the listed servers, or all but them', () => {
    const others = { cover: 1, servers: [1] }
    expect(overlapsOf([task(1, nightly, others), task(2, nightly, others)])).toMatchObject([{ servers: [2, 3] }])
    expect(overlapsOf([task(1, nightly, others), task(2, nightly, { cover: 0, servers: [1] })])).toEqual([])
    expect(overlapsOf([task(1, nightly), task(2, nightly, { cover: 0, servers: null })])).toEqual([])
    expect(overlapsOf([task(1, nightly), task(2, nightly, { cover: 2 })])).toEqual([])
  })

  it('distinguish servers with different tasks', () => {
    const three = [
      task(1, nightly),
      task(2, nightly, { cover: 0, servers: [1] }),
      task(3, nightly, { cover: 0, servers: [1, 2] }),
    ]
    expect(overlapsOf(three).map(({ tasks, servers }) => [tasks, servers])).toEqual([
      [[1, 2, 3], [1]],
      [[1, 3], [2]],
    ])
  })

  it('are of servers that exist', () => {
    const gone = { cover: 0, servers: [99] }
    expect(overlapsOf([task(1, nightly, gone), task(2, nightly, gone)])).toEqual([])
  })

  it('are in the same minute, whatever the second', () => {
    expect(overlapsOf([task(1, '5 0 3 * * *'), task(2, '50 0 3 * * *')])).toHaveLength(1)
    expect(overlapsOf([task(1, '59 0 3 * * *'), task(2, '0 1 3 * * *')])).toEqual([])
    expect(overlapsOf([task(1, '5,50 0 3 * * *')])).toEqual([])
  })

  it('mark the runs that overlap, and no others', () => {
    const { rows } = plan([task(1, nightly), task(2, '7 0 3,9 22 * *'), task(3, '0 0 4 * * *')])
    expect(rows.map(({ task: { id }, overlapping }) => [id, overlapping.map(text)])).toEqual([
      [1, ['11-22T03:00']],
      [2, ['11-22T03:00']],
      [3, []],
    ])
  })

  it('are not looked for with a task that runs all the time', () => {
    expect(overlapsOf([task(1, nightly), task(2, '0 * * * * *')])).toEqual([])
    expect(overlapsOf([task(1, nightly), task(2, '@every 1m')])).toEqual([])
  })
})

describe('the hours below the line', () => {
  const marks = (from: string, hours: number, zone: string) =>
    hourMarks(Date.parse(from), Date.parse(from) + hours * 3_600_000, zone).map(({ at, hour }) => `${hour} ${text(at)}`)

  it('are full hours of the local time, also where that is half an hour beside UTC', () => {
    expect(marks('2026-11-21T22:10:00Z', 2, 'UTC')).toEqual(['23 11-21T23:00', '0 11-22T00:00'])
    expect(marks('2026-11-21T17:10:00Z', 2, 'Asia/Kolkata')).toEqual(['23 11-21T17:30', '0 11-21T18:30'])
  })

  it('follow clocks that are put forward', () => {
    expect(marks('2026-03-29T00:00:00Z', 2, 'Europe/Berlin')).toEqual([
      '1 03-29T00:00',
      '3 03-29T01:00',
      '4 03-29T02:00',
    ])
  })
})
