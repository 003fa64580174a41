import { describe, expect, it, vi } from 'vitest'
import { openStore, type Store } from '../../../server/db/store.ts'
import { openRepeatThrottle, repeatPauses } from '../../../server/notifications/repeatThrottle.ts'
import { dataApp } from '../../support/console/dataApp.ts'

const minute = 60_000
const start = Date.parse('2026-11-21T00:00:00Z')

function throttleFixture(store: Store = openStore(':memory:')) {
  const clock = { now: start }
  const onFailure = (error: unknown) => {
    throw error
  }
  const open = () => openRepeatThrottle({ store, onFailure, now: () => clock.now })
  return { clock, store, open, ...open() }
}

describe('a repeated notification', () => {
  it('passes immediately, and then with pauses that double up to a day', () => {
    const { clock, allows } = throttleFixture()
    const passed: number[] = []
    for (; clock.now < start + 7 * 86_400_000; clock.now += minute) {
      if (allows('offline 1')) passed.push((clock.now - start) / minute)
    }
    // 15, 30, 60, 120, 240, 480 and 960 minutes, then a day each.
    expect(passed).toEqual([0, 15, 45, 105, 225, 465, 945, 1905, 3345, 4785, 6225, 7665, 9105])
  })

  it('does not affect another key', () => {
    const { allows } = throttleFixture()
    expect(['a', 'b', 'a', 'b'].map(allows)).toEqual([true, true, false, false])
  })

  it('is a first one again when its problem is over', () => {
    const { clock, allows, reset } = throttleFixture()
    allows('a')
    clock.now += 20 * minute
    allows('a')
    reset('a')
    expect(allows('a')).toBe(true)
    clock.now += repeatPauses.first
    expect(allows('a')).toBe(true)
  })

  it('is a first one again after one more pause without a notification', () => {
    const { clock, allows } = throttleFixture()
    allows('a')
    clock.now += 2 * repeatPauses.first + 1
    expect(allows('a')).toBe(true)
    clock.now += repeatPauses.first
    expect(allows('a')).toBe(true)
  })

  it('stays suppressed, with a growing pause, across a restart', () => {
    const { clock, store, open, allows, flush } = throttleFixture()
    allows('a')
    clock.now += 15 * minute
    allows('a')
    flush()
    clock.now += 20 * minute
    const next = open()
    expect(next.allows('a')).toBe(false)
    clock.now += 10 * minute
    expect(next.allows('a')).toBe(true)
    next.flush()
    clock.now += 59 * minute
    const last = openRepeatThrottle({ store, onFailure: () => {}, now: () => clock.now })
    expect(last.allows('a')).toBe(false)
  })

  it('leaves nothing in the database when the problem is over', () => {
    const { clock, store, allows, reset, flush } = throttleFixture()
    const savedCount = () => store.table({ name: 'muted_notice', columns: [] }).count()
    for (const key of ['a', 'b', 'c']) allows(key)
    flush()
    expect(savedCount()).toBe(3)
    reset('a')
    flush()
    expect(savedCount()).toBe(2)
    clock.now += 86_400_000
    allows('d')
    flush()
    expect(savedCount()).toBe(1)
  })

  it('is saved together with the others after a full disk', () => {
    const store = openStore(':memory:')
    const errors: unknown[] = []
    const open = () => openRepeatThrottle({ store, onFailure: (error) => errors.push(error), now: () => start })
    const diskFull = new Error('database or disk is full')
    const { allows, reset, flush } = open()
    allows('a')
    flush()
    reset('a')
    allows('b')
    vi.spyOn(store.table({ name: 'muted_notice', columns: [] }), 'insert').mockImplementationOnce(() => {
      throw diskFull
    })
    flush()
    for (const key of ['a', 'c']) allows(key)
    flush()
    expect(errors).toEqual([diskFull])
    expect(['a', 'b', 'c'].map(open().allows)).toEqual([false, false, false])
  })
})

describe('a suppressed notification', () => {
  it('is neither sent nor logged, but the one about the end of the problem is', async () => {
    const clock = { now: start }
    const fixture = await dataApp({ now: () => clock.now, pause: async () => {} })
    const notifier = { name: 'n', url: 'http://127.0.0.1:1', request_method: 1, skip_check: true }
    await fixture.call('POST', 'notification', notifier)
    await fixture.call('POST', 'notification-group', { name: 'g', notifications: [1] })
    const messages = async (count: number) => {
      for (;;) {
        const { rows } = fixture.deliveries.page(0, 100)
        if (rows.length >= count) return rows.map(({ message }) => message)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    }
    const fails = (message: string) => fixture.notifications.send({ groupId: 1, message, repeatKey: 'rule 1' })
    fails('first')
    fails('muted')
    fixture.notifications.send({ groupId: 1, message: 'resolved', resolvesKey: 'rule 1' })
    fails('again')
    expect(await messages(3)).toEqual(['again', 'resolved', 'first'])
    await fixture.notifications.stop()
  })
})
