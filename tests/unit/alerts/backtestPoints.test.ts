import { describe, expect, it } from 'vitest'
import { backtestProblem, maxBacktestAlarms, serversWhereTrue } from '../../../src/domain/alerts/backtest.ts'
import { backtestPoints } from '../../../src/resources/alert-rule/backtest/backtestPoints.ts'

const hour = 3_600_000
const start = Date.parse('2026-11-14T12:00:00Z')

/** Points of each hour of a week; `undefined` where the server was offline. */
const week = (valueAt: (hour: number) => number | undefined) =>
  Array.from({ length: 168 }, (_, index) => ({ ts: start + index * hour, value: valueAt(index) })).flatMap(
    ({ ts, value }) => (value === undefined ? [] : [{ ts, value }]),
  )
const busy = { type: 'cpu', max: 90, duration: 100, cover: 0 }

describe('The test of rules against the points of other servers', () => {
  it('finds a known spike, its length and the share of samples', () => {
    const cpu = week((index) => (index >= 50 && index < 53 ? 97 : 20))
    expect(backtestPoints([busy], [{ id: 7, host: {}, points: { cpu } }])).toEqual({
      from: start,
      until: start + 168 * hour,
      step: 3600,
      samples: 168,
      failed: 3,
      alarms: [
        {
          server_id: 7,
          started_at: start + 50 * hour,
          ended_at: start + 53 * hour,
          share: 1,
          causes: [{ type: 'cpu', value: 97, max: 90 }],
        },
      ],
      alarms_total: 1,
    })
  })

  it('needs all rules of an alert to fail together', () => {
    const cpu = week((index) => (index < 100 ? 97 : 20))
    const memory = week((index) => (index >= 90 ? 95 : 20))
    const rules = [busy, { type: 'memory', max: 90, duration: 100, cover: 0 }]
    const { alarms } = backtestPoints(rules, [{ id: 1, host: { mem_total: 100 }, points: { cpu, memory } }])
    expect(alarms).toMatchObject([{ started_at: start + 90 * hour, ended_at: start + 100 * hour }])
  })

  it('knows when rules recover', () => {
    const cpu = week((index) => (index < 100 ? (index % 2 ? 97 : 85) : 70))
    const recovering = { ...busy, recovery_max: 80, recovery_duration: 2 * 3600 }
    const { alarms } = backtestPoints([recovering], [{ id: 1, host: {}, points: { cpu } }])
    expect(alarms).toMatchObject([{ started_at: start + hour, ended_at: start + 101 * hour }])
  })

  it('counts a server as offline while others have points, but not while no server has any', () => {
    const other = week((index) => (index >= 100 && index < 105 ? undefined : 20))
    const away = week((index) => ((index >= 20 && index < 24) || (index >= 100 && index < 105) ? undefined : 20))
    const servers = [other, away].map((cpu, index) => ({ id: index + 1, host: {}, points: { cpu } }))
    const { alarms } = backtestPoints([{ type: 'offline', duration: 1200, cover: 0 }], servers)
    expect(alarms).toMatchObject([{ server_id: 2, started_at: start + 20 * hour, ended_at: start + 24 * hour }])
  })

  it('keeps the latest alarms of a rule that raises too many, and counts all', () => {
    const cpu = week((index) => (index % 2 ? 97 : 20))
    const servers = Array.from({ length: 6 }, (_, index) => ({ id: index + 1, host: {}, points: { cpu } }))
    const { alarms, alarms_total } = backtestPoints([busy], servers)
    expect(alarms_total).toBe(6 * 84)
    expect(alarms).toHaveLength(maxBacktestAlarms)
    expect(alarms.at(-1)?.started_at).toBe(start + 167 * hour)
  })

  it('takes a single point for the average of half an hour, as real servers have it of a week', () => {
    const cpu = [{ ts: start, value: 97 }]
    expect(backtestPoints([busy], [{ id: 1, host: {}, points: { cpu } }])).toMatchObject({ step: 1_800, samples: 1 })
    expect(backtestPoints([busy], [])).toMatchObject({ step: 1_800, samples: 0 })
  })

  it('passes over servers that a rule does not cover', () => {
    const servers = [1, 2].map((id) => ({ id, host: {}, points: { cpu: week(() => 97) } }))
    const { alarms } = backtestPoints([{ ...busy, cover: 1, ignore: { 2: true } }], servers)
    expect(alarms.map(({ server_id }) => server_id)).toEqual([2])
  })
})

describe('What can be tested', () => {
  it.each([
    [[], 'no_rules'],
    [[{ type: 'transfer_all_cycle' }], 'cycle'],
    [[busy, { type: 'transfer_in_cycle' }], 'cycle'],
    [[{ type: 'mood' }], 'unknown_type'],
    [[busy, { type: 'unit_failed' }], 'inspected'],
    [[busy, { type: 'offline' }], undefined],
  ])('%j: %s', (rules, problem) => expect(backtestProblem(rules)).toBe(problem))

  it('is where rules are true now, by the last report', () => {
    const report = (cpu: number) => ({ state: { cpu }, host: {} })
    const servers = new Map([
      [1, report(95)],
      [2, report(5)],
      [3, undefined],
    ])
    expect(serversWhereTrue([busy], servers)).toEqual([1])
    expect(serversWhereTrue([{ type: 'offline', cover: 0 }], servers)).toEqual([3])
    expect(serversWhereTrue([{ ...busy, ignore: { 1: true } }], servers)).toEqual([])
    expect(serversWhereTrue([{ type: 'mood', cover: 0 }], servers)).toEqual([])
  })
})
