// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { markReachable, markUnreachable, retryUntilReachable, unreachableSince } from '../../../src/api/connectivity.ts'

let isThere = false
const probe = vi.fn(async () => {
  if (isThere) return markReachable()
  markUnreachable()
  throw new Error('no reply')
})
const onBack = vi.fn()
let stop: () => void

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  vi.spyOn(Math, 'random').mockReturnValue(1)
  isThere = false
  stop = retryUntilReachable(probe, onBack)
})

afterEach(() => {
  stop()
  markReachable()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.clearAllMocks()
})

/** Seconds after which the server was looked for, each counted from the one before. */
async function pauses(count: number): Promise<number[]> {
  const found: number[] = []
  for (let second = 0, last = 0; found.length < count; second++) {
    const before = probe.mock.calls.length
    await vi.advanceTimersByTimeAsync(1000)
    if (probe.mock.calls.length === before) continue
    found.push(second + 1 - last)
    last = second + 1
  }
  return found
}

describe('A server that has gone away', () => {
  it('is looked for with growing pauses, up to half a minute', async () => {
    markUnreachable()
    expect(await pauses(7)).toEqual([1, 2, 4, 8, 16, 30, 30])
  })

  it('has been away since the first call that failed', async () => {
    markUnreachable()
    await vi.advanceTimersByTimeAsync(5000)
    markUnreachable()
    expect(unreachableSince()).toBe(1_000_000)
  })

  it('is looked for once at a time, however many calls fail', async () => {
    for (let call = 0; call < 10; call++) markUnreachable()
    await vi.advanceTimersByTimeAsync(1000)
    expect(probe).toHaveBeenCalledOnce()
  })

  it('is reported once when it is back, and no longer looked for', async () => {
    markUnreachable()
    isThere = true
    await vi.advanceTimersByTimeAsync(1000)
    expect(onBack).toHaveBeenCalledOnce()
    expect(unreachableSince()).toBeUndefined()
    await vi.advanceTimersByTimeAsync(120_000)
    expect(probe).toHaveBeenCalledOnce()
  })

  it('is asked for everything with growing pauses while a proxy answers for it to some of the calls', async () => {
    onBack.mockImplementation(async () => {
      // Without pauses it would go on for ever.
      if (onBack.mock.calls.length > 50) return
      await Promise.resolve()
      markUnreachable()
      markReachable()
    })
    const counts = []
    markUnreachable()
    markReachable()
    for (let minute = 0; minute < 3; minute++) {
      await vi.advanceTimersByTimeAsync(60_000)
      counts.push(onBack.mock.calls.length)
    }
    expect(counts).toEqual([6, 8, 10])
    // After a time of rest, it is asked at once.
    onBack.mockReset()
    await vi.advanceTimersByTimeAsync(120_000)
    onBack.mockReset()
    markUnreachable()
    markReachable()
    expect(onBack).toHaveBeenCalledOnce()
  })

  it.each(['online', 'visibilitychange'])('is looked for at once on "%s"', async (event) => {
    markUnreachable()
    await pauses(5)
    const before = probe.mock.calls.length
    const target = event === 'online' ? window : document
    target.dispatchEvent(new Event(event))
    expect(probe).toHaveBeenCalledTimes(before + 1)
  })
})

it('a server that answers is not looked for', async () => {
  markReachable()
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect([probe.mock.calls.length, onBack.mock.calls.length]).toEqual([0, 0])
})
