import { expect, it, vi } from 'vitest'
import { createArrivals } from '../../../server/concurrency/arrivals.ts'
import { createLoad } from '../../../server/concurrency/load.ts'
import { createTimeHeap } from '../../../server/concurrency/timeHeap.ts'
import { createWorkQueue } from '../../../server/concurrency/workQueue.ts'

/** A queue whose work takes the time that it says, and whose turns come when the test says. */
function testQueue() {
  let now = 0
  const turns: (() => void)[] = []
  const done: string[] = []
  const errors: unknown[] = []
  const arrivals = createArrivals((turn) => void turns.push(turn))
  const queue = createWorkQueue({ now: () => now, arrivals, onError: (error) => errors.push(error) })
  const add = (name: string, ms: number) =>
    queue.add(() => {
      now += ms
      done.push(name)
    })
  return { queue, arrivals, add, done, errors, turns, turn: () => turns.shift()?.(), pass: (ms: number) => (now += ms) }
}

it('work is done at once while there is little of it', () => {
  const { add, done, queue } = testQueue()
  for (const name of ['a', 'b', 'c']) add(name, 1)
  expect(done).toEqual(['a', 'b', 'c'])
  expect(queue.waitedMs()).toBe(0)
})

it('more than five milliseconds of work waits for the turns of others, in the order in which it came', () => {
  const { add, done, queue, turn, pass } = testQueue()
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) add(name, 3)
  expect(done).toEqual(['a', 'b'])
  pass(10)
  expect([queue.count(), queue.waitedMs()]).toEqual([4, 10])
  turn()
  expect(done).toEqual(['a', 'b', 'c', 'd'])
  add('g', 1)
  turn()
  expect(done).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  turn()
  expect(done.at(-1)).toBe('g')
  turn()
  add('h', 1)
  expect(done.at(-1)).toBe('h')
})

it('turns are left to others when connections come, but not all of them', () => {
  const { add, done, arrivals, turn } = testQueue()
  arrivals.add()
  add('a', 3)
  expect(done).toEqual([])
  turn()
  expect(done).toEqual([])
  turn()
  expect(done).toEqual(['a'])
  for (let count = 0; count < 100; count++) {
    arrivals.add()
    if (count === 0) add('b', 3)
    turn()
  }
  expect(done).toEqual(['a'])
  arrivals.add()
  turn()
  expect(done).toEqual(['a', 'b'])
})

it('of what waits while connections go on coming, one piece is done after a hundred turns, and the rest when none come', () => {
  const turns: (() => void)[] = []
  const arrivals = createArrivals((turn) => void turns.push(turn))
  const done: string[] = []
  arrivals.add()
  for (const name of ['a', 'b', 'c', 'd']) arrivals.afterwards(() => done.push(name))
  const accept = (count: number) => {
    for (let left = count; left > 0; left--) {
      turns.shift()?.()
      arrivals.add()
    }
  }
  accept(100)
  expect(done).toEqual([])
  accept(1)
  expect(done).toEqual(['a'])
  accept(100)
  expect(done).toEqual(['a', 'b'])
  expect(arrivals.areComing()).toBe(true)
  turns.shift()?.()
  turns.shift()?.()
  expect(done).toEqual(['a', 'b', 'c', 'd'])
  expect([arrivals.areComing(), turns.length]).toEqual([false, 0])
})

it('work that fails ends no other, and all of it is done at the end of the server', () => {
  const { add, done, queue, errors, turns } = testQueue()
  add('a', 9)
  queue.add(() => {
    throw new Error('broken')
  })
  for (let count = 0; count < 3000; count++) add(`${count}`, 1)
  queue.close()
  add('last', 1)
  expect(errors).toEqual([new Error('broken')])
  expect(done).toHaveLength(3002)
  expect(done.at(-1)).toBe('last')
  turns.shift()?.()
  expect(done).toHaveLength(3002)
})

it('a server that is late for seconds says so once, and once when it is in time again', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let now = 0
  const lines: string[] = []
  const load = createLoad({
    log: { info: (text) => lines.push(text), warn: (text) => lines.push(text), error: () => {} },
    now: () => now,
  })
  const waited = vi.spyOn(load.agentWork, 'waitedMs').mockReturnValue(0)
  load.start()
  const pass = (seconds: number) => {
    for (let looks = 0; looks < 2 * seconds; looks++) {
      now += 500
      vi.advanceTimersByTime(500)
    }
  }
  pass(60)
  expect([load.lateMs(), load.isOverloaded()]).toEqual([0, false])
  // Once is no overload, but agents cannot be blamed for what this server was late for.
  now += 4000
  expect(load.lateMs()).toBe(3500)
  vi.advanceTimersByTime(500)
  pass(5)
  expect([load.lateMs(), load.isOverloaded()]).toEqual([3500, false])
  pass(11)
  expect(load.lateMs()).toBe(0)
  waited.mockReturnValue(2500)
  pass(10)
  expect([load.lateMs(), load.isOverloaded()]).toEqual([2500, true])
  expect(lines).toEqual([expect.stringMatching(/^There is more to do than this server can: agents wait 3 s /)])
  waited.mockReturnValue(0)
  pass(10)
  expect(load.isOverloaded()).toBe(true)
  pass(6)
  expect(load.isOverloaded()).toBe(false)
  expect(lines.slice(1)).toEqual([expect.stringMatching(/^This server is in time again, after \d+ s\.$/)])
  load.stop()
})

it('a heap gives its entries in the order of their times, also of those that were moved', () => {
  const heap = createTimeHeap<{ at: number }>()
  const times = Array.from({ length: 200 }, (_, index) => (index * 7919) % 1009)
  for (const at of times) heap.add({ at })
  const first = heap.first()
  if (first) first.at += 500
  heap.firstMoved()
  const expected = [...times].sort((one, other) => one - other)
  expected[0] = (expected[0] ?? 0) + 500
  const taken: number[] = []
  for (let entry = heap.first(); entry; entry = heap.first()) {
    taken.push(entry.at)
    heap.removeFirst()
  }
  expect(taken).toEqual(expected.sort((one, other) => one - other))
})
