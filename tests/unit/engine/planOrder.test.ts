import { describe, expect, it } from 'vitest'
import { type Move, movedOrder, orderIndexes, planOrder } from '../../../src/engine/order/orderIndexes.ts'

const all = [1, 2, 3, 4, 5].map((id) => ({ id, display_index: 60 - 10 * id }))
/** A filter hides the second and the fourth. */
const shown = all.filter(({ id }) => id % 2 === 1)
const idsAfter = (id: number | string, move: Move, of = shown) => movedOrder(all, of, id, move)?.map((one) => one.id)

describe('A record that is moved', () => {
  it.each<[string, number | string, Move, number[] | undefined]>([
    ['goes up past those that a filter hides', 5, 'up', [1, 2, 5, 3, 4]],
    ['goes down past them', 1, 'down', [2, 3, 1, 4, 5]],
    ['goes to the top of all', 5, 'top', [5, 1, 2, 3, 4]],
    ['goes where it is dragged', 1, { side: 'before', of: '5' }, [2, 3, 4, 1, 5]],
    ['goes behind the last', '1', { side: 'after', of: 5 }, [2, 3, 4, 5, 1]],
    ['stays at the top', 1, 'up', undefined],
    ['stays at the end', 5, 'down', undefined],
    ['stays where it stands', 1, { side: 'before', of: 2 }, undefined],
    ['stays when it is gone', 9, 'up', undefined],
  ])('%s', (_title, id, move, expected) => {
    expect(idsAfter(id, move)).toEqual(expected)
  })

  it('is refused where it belongs to another user', () => {
    const order = [
      { id: 2, display_index: 0, read_only: true },
      { id: 1, display_index: 5 },
    ]
    const { updates, refusals } = planOrder('display_index', order, orderIndexes)
    expect(updates.length + refusals.length).toBe(1)
    expect(planOrder('display_index', order.slice(0, 1), () => new Map([[2, 7]]))).toMatchObject({
      updates: [],
      refusals: [{ record: order[0], reasons: [{ message: 'app.form.read_only' }] }],
    })
  })
})
