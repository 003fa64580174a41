import { describe, expect, it } from 'vitest'
import {
  align,
  type ChartSeries,
  failuresOf,
  nearestPoint,
  type Point,
  timeRange,
  withGaps,
} from '../../../src/components/charts/plot/chartSeries.ts'

const minute = 60_000
const every = (distance: number, count: number, start = 0): Point[] =>
  Array.from({ length: count }, (_, index) => ({ at: start + index * distance, value: index }))
const line = (points: readonly Point[], key = 'a'): ChartSeries => ({ key, name: key, points })
const gapsIn = (points: readonly Point[]) => withGaps(points).filter(({ value }) => value === null)

describe('A line of a chart', () => {
  it('has a gap where nothing was measured for long', () => {
    const points = [...every(minute, 10), ...every(minute, 10, 60 * minute)]
    expect(gapsIn(points)).toEqual([{ at: 10 * minute, value: null }])
  })

  it('has no gap where a single value is missing', () => {
    const points = every(minute, 10).toSpliced(5, 1)
    expect(gapsIn(points)).toEqual([])
  })

  it('has no gap where old samples lie further apart than new ones', () => {
    const points = [...every(60 * minute, 10), ...every(minute, 10, 9 * 60 * minute + minute)]
    expect(gapsIn(points)).toEqual([])
  })

  it('has no gap between its only two values', () => {
    expect(gapsIn(every(60 * minute, 2))).toEqual([])
  })
})

describe('Lines with different times', () => {
  it('share one axis, and a time of one line is no gap in another', () => {
    const { moments, lines } = align([line(every(10, 3)), line(every(10, 3, 5))])
    expect(moments).toEqual([0, 5, 10, 15, 20, 25])
    expect(lines).toEqual([
      [0, undefined, 1, undefined, 2, undefined],
      [undefined, 0, undefined, 1, undefined, 2],
    ])
  })

  it('keep a gap across the times of the other lines', () => {
    const gapped = [...every(10, 4), ...every(10, 4, 200)]
    const { moments, lines } = align([line(gapped), line(every(10, 24, 5))])
    const inGap = moments.map((at, place) => ({ at, value: lines[0]?.[place] })).filter(({ at }) => at > 30 && at < 200)
    expect(inGap.length).toBeGreaterThan(10)
    expect(new Set(inGap.map(({ value }) => value))).toEqual(new Set([null]))
  })

  it('mark isolated values, which are drawn as dots', () => {
    const failed = (at: number): Point => ({ at, value: null, failed: true })
    const { isolated } = align([
      line([failed(0), { at: 10, value: 7 }, failed(20), { at: 30, value: 8 }, { at: 40, value: 9 }]),
    ])
    expect(isolated).toEqual([[1]])
    expect(align([line([{ at: 5, value: 1 }])]).isolated).toEqual([[0]])
  })
})

describe('The value at the crosshair', () => {
  const points = every(10 * minute, 10)

  it('is the nearest one, before or after', () => {
    expect(nearestPoint(points, 14 * minute)?.value).toBe(1)
    expect(nearestPoint(points, 16 * minute)?.value).toBe(2)
    expect(nearestPoint(points, -minute)?.value).toBe(0)
    expect(nearestPoint(points, 95 * minute)?.value).toBe(9)
  })

  it('is missing if the nearest one is far away', () => {
    expect(nearestPoint(points, 500 * minute)).toBeUndefined()
    expect(nearestPoint([], 0)).toBeUndefined()
  })
})

describe('The time range of a chart', () => {
  const day = 1440 * minute

  it('is the whole period if there are older values', () => {
    expect(timeRange([line(every(minute, 3000))], day, 3000 * minute)).toEqual({
      from: 1560 * minute,
      to: 3000 * minute,
    })
  })

  it('begins with the first value if there are no older ones, and has at least ten minutes', () => {
    const now = 5000 * minute
    expect(timeRange([line(every(minute, 60, now - 60 * minute))], day, now).from).toBe(now - 60 * minute)
    expect(timeRange([line([{ at: now, value: 1 }])], day, now)).toEqual({ from: now - 10 * minute, to: now })
  })

  it('includes values that are newer by the server’s clock', () => {
    expect(timeRange([line([{ at: 100 * minute, value: 1 }])], day, 98 * minute).to).toBe(100 * minute)
  })
})

describe('Failed checks', () => {
  const good = (at: number): Point => ({ at, value: 1 })
  const bad = (at: number): Point => ({ at, value: null, failed: true })

  it('last until the next check, and adjoining ones are joined', () => {
    expect(failuresOf([good(0), bad(10), bad(20), good(30), good(40), bad(50)], 60)).toEqual([
      { from: 10, to: 30 },
      { from: 50, to: 60 },
    ])
  })

  it('say nothing about a long pause after them', () => {
    const [failure] = failuresOf([good(0), bad(10), good(1000)], 2000)
    expect(failure).toEqual({ from: 10, to: 35 })
  })
})
