import { expect, it } from 'vitest'
import { createSerialQueue } from '../../../server/concurrency/serialQueue.ts'

it('work begins when that before it has ended, well or not, and whoever asked gets what it gave', async () => {
  const inTurn = createSerialQueue()
  const first = Promise.withResolvers<string>()
  const begun: number[] = []
  const results = [
    inTurn(() => {
      begun.push(1)
      return first.promise
    }),
    inTurn(async () => {
      begun.push(2)
      throw new Error('second')
    }),
    inTurn(async () => begun.push(3)),
  ]
  const all = Promise.allSettled(results)
  await new Promise(setImmediate)
  expect(begun).toEqual([1])
  first.resolve('one')
  expect(await all).toEqual([
    { status: 'fulfilled', value: 'one' },
    { status: 'rejected', reason: new Error('second') },
    { status: 'fulfilled', value: 3 },
  ])
})
