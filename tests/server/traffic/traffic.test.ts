import { describe, expect, it, onTestFinished } from 'vitest'
import type { Store } from '../../../server/db/store.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import type { ServerTraffic, TrafficOfPeriod } from '../../../src/schemas/endpoints/trafficEndpoints.ts'
import type { Browser } from '../../support/console/browser.ts'
import { createTestHost } from '../../support/server/testHost.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

const gb = 1e9
const day = 86_400_000
/** Milliseconds since 1970. */
const boot = Date.parse('2023-01-01T00:00:00Z')

async function counted(start = '2026-11-21T00:00:00Z', given?: Store) {
  const host = createTestHost({ uuid: 'machine-1', name: 'web-1' })
  const server = await testServer({
    store: given,
    machines: (on) => {
      const machines = createMachines(on)
      machines.add(host)
      return machines
    },
  })
  onTestFinished(() => server.app.close())
  server.clock.now = Date.parse(start)
  const report = (received: number, sent: number, at: string | number) => {
    server.clock.now = typeof at === 'number' ? at : Date.parse(at)
    const uptime = (server.clock.now - boot) / 1000
    const counters = {
      net_in_transfer: received,
      net_out_transfer: sent,
      net_in_speed: 5e6,
      net_out_speed: 5e6,
      uptime,
    }
    host.report({ state: counters, at: new Date(server.clock.now) })
  }
  if (!given) report(gb, gb, start)
  /** By a session of its own: the clock goes on for months. */
  const call = async (...args: Parameters<Browser['call']>) => (await signedIn(server)).call(...args)
  const get = async <T>(path: string) => ((await call('GET', path)).body as { data: T }).data
  return {
    server,
    report,
    call,
    store: server.store,
    contract: (contract: object) => call('PATCH', 'server/1', { body: { name: 'web-1', contract } }),
    all: (period = '') => get<TrafficOfPeriod[]>(`wheelhouse/traffic?period=${period}`),
    one: (period = '') => get<ServerTraffic>(`wheelhouse/traffic/1?period=${period}`),
  }
}

describe('the traffic of a period', () => {
  it('is counted by days against the quota, with a forecast', async () => {
    const { report, contract, all, one } = await counted()
    await contract({ quota_bytes: 100 * gb, quota_counts: 'larger', resets_on: 15, zone: 'Europe/Rome', provider: 'A' })
    report(3 * gb, gb + 5, '2026-11-21T22:59:59Z')
    report(4 * gb, gb + 7, '2026-11-21T23:00:01Z')
    report(11 * gb, 2 * gb, '2026-11-24T00:00:00Z')
    const period = { from: '2026-11-14T23:00:00Z', to: '2026-12-14T23:00:00Z', received: 10 * gb, sent: gb }
    expect(await all()).toEqual([
      {
        ...period,
        server_id: 1,
        name: 'web-1',
        provider: 'A',
        used: 10 * gb,
        quota_bytes: 100 * gb,
        // 10 GB in three days, and 20 days and 23 hours more.
        forecast: Math.round(10 * gb + ((10 * gb) / 3) * (20 + 23 / 24)),
        jumps: [],
      },
    ])
    // Until it has a contract, its days are those of this machine's zone, where it may be the day before.
    expect((await one()).days.filter(({ received }) => received > 0)).toEqual([
      { day: '2026-11-21', received: 2 * gb, sent: 5 },
      { day: '2026-11-22', received: gb, sent: 2 },
      { day: '2026-11-24', received: 7 * gb, sent: gb - 7 },
    ])
  })

  it('goes on after a restart, with what was transferred meanwhile, and no fault of a counter counts', async () => {
    const first = await counted()
    first.report(5 * gb, gb, '2026-11-21T06:00:00Z')
    first.report(0, gb, '2026-11-21T06:00:02Z')
    first.report(5 * gb, gb, '2026-11-21T06:00:04Z')
    first.report(500 * gb, gb, '2026-11-21T06:00:06Z')
    expect(await first.all()).toMatchObject([
      { received: 4 * gb, jumps: ['2026-11-21T06:00:02Z', '2026-11-21T06:00:06Z'] },
    ])
    await first.server.app.machines.stop()
    await first.server.app.close()
    const second = await counted('2026-11-21T07:00:00Z', first.store)
    second.report(501 * gb, gb, '2026-11-21T08:00:00Z')
    expect(await second.all()).toMatchObject([{ received: 5 * gb, jumps: [expect.any(String), expect.any(String)] }])
  })

  it('is kept for 24 periods and no longer', async () => {
    const { report, one, all } = await counted('2024-01-10T00:00:00Z')
    for (let month = 1; month <= 40; month++)
      report((1 + month) * gb, gb, Date.parse('2024-01-10') + month * 30.5 * day)
    const { periods } = await one()
    expect(periods).toHaveLength(24)
    expect(periods.every(({ received }) => received === gb || received === 2 * gb || received === 0)).toBe(true)
    expect((await all('23'))[0]?.received).toBeGreaterThan(0)
  })

  it('is told to nobody but owners and administrators, and a wrong period is refused', async () => {
    const { server, call } = await counted()
    for (const wrong of ['24', '-1', 'x', '1e']) {
      expect((await call('GET', `wheelhouse/traffic?period=${wrong}`)).body).toMatchObject({
        error: 'period must be a number from 0 to 23',
      })
    }
    const member = await signedIn(server, 'member')
    expect((await member.call('GET', 'wheelhouse/traffic')).body).toEqual({ success: true })
    expect((await member.call('GET', 'wheelhouse/traffic/1')).body).toMatchObject({
      error: 'permission denied',
    })
  })
})
