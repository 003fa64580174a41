import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { HostState } from '../../../server/machines/hosts/host.ts'
import type { PublicStatus } from '../../../src/schemas/status/publicStatus.ts'
import { metricsServer } from '../../support/metrics/metricsServer.ts'
import { alertFixture, messagesOf } from '../../support/server/fixtures/alertFixture.ts'

const gb = 1e9
const month = { cycle_start: '2026-11-01T00:00:00Z', cycle_interval: 1, cycle_unit: 'MONTH' }
/** Seconds: booted before the month began. */
const year = 365 * 86_400

/**
 * The received bytes of one report, with a year of uptime, and with the speed in bytes per second if the machine says
 * one; the reports are three seconds apart.
 */
type Step = number | { received: number; uptime?: number; speed?: number }

const at = (received: number, speed: number): Step => ({ received, speed })
const withoutUptime = (...values: number[]): Step[] => values.map((received) => ({ received, uptime: 0 }))

/** @param savedAfterMs milliseconds from the report before a restart to the restart */
async function receivedInMonth(
  steps: readonly Step[],
  restartBefore = -1,
  savedAfterMs = 1000,
): Promise<number | undefined> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const fixture = alertFixture()
  fixture.rule([{ type: 'transfer_in_cycle', max: 1e18, ...month }])
  for (const [index, step] of steps.entries()) {
    if (index === restartBefore) {
      vi.advanceTimersByTime(savedAfterMs)
      fixture.restart()
    }
    const { received, uptime = year + 3 * index, speed = 0 } = typeof step === 'number' ? { received: step } : step
    await fixture.checks(1, () => [{ state: { net_in_transfer: received, uptime, net_in_speed: speed } }])
  }
  return fixture.alerts.cycleTransferStats()?.[1]?.transfer?.[1]
}

