import { describe, expect, it } from 'vitest'
import texts from '../../../i18n/en-US/status.json' with { type: 'json' }
import type { StatusMetrics } from '../../../src/schemas/status/publicStatus.ts'
import {
  loadText,
  metersOf,
  networkText,
  percentText,
  trafficText,
  uptimeText,
} from '../../../src/status/metricTexts.ts'

const machine = { id: 1, name: 'web-1', note: undefined, mem_total: 8 * 1024 ** 3, disk_total: 100 * 1024 ** 3 }

/** What a visitor reads of a server with these metrics. */
const shown = (metrics: StatusMetrics, server: Parameters<typeof metersOf>[0] = machine) => ({
  meters: metersOf(server, metrics, texts, 'en-US').map(({ percent, text }) => [percentText(percent, 'en-US'), text]),
  network: networkText(metrics, 'en-US'),
  traffic: trafficText(metrics, 'en-US'),
  uptime: uptimeText(metrics, 'en-US'),
  load: loadText(metrics, 'en-US'),
})

describe('the metrics of a server that visitors see', () => {
  it('are 0 where they are left out', () => {
    const { meters, network, load } = shown({ mem_used: 2 * 1024 ** 3 })
    expect(meters).toEqual([
      ['0%', undefined],
      ['25%', '2 GiB / 8 GiB'],
      ['0%', '0 B / 100 GiB'],
    ])
    expect([network, load]).toEqual(['↓\u00a00.0\u00a0KiB/s ↑\u00a00.0\u00a0KiB/s', '0'])
  })

  it('are a dash where nothing true is known of them, and the others keep their values', () => {
    const missing = ['cpu', 'mem_used', 'net_in_speed', 'net_out_transfer', 'uptime', 'load_1']
    expect(shown({ disk_used: 50 * 1024 ** 3, net_out_speed: 2048, net_in_transfer: 1024, missing })).toEqual({
      meters: [
        ['–', undefined],
        ['–', undefined],
        ['50%', '50 GiB / 100 GiB'],
      ],
      network: '↓\u00a0– ↑\u00a02.0\u00a0KiB/s',
      traffic: '↓\u00a01\u00a0KiB ↑\u00a0–',
      uptime: '–',
      load: '–',
    })
  })

  it('have no share of a memory and a disk of unknown size', () => {
    const { meters } = shown({ mem_used: 1024, disk_used: 1024 }, { id: 1, name: 'web-1', note: undefined })
    expect(meters.slice(1)).toEqual([
      ['–', undefined],
      ['–', undefined],
    ])
  })
})
