import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { repeat } from '../../../server/concurrency/repeat.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function repeating(work: () => void | Promise<void>) {
  const error = vi.fn()
  return { error, repetition: repeat(work, { intervalMs: 1000, log: { error }, failure: 'It failed:' }) }
}

describe('work that is repeated', () => {
  it('runs once an interval from the start to the stop, first after one interval', () => {
    const work = vi.fn()
    const { repetition } = repeating(work)
    repetition.stop()
    vi.advanceTimersByTime(5000)
    expect(work).not.toHaveBeenCalled()
    repetition.start()
    repetition.start()
    vi.advanceTimersByTime(999)
    expect(work).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(work).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(2000)
    expect(work).toHaveBeenCalledTimes(3)
    repetition.stop()
    vi.advanceTimersByTime(5000)
    expect(work).toHaveBeenCalledTimes(3)
    repetition.start()
    vi.advanceTimersByTime(1000)
    expect(work).toHaveBeenCalledTimes(4)
    repetition.stop()
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('full disk')
      },
    ],
    ['rejects', () => Promise.reject(new Error('full disk'))],
  ])('goes on when it %s, and each error is in the log', async (_, work) => {
    const { repetition, error } = repeating(work)
    repetition.start()
    await vi.advanceTimersByTimeAsync(2000)
    repetition.stop()
    expect(error.mock.calls).toEqual([
      ['It failed:', new Error('full disk')],
      ['It failed:', new Error('full disk')],
    ])
  })

  it('is not waited for: the next call comes while one has not ended', async () => {
    const work = vi.fn(() => new Promise<void>(() => {}))
    const { repetition } = repeating(work)
    repetition.start()
    await vi.advanceTimersByTimeAsync(3000)
    repetition.stop()
    expect(work).toHaveBeenCalledTimes(3)
  })

  it.each([false, true])('says nothing when it fails after the stop (started again: %s)', async (isStartedAgain) => {
    const { promise, reject } = Promise.withResolvers<void>()
    const work = vi.fn(() => promise)
    const { repetition, error } = repeating(work)
    repetition.start()
    vi.advanceTimersByTime(1000)
    expect(work).toHaveBeenCalledTimes(1)
    repetition.stop()
    if (isStartedAgain) repetition.start()
    reject(new Error('database is not open'))
    await vi.advanceTimersByTimeAsync(0)
    expect(error).not.toHaveBeenCalled()
    repetition.stop()
  })

  it('does not keep the process alive', () => {
    vi.useRealTimers()
    const before = process.getActiveResourcesInfo().length
    const { repetition } = repeating(() => {})
    repetition.start()
    expect(process.getActiveResourcesInfo()).toHaveLength(before)
    repetition.stop()
  })
})
