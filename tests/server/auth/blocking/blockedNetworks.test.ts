import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createWaf, maxFailures } from '../../../../server/auth/blocking/blockedAddresses.ts'
import { openStore, type Store } from '../../../../server/db/store.ts'
import { expectLessProcessorTime } from '../../../support/processorTime.ts'
import { password, testServer } from '../../../support/server/testServer.ts'

const day = 86_400_000

function createClock() {
  const clock = { now: Date.parse('2026-11-21T00:00:00Z') }
  return clock
}

function startWaf(store: Store = openStore(':memory:')) {
  const clock = createClock()
  const onFailure = vi.fn()
  const waf = createWaf(store, () => clock.now, onFailure)
  const attempt = { kind: 'sign-in', account: 7 } as const
  const fail = (ip: string) => waf.recordFailure(ip, attempt)
  const isBlocked = (ip: string) => waf.blockFor(ip, attempt) !== undefined
  const secondsLeft = (ip: string) => (waf.blockFor(ip, attempt)?.until ?? 0) - clock.now / 1000
  return { store, clock, waf, fail, isBlocked, secondsLeft, onFailure }
}

describe('IPv6 addresses', () => {
  it('are counted by their /64 network: another address of it does not begin anew', async () => {
    const server = await testServer()
    await server.browser('2001:db8:0:7:1::1').signIn('admin', 'wrong')
    expect((await server.browser('2001:db8:0:7:ffff:ffff::2').signIn('admin', password)).status).toBe(403)
    expect((await server.browser('2001:db8:0:8::1').signIn('admin', password)).status).toBe(200)
    expect(server.app.auth.waf.rows()).toMatchObject([{ ip: '2001:db8:0:7::/64', count: 1 }])
  })

  it('get one guess for fifty that are sent at once from fifty addresses of a network', async () => {
    const server = await testServer()
    const burst = Array.from({ length: 50 }, (_, n) => server.browser(`2001:db8::${n + 1}`).signIn('admin', 'wrong'))
    const statuses = (await Promise.all(burst)).map((reply) => reply.status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  })

  it('are set free by the network that the list shows, or by any address of it', () => {
    for (const text of ['2001:db8:0:7::/64', '2001:DB8:0:7::/64', '2001:db8:0:7::99']) {
      const { waf, fail, isBlocked } = startWaf()
      fail('2001:db8:0:7::1')
      waf.unblock([text])
      expect([text, isBlocked('2001:db8:0:7::1')]).toEqual([text, false])
    }
  })

  it.each([
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['::FFFF:C633:6407', '198.51.100.7'],
    ['0:0:0:0:0:ffff:c633:6407', '198.51.100.7'],
    ['::1', '::1'],
    ['fe80::1%eth0', 'fe80::%eth0/64'],
    ['2001:db8::5', '2001:db8::/64'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
    ['0:0:1::1', '0:0:1::/64'],
  ])('%s is listed as %s', (address, listed) => {
    const { waf, fail } = startWaf()
    fail(address)
    expect(waf.rows().map(({ ip }) => ip)).toEqual([listed])
    waf.unblock([listed])
    expect(waf.rows()).toEqual([])
  })

  it('of a database from before are put together by network, also on the disk', () => {
    const store = openStore(':memory:')
    startWaf(store)
    const table = store.table<{ id: number; ip: string; count: number }>({ name: 'waf', columns: [] })
    const stamp = createClock().now / 1000 - 10
    for (const ip of ['2001:db8::1', '2001:db8::2', '198.51.100.1']) {
      table.insert({ ip, block_identifier: -125, block_reason: 1, block_timestamp: stamp, count: 2 } as object)
    }
    const { waf } = startWaf(store)
    expect(waf.rows()).toMatchObject([
      { ip: '198.51.100.1', count: 2 },
      { ip: '2001:db8::/64', count: 4 },
    ])
    waf.flush()
    expect(table.all().map(({ ip, count }) => [ip, count])).toEqual(
      expect.arrayContaining([
        ['198.51.100.1', 2],
        ['2001:db8::/64', 4],
      ]),
    )
    expect(table.count()).toBe(2)
  })
})

describe('a clock that jumped forward and back', () => {
  it('does not shut an address out until that time comes again', () => {
    const { waf, fail, isBlocked, secondsLeft, clock } = startWaf()
    clock.now += 365 * day
    fail('198.51.100.1')
    clock.now -= 365 * day
    expect(secondsLeft('198.51.100.1')).toBe(3)
    clock.now += 3000
    expect(isBlocked('198.51.100.1')).toBe(false)
    expect(waf.rows()[0]?.block_timestamp).toBe(clock.now / 1000 - 3)
  })

  it('does not either after a restart', () => {
    const { store, waf, fail, clock } = startWaf()
    clock.now += 365 * day
    fail('198.51.100.1')
    waf.flush()
    const later = startWaf(store)
    expect(later.secondsLeft('198.51.100.1')).toBe(3)
  })
})

describe('an address that does not fail any more', () => {
  it('leaves the list a week after the end of its block, blocks by administrators stay', () => {
    const { waf, fail, clock, store } = startWaf()
    fail('198.51.100.1')
    waf.block('198.51.100.2')
    clock.now += 7 * day
    expect(waf.rows()).toHaveLength(2)
    clock.now += day
    expect(waf.rows().map(({ ip }) => ip)).toEqual(['198.51.100.2'])
    waf.flush()
    expect(store.table({ name: 'waf', columns: [] }).count()).toBe(1)
  })
})

describe('many failures', () => {
  it('cost a bad sign-in less than 5 ms of the processor beside its hash with 100,000 addresses in the list', async () => {
    const { waf, fail, isBlocked, store } = startWaf()
    for (let n = 0; n < maxFailures; n++) fail(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`)
    waf.flush()
    const attempts = 200
    let third = 0
    await expectLessProcessorTime(5 * attempts, () => {
      for (let n = 0; n < attempts; n++) {
        const ip = `11.0.${third}.${n}`
        expect(isBlocked(ip)).toBe(false)
        fail(ip)
      }
      waf.flush()
      third++
    })
    expect(store.table({ name: 'waf', columns: [] }).count()).toBe(maxFailures)
  })

  it('make the address be forgotten that has not failed for the longest time, never one that an administrator blocked', () => {
    const { waf, fail, isBlocked } = startWaf()
    waf.block('198.51.100.9')
    for (let n = 0; n < maxFailures; n++) fail(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`)
    fail('10.0.0.0')
    fail('198.51.100.1')
    expect(isBlocked('10.0.0.0')).toBe(true)
    expect(isBlocked('10.0.0.1')).toBe(false)
    expect(isBlocked('198.51.100.9')).toBe(true)
    expect(waf.rows()).toHaveLength(maxFailures + 1)
  })
})

describe('a disk that cannot be written', () => {
  it('does not stop counting, says so once, and failures are written when it can be again', () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { fail, isBlocked, store, onFailure } = startWaf()
    const { urgently } = store
    const full = () => {
      throw new Error('database or disk is full')
    }
    store.urgently = full
    fail('198.51.100.1')
    vi.advanceTimersByTime(5000)
    expect(isBlocked('198.51.100.1')).toBe(true)
    expect(onFailure).toHaveBeenCalledOnce()
    store.urgently = urgently
    vi.advanceTimersByTime(1000)
    expect(store.table({ name: 'waf', columns: [] }).count()).toBe(1)
  })
})
