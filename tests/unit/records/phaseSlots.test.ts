import { expect, it } from 'vitest'
import { phaseSlots } from '../../../src/resources/service/page/CheckDetails.tsx'

it('the parts of checks are put together into sixty slots of a period, each with their mean', () => {
  const minute = 60_000
  const points = [
    { ts: 0, delay: 20, status: 1, phases: { connect: 10, tls: 4 } },
    { ts: 30_000, delay: 40, status: 1, phases: { connect: 20 } },
    { ts: 2 * minute, delay: 0, status: 0 },
    { ts: 59 * minute, delay: 6, status: 1, phases: { first_byte: 5 } },
    // Before and after the period.
    { ts: -minute, delay: 900, status: 1, phases: { connect: 900 } },
    { ts: 60 * minute, delay: 900, status: 1, phases: { connect: 900 } },
  ]
  const slots = phaseSlots(
    points.toSorted((one, other) => one.ts - other.ts),
    {
      from: 0,
      until: 60 * minute,
      shortest: minute,
    },
  )
  expect(slots).toHaveLength(60)
  expect(slots[0]).toEqual({ from: 0, whole: 30, phases: { connect: 15, tls: 4 }, hasFailed: false })
  expect(slots[1]).toEqual({ from: minute, whole: 0, phases: {}, hasFailed: false })
  expect(slots[2]).toEqual({ from: 2 * minute, whole: 0, phases: {}, hasFailed: true })
  expect(slots[59]).toMatchObject({ whole: 6, phases: { first_byte: 5 } })
})

it('what began within the period begins with its first check, in slots as long as its points', () => {
  const minute = 60_000
  const points = [10, 15, 20].map((at) => ({ ts: at * minute, delay: at, status: 1, phases: { connect: 1 } }))
  const slots = phaseSlots(points, { from: -1000 * minute, until: 25 * minute, shortest: 5 * minute })
  expect(slots.map(({ from, whole }) => [from / minute, whole])).toEqual([
    [10, 10],
    [15, 15],
    [20, 20],
  ])
  expect(phaseSlots(points.slice(0, 1), { from: 0, until: 10 * minute + 1, shortest: minute })).toHaveLength(1)
})
