import { describe, expect, it, vi } from 'vitest'
import { openStore, type Store } from '../../../server/db/store.ts'
import { openRepeatThrottle, repeatPauses } from '../../../server/notifications/repeatThrottle.ts'
import { dataApp } from '../../support/console/dataApp.ts'

const minute = 60_000
const start = Date.parse('2026-11-21T00:00:00Z')

function muting(store: Store = openStore(':memory:')) {
  const clock = { now: start }
  const onFailure = (error: unknown) => {
    throw error
  }
  const open = () => openRepeatThrottle({ store, onFailure, now: () => clock.now })
  return { clock, store, open, ...open() }
}

describe('a notice that repeats itself', () => {
  it('passes at once, and then with pauses that double up to a day', () => {
    const { clock, allows: letsPass } = muting()
    const passed: number[] = []
    for (; clock.now < start + 7 * 86_400_000; clock.now += minute) {
      if (letsPass('offline 1')) passed.push((clock.now - start) / minute)
    }
    // 15, 30, 60, 120, 240, 480 and 960 minutes, then a day each.
    expect(passed).toEqual([0, 15, 45, 105, 225, 465, 945, 1905, 3345, 4785, 6225, 7665, 9105])
  })

  it('does not hold back another one', () => {
    const { allows: letsPass } = muting()
    expect(['a', 'b', 'a', 'b'].map(letsPass)).toEqual([true, true, false, false])
  })

  it('is a first one again when its trouble is over', () => {
    const { clock, allows: letsPass, reset: end } = muting()
    letsPass('a')
    clock.now += 20 * minute
    letsPass('a')
    end('a')
    expect(letsPass('a')).toBe(true)
    clock.now += repeatPauses.first
    expect(letsPass('a')).toBe(true)
  })

  it('is a first one again after a silence of a pause more', () => {
    const { clock, allows: letsPass } = muting()
    letsPass('a')
    clock.now += 2 * repeatPauses.first + 1
    expect(letsPass('a')).toBe(true)
    clock.now += repeatPauses.first
    expect(letsPass('a')).toBe(true)
  })

  it('stays muted, and its pause goes on growing, over a restart', () => {
    const { clock, store, open, allows: letsPass, flush } = muting()
    letsPass('a')
    clock.now += 15 * minute
    letsPass('a')
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

  it('leaves nothing in the database when it is over', () => {
    const { clock, store, allows: letsPass, reset: end, flush } = muting()
    const kept = () => store.table({ name: 'muted_notice', columns: [] }).count()
    for (const key of ['a', 'b', 'c']) letsPass(key)
    flush()
    expect(kept()).toBe(3)
    end('a')
    flush()
    expect(kept()).toBe(2)
    clock.now += 86_400_000
    letsPass('d')
    flush()
    expect(kept()).toBe(1)
  })

  it('is kept over a restart, as others are, when the disk was full while another one ended', () => {
    const store = openStore(':memory:')
    const errors: unknown[] = []
    const open = () => openRepeatThrottle({ store, onFailure: (error) => errors.push(error), now: () => start })
    const full = new Error('database or disk is full')
    const { allows: letsPass, reset: end, flush } = open()
    letsPass('a')
    flush()
    end('a')
    letsPass('b')
    vi.spyOn(store.table({ name: 'muted_notice', columns: [] }), 'insert').mockImplementationOnce(() => {
      throw full
    })
    flush()
    for (const key of ['a', 'c']) letsPass(key)
    flush()
    expect(errors).toEqual([full])
    expect(['a', 'b', 'c'].map(open().allows)).toEqual([false, false, false])
  })
})

describe('a muted notice', () => {
  it('is neither sent nor logged, and the word that ends its trouble is', async () => {
    const clock = { now: start }
    const scene = await dataApp({ now: () => clock.now, pause: async () => {} })
    const notifier = { name: 'n', url: 'http://127.0.0.1:1', request_method: 1, skip_check: true }
    await scene.call('POST', 'notification', notifier)
    await scene.call('POST', 'notification-group', { name: 'g', notifications: [1] })
    const messages = async (count: number) => {
      for (;;) {
        const { rows } = scene.deliveries.page(0, 100)
        if (rows.length >= count) return rows.map(({ message }) => message)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    }
    const fails = (message: string) => scene.notices.send({ groupId: 1, message, repeatKey: 'rule 1' })
    fails('first')
    fails('muted')
    scene.notices.send({ groupId: 1, message: 'resolved', resolvesKey: 'rule 1' })
    fails('again')
    expect(await messages(3)).toEqual(['again', 'resolved', 'first'])
    await scene.notices.stop()
  })
})