describe('the traffic of a month', () => {
  const sequences: [what: string, steps: Step[], received: number][] = [
    ['a counter that reads 0 once', [100 * gb, 0, 100 * gb], 0],
    ['a counter that reads 0 for a while, and goes on', [100 * gb, 0, 0, 0, 100 * gb + 700, 100 * gb + 900], 900],
    ['an interface that vanishes and returns', [60 * gb, 20 * gb, 20 * gb + 5, 60 * gb + 7], 7],
    ['two interfaces that vanish and return apart', [90 * gb, 60 * gb, 10 * gb, 60 * gb + 2, 90 * gb + 4], 4],
    ['an interface that vanishes for good', [60 * gb, 20 * gb, 20 * gb + 500, 20 * gb + 800], 800],
    ['an interface that flaps', [9 * gb, gb, 9 * gb, gb, 9 * gb, gb, 9 * gb + 3], 3],
    ['more than a line can carry', [gb, 1e15, 1e15 + 40], 40],
    ['a number near 2^64, and back', [gb, 2 ** 64 - 1, gb + 10, gb + 30], 20],
    ['a number near 2^64 at first', [2 ** 64 - 1, 5 * gb, 5 * gb + 60], 60],
    ['a report that lacks everything', [5 * gb, { received: 0, uptime: 0 }, 5 * gb + 8], 8],
    [
      'a clock of the machine that is set back a little',
      [5 * gb, { received: 5 * gb + 4, uptime: year - 20 }, 5 * gb + 9],
      9,
    ],
    [
      'a snapshot that is restored',
      [9 * gb, { received: 4 * gb, uptime: year / 2 }, { received: 4 * gb + 6, uptime: year / 2 + 3 }],
      6,
    ],
    [
      'another machine with the same uuid',
      [5 * gb, { received: 90 * gb, uptime: 2 * year }, { received: 90 * gb + 3, uptime: 2 * year + 3 }],
      3,
    ],
    ['a reboot', [5 * gb, 6 * gb, { received: 200, uptime: 2 }, { received: 900, uptime: 5 }], gb + 900],
    ['a fast line', [gb, 11 * gb, 21 * gb], 20 * gb],
    ['a counter without uptime that reads 0 once', withoutUptime(100 * gb, 0, 100 * gb), 0],
    ['a counter without uptime that reads 0, and goes on', withoutUptime(9 * gb, 0, 0, 9 * gb + 5, 9 * gb + 8), 8],
    ['an interface without uptime that returns', withoutUptime(60 * gb, 20 * gb, 60 * gb + 3), 3],
    ['a number near 2^64 without uptime', withoutUptime(gb, 2 ** 64 - 1, gb + 10, gb + 30), 20],
    ['a boot without uptime', withoutUptime(5 * gb, 6 * gb, 200, 900), gb + 900],
  ]
  it.each(sequences)('counts what is real of %s', async (_what, steps, received) => {
    expect(await receivedInMonth(steps)).toBe(received)
    // Also with a restart of this server before the last report: what has leapt is saved within a second.
    expect(await receivedInMonth(steps, steps.length - 1)).toBe(received)
  })

  const lines: [what: string, steps: Step[], received: number][] = [
    ['an interface that was never there, on an idle line', [at(gb, 500), at(gb + 1500, 500), at(91 * gb, 3e10)], 1500],
    [
      'a leap in which the machine believes itself',
      [at(gb, 500), at(91 * gb, 3e10), at(91 * gb + 9, 3), at(91 * gb + 18, 3)],
      18,
    ],
    ['two leaps', [at(gb, 500), at(91 * gb, 3e10), at(91 * gb, 0), at(181 * gb, 3e10), at(181 * gb + 6, 2)], 6],
    ['a line with 100 Gbit/s', [at(gb, 1.2e10), at(37 * gb, 1.2e10), at(73 * gb, 1.2e10)], 72 * gb],
    ['a line with 10 Gbit/s after an idle time', [at(gb, 9), at(gb + 27, 9), at(4 * gb + 27, 1e9)], 3 * gb + 27],
    ['a boot with more than its line can have carried', [at(gb, 9), { received: 100 * gb, uptime: 2, speed: 9 }], 0],
    [
      'a boot with each report, each with more than the time since the last one has room for',
      [
        { received: gb, uptime: 9 },
        { received: 9e11, uptime: 8 },
        { received: 9e11, uptime: 7 },
        { received: 9e11, uptime: 6 },
      ],
      gb,
    ],
    [
      'an agent that is installed again, and begins at 0',
      [at(60 * gb, 500), at(0, 0), at(700, 200), at(60 * gb + 900, 2e10)],
      900,
    ],
    [
      'two agents that take turns',
      [
        at(5 * gb, 9),
        { received: 90 * gb, uptime: 9 * year },
        at(5 * gb + 2, 9),
        { received: 90 * gb, uptime: 9 * year },
      ],
      0,
    ],
    [
      'two agents on machines that booted together',
      [at(5 * gb, 9), at(90 * gb, 9), at(5 * gb + 20, 9), at(90 * gb + 20, 9), at(90 * gb + 50, 9)],
      50,
    ],
  ]
  it.each(lines)('is what the line can have carried: %s', async (_what, steps, received) => {
    expect(await receivedInMonth(steps)).toBe(received)
    // All other reports are saved within a minute.
    expect(await receivedInMonth(steps, steps.length - 1, 60_000)).toBe(received)
  })
})

async function server() {
  const one = await metricsServer({ machines: ['web-1'] })
  const report = (state: Partial<HostState>, afterMs = 2000) => {
    one.server.clock.now += afterMs
    one.hosts[0]?.report({ host: { mem_total: 8e9 }, state, at: new Date(one.server.clock.now) })
  }
  const shown = async () => ((await one.admin.call('GET', 'server')).body as { data: Shown[] }).data[0]
  return { ...one, report, shown }
}

