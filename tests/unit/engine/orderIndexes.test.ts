import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evenIndexes, orderIndexes, type Ranked } from '../../../src/engine/order/orderIndexes.ts'

/** As lists show them: larger numbers first, then smaller ids. */
const shown = (records: readonly Ranked[]) => records.toSorted((a, b) => b.index - a.index || a.id - b.id)
const idsOf = (records: readonly Ranked[]) => records.map(({ id }) => id)
const written = (records: readonly Ranked[], changed: ReadonlyMap<number, number>) =>
  records.map(({ id, index }) => ({ id, index: changed.get(id) ?? index }))

/** Records with few different numbers, in the order to be reached. */
const targetOrder = (most: number) =>
  fc
    .uniqueArray(fc.record({ id: fc.integer({ min: 1, max: 50 }), index: fc.integer({ min: -4, max: 12 }) }), {
      selector: ({ id }) => id,
      maxLength: most,
    })
    .chain((records) => fc.shuffledSubarray(records, { minLength: records.length }))

/** Whether the order can be reached while these records keep their numbers; tried out step by step from the top. */
function isReachable(order: readonly Ranked[], keeps: ReadonlySet<number>): boolean {
  let last: Ranked | undefined
  for (const record of order) {
    const most: number = last === undefined ? Number.POSITIVE_INFINITY : last.index - (last.id > record.id ? 1 : 0)
    if (keeps.has(record.id) && record.index > most) return false
    last = { id: record.id, index: keeps.has(record.id) ? record.index : most }
  }
  return true
}

const subsets = (ids: readonly number[]): number[][] =>
  Array.from({ length: 2 ** ids.length }, (_, chosen) => ids.filter((_, at) => chosen & (1 << at)))

describe('An order by hand', () => {
  it('is reached, whatever it is', () => {
    fc.assert(
      fc.property(targetOrder(30), (order) => {
        expect(idsOf(shown(written(order, orderIndexes(order))))).toEqual(idsOf(order))
      }),
    )
  })

  it('gives a new number to as few records as can be', () => {
    fc.assert(
      fc.property(targetOrder(6), (order) => {
        const most = Math.max(
          ...subsets(idsOf(order))
            .filter((ids) => isReachable(order, new Set(ids)))
            .map((ids) => ids.length),
        )
        expect(order.length - orderIndexes(order).size).toBe(most)
        for (const moved of idsOf(order)) {
          const changed = orderIndexes(order, moved)
          expect(order.length - changed.size).toBe(most)
          expect(idsOf(shown(written(order, changed)))).toEqual(idsOf(order))
        }
      }),
    )
  })

  it('writes nothing where it is so already', () => {
    fc.assert(
      fc.property(targetOrder(30), (order) => {
        expect(orderIndexes(shown(order)).size).toBe(0)
      }),
    )
  })

  it('takes one write to bring a record to the top, to the end, or between two that leave room', () => {
    const records = [30, 20, 10].map((index, at) => ({ id: at + 1, index }))
    const [first, second, third] = records as [Ranked, Ranked, Ranked]
    expect([...orderIndexes([third, first, second])]).toEqual([[3, 40]])
    expect([...orderIndexes([second, third, first])]).toEqual([[1, 0]])
    expect([...orderIndexes([first, third, second])]).toEqual([[3, 26]])
  })

  it('gives the new number to the record that somebody moved, where another would do as well', () => {
    const order = [20, 30].map((index) => ({ id: index, index }))
    expect([...orderIndexes(order, 20)]).toEqual([[20, 40]])
    expect([...orderIndexes(order, 30)]).toEqual([[30, 10]])
  })

  it('among records that were never ordered numbers those above only', () => {
    const records = [1, 2, 3, 4, 5].map((id) => ({ id, index: 0 }))
    const [a, b, ...others] = records as [Ranked, Ranked, ...Ranked[]]
    expect([...orderIndexes([b, a, ...others])]).toEqual([[2, 10]])
  })

  it('that is numbered anew leaves room between all, and leaves out what has its number', () => {
    const records = [
      { id: 7, index: 0 },
      { id: 2, index: 20 },
      { id: 9, index: 4 },
    ]
    expect([...evenIndexes(records)]).toEqual([
      [7, 30],
      [9, 10],
    ])
    fc.assert(
      fc.property(targetOrder(30), (order) => {
        expect(idsOf(shown(written(order, evenIndexes(order))))).toEqual(idsOf(order))
      }),
    )
  })
})
