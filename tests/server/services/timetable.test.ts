import { describe, expect, it } from 'vitest'
import { createTimetable } from '../../../server/services/timetable.ts'

/** Runs a timetable, calling `due` ten times a second. @returns when each id was due */
function run(intervals: Map<number, number>, seconds: number, { from = 0, random = Math.random } = {}) {
  const timetable = createTimetable(random)
  timetable.change(intervals, from)
  const timesById = new Map<number, number[]>()
  let maxDelay = 0
  for (let now = from; now <= from + seconds * 1000; now += 100) {
    for (const { id, at } of timetable.due(now)) {
      maxDelay = Math.max(maxDelay, now - at)
      timesById.set(id, [...(timesById.get(id) ?? []), now])
    }
  }
  return { timesById, maxDelay }
}

describe('a timetable', () => {
  it('checks a new service immediately', () => {
    const { timesById } = run(new Map([[1, 30_000]]), 60)
    expect(timesById.get(1)?.[0]).toBeLessThanOrEqual(100)
  })

  it('keeps 5,000 services at 30 s on time for ten minutes, and spreads them', () => {
    const { timesById, maxDelay } = run(new Map(Array.from({ length: 5000 }, (_, id) => [id + 1, 30_000])), 600)
    expect(maxDelay).toBeLessThanOrEqual(100)
    expect(timesById.size).toBe(5000)
    const counts = [...timesById.values()].map((times) => times.length)
    // The first comes within 30 s, and the last may still have its tenth to wait.
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(19)
    expect(Math.max(...counts)).toBeLessThanOrEqual(20)
    const bySecond = new Map<number, number>()
    for (const time of [...timesById.values()].flat()) {
      const second = Math.floor(time / 1000)
      bySecond.set(second, (bySecond.get(second) ?? 0) + 1)
    }
    expect(Math.max(...bySecond.values())).toBeLessThan(300)
  })

  it('spreads new services over as long as their checks take, and begins a single one immediately', () => {
    const firstOf = (count: number, checks: number) => {
      const timetable = createTimetable()
      timetable.change(new Map(Array.from({ length: count }, (_, id) => [id + 1, 60_000])), 0, checks)
      return [...timetable.due(60_000)].map(({ at }) => at).sort((one, other) => one - other)
    }
    // 100 machines.
    const times = firstOf(200, 20_000)
    expect(times).toHaveLength(200)
    expect(times.filter((at) => at < 10_000).length).toBeLessThan(100)
    expect(times.at(-1)).toBeLessThanOrEqual(40_000)
    expect(firstOf(1, 5000)[0]).toBeLessThanOrEqual(10)
  })

  it('waits for its interval with a jitter of a tenth, and does not drift', () => {
    const { timesById } = run(new Map([[1, 30_000]]), 3600)
    const times = timesById.get(1) as number[]
    const waits = times.slice(1).map((time, index) => time - (times[index] as number))
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(26_900)
    expect(Math.max(...waits)).toBeLessThanOrEqual(33_100)
    expect(new Set(waits).size).toBeGreaterThan(5)
    // 120 intervals after the first, of which the last may have its tenth to wait.
    expect(times.length).toBeGreaterThanOrEqual(120)
  })

  it('runs one check after a long sleep of the machine, not all missed ones', () => {
    const timetable = createTimetable(() => 0)
    timetable.change(new Map([[1, 30_000]]), 0)
    expect([...timetable.due(0)]).toHaveLength(1)
    expect([...timetable.due(3_600_010)]).toEqual([{ id: 1, at: 30_000 }])
    expect([...timetable.due(3_629_000)]).toEqual([])
    expect([...timetable.due(3_630_000)]).toHaveLength(1)
  })

  it('leaves for later what nobody has taken, with its time', () => {
    const timetable = createTimetable(() => 0)
    timetable.change(new Map([1, 2, 3].map((id) => [id, 30_000])), 0)
    const taken = timetable.due(0)[Symbol.iterator]()
    const first = [taken.next().value?.id, taken.next().value?.id]
    const rest = [...timetable.due(100)]
    expect(rest).toMatchObject([{ at: 0 }])
    expect([...first, rest[0]?.id].sort()).toEqual([1, 2, 3])
  })

  it('continues after the clock was set back', () => {
    const timetable = createTimetable(() => 0)
    timetable.change(new Map([[1, 30_000]]), 10_000_000)
    expect([...timetable.due(10_000_000)]).toHaveLength(1)
    expect([...timetable.due(1_000_000)]).toHaveLength(1)
    expect([...timetable.due(1_030_000)]).toHaveLength(1)
  })

  it('keeps the times of unchanged services, and drops deleted ones', () => {
    const timetable = createTimetable(() => 0)
    timetable.change(
      new Map([
        [1, 30_000],
        [2, 30_000],
      ]),
      0,
    )
    expect([...timetable.due(0)]).toHaveLength(2)
    timetable.change(
      new Map([
        [2, undefined],
        [3, 5000],
      ]),
      20_000,
    )
    expect([...timetable.due(20_000)]).toEqual([{ id: 3, at: 20_000 }])
    expect([...timetable.due(30_000)].map(({ id }) => id).sort()).toEqual([1, 3])
  })
})