interface Shown {
  missing?: string[]
  state: Partial<HostState>
  left_out?: { values: number; jumps: number }
}

describe('a value that no machine can have', () => {
  const bad: [string, Partial<HostState>][] = [
    ['not a number', { cpu: Number.NaN, mem_used: Number.NaN, load_1: Number.NaN, net_in_speed: Number.NaN }],
    [
      'infinite',
      {
        cpu: Number.POSITIVE_INFINITY,
        mem_used: Number.POSITIVE_INFINITY,
        load_1: Number.POSITIVE_INFINITY,
        net_in_speed: Number.POSITIVE_INFINITY,
      },
    ],
    ['negative', { cpu: -1, mem_used: -4096, load_1: -0.5, net_in_speed: -7 }],
    ['too much', { cpu: 4_000, mem_used: 9e9, load_1: 1e12, net_in_speed: 2 ** 64 }],
  ]
  it.each(bad)('is left out and counted: %s', async (_what, state) => {
    const { report, shown, scrape } = await server()
    report({ cpu: 20, mem_used: 4e9, load_1: 1, net_in_speed: 500, uptime: 1000 })
    report({ ...state, uptime: 1002 })
    // For a moment the last good value stands in.
    expect(await shown()).toMatchObject({
      state: { cpu: 20, mem_used: 4e9, load_1: 1, net_in_speed: 500 },
      left_out: { values: 4, jumps: 0 },
    })
    report({ ...state, uptime: 1070 }, 68_000)
    expect(await shown()).toMatchObject({ missing: ['cpu', 'mem_used', 'net_in_speed', 'load_1'] })
    const { values } = await scrape()
    // Afterwards there is none: neither an old one nor 0.
    for (const metric of ['cpu_usage_ratio', 'memory_used_bytes', 'load1', 'network_receive_bytes_per_second']) {
      expect([metric, values(`wheelhouse_server_${metric}`)]).toEqual([metric, {}])
    }
    expect(values('wheelhouse_server_load5')).toEqual({ 1: 0 })
    expect(values('wheelhouse_server_values_left_out_total')).toEqual({ 1: 8 })
  })

  it('is no temperature of a sensor, which then has none, and the others keep theirs', async () => {
    const { report, shown } = await server()
    for (const Temperature of [65_262, Number.NaN, -273.15, Number.NEGATIVE_INFINITY]) {
      report({
        temperatures: [
          { Name: 'nvme', Temperature },
          { Name: 'core', Temperature: 51 },
        ],
      })
      expect((await shown())?.state.temperatures).toEqual([{ Name: 'core', Temperature: 51 }])
    }
    expect((await shown())?.left_out).toEqual({ values: 4, jumps: 0 })
  })

  it('is no longer known of sensors that an agent names anew with each report, which would fill the memory', async () => {
    const { report, shown } = await server()
    const sensors = (name: string, Temperature: number) =>
      Array.from({ length: 128 }, (_, place) => ({ Name: `${name} ${place}`, Temperature }))
    report({ temperatures: sensors('first', 40) })
    report({ temperatures: sensors('first', Number.NaN) })
    expect((await shown())?.state.temperatures).toHaveLength(128)
    for (const name of ['second', 'third', 'fourth', 'fifth']) report({ temperatures: sensors(name, 40) })
    report({ temperatures: sensors('first', Number.NaN) })
    expect((await shown())?.state.temperatures ?? []).toEqual([])
  })

  it('is unknown to visitors and in messages, and no 0', async () => {
    const { report, server: one, admin } = await server()
    report({ cpu: Number.NaN, mem_used: 9e9, disk_used: 0, load_1: -1, net_in_speed: 2 ** 64, uptime: 1000 })
    const { data: status } = (await one.browser().get('wheelhouse/status')).body as { data: PublicStatus }
    expect(status.metrics[1]).toEqual({ uptime: 1000, missing: ['cpu', 'mem_used', 'net_in_speed', 'load_1'] })

    const names = ['CPU', 'MEM', 'SPEEDIN', 'CPUUSED', 'MEMUSED', 'LOAD1', 'DISK', 'DISKUSED', 'MEMTOTAL']
    const message = async (format_metric_units: boolean) => {
      const form = {
        event: 'incident',
        server_id: 1,
        url: 'https://example.org/hook',
        request_method: 2,
        request_type: 1,
        request_body: `[${names.map((name) => `"#SERVER.${name}#"`).join(',')}]`,
      }
      const { body } = await admin.call('POST', 'wheelhouse/notification/preview', {
        body: { ...form, format_metric_units },
      })
      return JSON.parse((body as { data: { body: string } }).data.body)
    }
    const raw = ['null', 'null', 'null']
    expect(await message(true)).toEqual(['–', '–', '–', ...raw, '0.00 %', '0', '8000000000'])
    expect(await message(false)).toEqual(['null', 'null', 'null', ...raw, '0', '0', '8000000000'])
  })

  it('raises no alarm and ends none that was never there', async () => {
    const fixture = alertFixture()
    fixture.rule([{ type: 'temperature_max', max: 90, duration: 3, cover: 0 }])
    fixture.rule([{ type: 'memory', min: 5, duration: 3, cover: 0 }])
    fixture.rule([{ type: 'net_all_speed', max: 1e12, duration: 3, cover: 0 }])
    const temperatures = [{ Name: 'nvme', Temperature: 65_262 }]
    const state = { temperatures, mem_used: Number.NaN, net_in_speed: 2 ** 64 }
    await fixture.checks(1, () => [{ host: { mem_total: 8e9 }, state: { mem_used: 4e9 } }])
    await fixture.checks(40, () => [{ host: { mem_total: 8e9 }, state }])
    expect(messagesOf(fixture)).toEqual([])
  })

  it('is a gap in the chart', async () => {
    const { report, server: one } = await server()
    const { metrics } = one.app.services
    one.app.machines.onReport((id, { state }) => metrics.add(id, state, one.clock.now))
    const start = one.clock.now
    report({ cpu: 20, load_1: 2 })
    for (let at = 0; at < 3; at++) report({ cpu: 40, load_1: Number.NaN }, 70_000)
    await one.app.services.recorder.save()
    const chart = async (metric: 'cpu' | 'load1') => {
      const points = await metrics.dataPoints(1, metric, '1d', one.clock.now + 60_000)
      return points.filter(({ ts }) => ts >= start - 60_000).map(({ value }) => value)
    }
    expect(await chart('cpu')).toEqual([20, 40, 40, 40])
    // The first report without a value is bridged, the others are not.
    expect(await chart('load1')).toEqual([2, 2])
  })
})

it('a counter that fell or leapt is counted, and the page and Prometheus see no fall', async () => {
  const { report, shown, scrape, server: one } = await server()
  report({ net_in_transfer: 100 * gb, net_out_transfer: 5, uptime: 5000 })
  report({ net_in_transfer: 0, net_out_transfer: 6, uptime: 5002 })
  expect(await shown()).toMatchObject({
    state: { net_in_transfer: 100 * gb, net_out_transfer: 6 },
    left_out: { values: 0, jumps: 1, jumped_at: new Date(one.clock.now).toISOString().replace('.000', '') },
  })
  const { values } = await scrape()
  expect(values('wheelhouse_server_network_receive_bytes_total')).toEqual({ 1: 100 * gb })
  expect(values('wheelhouse_server_counter_jumps_left_out_total')).toEqual({ 1: 1 })
})

it('a machine that reports only what can be has nothing left out', async () => {
  const { report, shown } = await server()
  report({ cpu: 100, mem_used: 8e9, gpu: [100, 0], uptime: 3, temperatures: [{ Name: 'core', Temperature: -12 }] })
  expect(await shown()).not.toHaveProperty('left_out')
})
