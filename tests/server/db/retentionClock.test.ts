import { describe, expect, it, vi } from 'vitest'
import { createRetentionClock } from '../../../server/db/retentionClock.ts'
import { openStore } from '../../../server/db/store.ts'
import { logInto } from '../../support/server/testServer.ts'

const [hour, day] = [3_600_000, 86_400_000]
const [week, year] = [7 * day, 365 * day]
const noon = Date.parse('2026-11-21T12:00:00Z')

/** A server on a clock that jumps, and that is stopped and started again. */
function clockFixture() {
  const store = openStore(':memory:')
  const clock = { wall: noon, monotonic: 0 }
  const logged: string[] = []
  const start = () =>
    createRetentionClock({ store, log: logInto(logged), now: () => clock.wall, monotonicNow: () => clock.monotonic })
  let retention = start()
  return {
    logged,
    now: () => retention.now(),
    /** Lets time pass, with a look each quarter of an hour. */
    pass(ms: number) {
      for (let passed = 0; passed < ms; passed += hour / 4) {
        clock.wall += hour / 4
        clock.monotonic += hour / 4
        retention.now()
      }
    },
    jump(ms: number) {
      clock.wall += ms
    },
    wall: () => clock.wall,
    /** @param offMs how long it is off */
    restart(offMs: number) {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
      try {
        retention.start()
        vi.advanceTimersToNextTimer()
        retention.stop()
      } finally {
        vi.useRealTimers()
      }
      clock.wall += offMs
      clock.monotonic = 5
      retention = start()
    },
  }
}

describe('the time by which history is too old', () => {
  it('is that of the clock while it goes on', () => {
    const { now, pass, wall, jump, restart, logged } = clockFixture()
    pass(3 * day)
    expect(now()).toBe(wall())
    jump(hour)
    expect(now()).toBe(wall())
    restart(6 * day)
    expect(now()).toBe(wall())
    expect(logged).toEqual([])
  })

  it('does not follow a clock that jumps ahead, and does when it comes back', () => {
    const { now, pass, wall, jump, logged } = clockFixture()
    pass(day)
    jump(year)
    expect(now()).toBe(noon + day)
    pass(5 * hour)
    expect(now()).toBe(noon + day + 5 * hour)
    jump(-year)
    expect(now()).toBe(wall())
    expect(logged).toEqual([
      expect.stringContaining(
        'The clock says 2027-11-22T12:00:00.000Z, and by what has passed it is about 2026-11-22T12',
      ),
      expect.stringContaining('right again'),
    ])
  })

  it('follows after a day: the clock is right then', () => {
    const { now, pass, wall, jump, logged } = clockFixture()
    jump(year)
    pass(23 * hour)
    expect(now()).toBe(noon + 23 * hour)
    pass(2 * hour)
    expect(now()).toBe(wall())
    expect(logged).toEqual([expect.stringContaining('The clock says'), expect.stringContaining('counts as right')])
  })

  it('waits another day for a clock that jumps again', () => {
    const { now, pass, jump, logged } = clockFixture()
    jump(2 * hour)
    pass(23 * hour)
    jump(year)
    pass(23 * hour)
    expect(now()).toBe(noon + 46 * hour)
    expect(logged).toHaveLength(2)
  })

  it('after two weeks off follows a day later, also with restarts in between', () => {
    const { now, pass, restart, wall, logged } = clockFixture()
    restart(2 * week)
    expect(now()).toBe(noon)
    pass(12 * hour)
    restart(0)
    pass(11 * hour)
    expect(now()).toBeLessThan(noon + day)
    pass(2 * hour)
    expect(now()).toBe(wall())
    expect(logged.filter((line) => line.includes('The clock says'))).toHaveLength(1)
  })

  it('is kept over a restart while the clock is ahead, by less than a server may be off', () => {
    const { now, pass, jump, restart } = clockFixture()
    jump(3 * day)
    pass(hour)
    restart(0)
    expect(now()).toBeLessThanOrEqual(noon + hour)
  })

  it('is not that of a machine without a battery, whose clock is set after the start', () => {
    const { now, pass, jump, restart, wall, logged } = clockFixture()
    pass(day)
    restart(-wall())
    expect(now()).toBe(0)
    pass(hour)
    jump(noon + day + hour)
    expect(now()).toBe(wall())
    expect(logged).toEqual([])
  })
})
