import { describe, expect, it } from 'vitest'
import { testAlertRules } from '../../../server/alerts/alertsPlugin.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import type { BacktestResult } from '../../../src/domain/alerts/backtest.ts'
import { alertRule } from '../../../src/schemas/alertRule.ts'
import { server } from '../../../src/schemas/server.ts'
import { admin, dataApp, member } from '../../support/console/dataApp.ts'
import { noon } from '../../support/server/fixtures/alertFixture.ts'
import { createTestHost, noState } from '../../support/server/testHost.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

type Reply = BacktestResult & { step: number; covered: number; tested: number; now: number[] }

/** What a server measured, a value for each five minutes; `undefined` while it was offline. */
type Measured = (at: number) => { cpu?: number; mem_used?: number } | undefined

/** Servers with a past of some days until noon, the first of them the admin's, all others the member's. */
async function fixture(past: readonly Measured[], days = 7) {
  const data = await dataApp({ now: () => noon })
  const hosts = past.map((_, index) => createTestHost({ uuid: `machine-${index + 1}`, name: `web-${index + 1}` }))
  for (const host of hosts) {
    data.machines.add(host)
    host.report({ at: new Date(noon), host: { mem_total: 100 } })
  }
  const table = entityTable(data.store, server)
  for (const row of table.all()) table.update(row.id, { user_id: row.id === 1 ? 1 : 2 })
  const { metrics, recorder } = data.services
  for (let at = noon - days * day; at < noon; at += 5 * minute) {
    for (const [index, measure] of past.entries()) {
      const measured = measure(at)
      if (measured) metrics.add(index + 1, { ...noState, ...measured }, at)
    }
    if (at % hour === 0) await recorder.save()
  }
  await recorder.save()
  await metrics.series.thin(noon)
  const test = async (rules: readonly object[], more: object = {}, person = admin) => {
    const { body } = await data.call('POST', 'wheelhouse/alert-rule/backtest', { rules, ...more }, person)
    const { data: reply, error } = body as { data: Reply; error?: string }
    return { ...reply, error }
  }
  return { ...data, hosts, test }
}

const spike = (from: number, until: number): Measured => {
  return (at) => ({ cpu: at >= from && at < until ? 95 : 10 })
}
const busy = { type: 'cpu', max: 90, duration: 100, cover: 0 }

describe('the test of an alert rule against the last 7 days', () => {
  it('finds a spike of yesterday evening where and when it was', async () => {
    const start = noon - 20 * hour
    const { test } = await fixture([spike(start, start + 45 * minute), spike(0, 0)])
    expect(await test([busy])).toEqual({
      from: noon - 7 * day,
      until: noon,
      step: 300,
      covered: 2,
      tested: 2,
      now: [],
      samples: 2 * 7 * 288,
      failed: 9,
      alarms: [
        {
          server_id: 1,
          started_at: start,
          ended_at: start + 45 * minute,
          share: 1,
          causes: [{ type: 'cpu', value: 95, max: 90 }],
        },
      ],
      alarms_total: 1,
      error: undefined,
    })
  })

  it('asks for as long a time outside the bounds as the rule does', async () => {
    const start = noon - 20 * hour
    const { test } = await fixture([spike(start, start + 45 * minute)])
    const lasting = (samples: number) => test([{ ...busy, duration: samples }])
    expect((await lasting((60 * minute) / 3000)).alarms).toMatchObject([{ share: 0.75 }])
    expect((await lasting((75 * minute) / 3000)).alarms).toEqual([])
  })

  it('finds what was days ago by the averages of hours, and not what an average hides', async () => {
    const start = noon - 4 * day
    const { test } = await fixture([spike(start, start + 2 * hour), spike(start, start + 30 * minute)])
    const { alarms } = await test([busy])
    expect(alarms).toMatchObject([{ server_id: 1, started_at: start, ended_at: start + 2 * hour }])
  })

  it('says when a server was offline, and not that all were while the console was stopped', async () => {
    const stopped = [noon - 10 * hour, noon - 9 * hour] as const
    const away = [noon - 5 * hour, noon - 4 * hour] as const
    const within = (at: number, [from, until]: readonly [number, number]) => at >= from && at < until
    const { test } = await fixture([
      (at) => (within(at, stopped) ? undefined : {}),
      (at) => (within(at, stopped) || within(at, away) ? undefined : {}),
    ])
    const { alarms } = await test([{ type: 'offline', duration: 100, cover: 0 }])
    expect(alarms).toMatchObject([{ server_id: 2, started_at: away[0], ended_at: away[1] }])
  })

  it('compares memory in percent of what the machine has', async () => {
    const { test } = await fixture([(at) => ({ mem_used: at >= noon - hour ? 80 : 40 })])
    const { alarms } = await test([{ type: 'memory', max: 75, duration: 100, cover: 0 }])
    expect(alarms).toEqual([
      { server_id: 1, started_at: noon - hour, share: 1, causes: [{ type: 'memory', value: 80, max: 75 }] },
    ])
  })

  it('names the servers on which it is true now', async () => {
    const { test, hosts } = await fixture([spike(0, 0), spike(0, 0), spike(0, 0)], 1)
    hosts[1]?.report({ state: { cpu: 99 } })
    hosts[2]?.disconnect()
    expect((await test([busy])).now).toEqual([2])
    expect((await test([{ type: 'offline', duration: 10, cover: 0 }])).now).toEqual([3])
  })

  it('looks at the servers that the rule covers for its owner, and at nobody else’s', async () => {
    const { test, store } = await fixture([spike(0, 0), spike(0, 0), spike(0, 0)], 1)
    expect((await test([busy])).covered).toBe(3)
    expect((await test([busy], {}, member)).covered).toBe(2)
    expect((await test([{ ...busy, ignore: { 2: true } }], {}, member)).covered).toBe(1)
    const rules = entityTable(store, alertRule)
    const own = rules.insert({ name: 'a', rules: [busy], user_id: member.id })
    const foreign = rules.insert({ name: 'b', rules: [busy], user_id: admin.id })
    expect((await test([busy], { id: own })).covered).toBe(2)
    expect((await test([busy], { id: foreign }, member)).error).toBe('permission denied')
    expect((await test([busy], { id: 99 })).error).toBe('alert id 99 does not exist')
  })

  it('refuses with a message what has no history', async () => {
    const { test } = await fixture([spike(0, 0)], 1)
    const cycle = {
      type: 'transfer_all_cycle',
      max: 1,
      cover: 0,
      cycle_interval: 1,
      cycle_start: '2026-01-01T00:00:00Z',
    }
    for (const rule of [cycle, { type: 'mood', cover: 0, duration: 10 }])
      expect((await test([rule])).error).toBe('the past says nothing about rules of these types')
    expect((await test([])).error).toContain('rules is not valid')
    expect((await test([{ type: 5 }])).error).toContain('AlertRuleForm.rules.type')
  })

  it('ends when nobody waits for it any more, as after the rule was changed', async () => {
    const { services } = await fixture([spike(0, 0)], 1)
    const servers = [{ id: 1, online: false, report: { state: {}, host: {} } }]
    const test = testAlertRules({
      metrics: services.metrics,
      rules: [busy],
      servers,
      now: noon,
      isAwaited: () => false,
    })
    await expect(test).rejects.toThrow('a newer test has taken the place of this one')
  })

  it('answers for a rule without servers', async () => {
    const { test } = await fixture([spike(0, 0)], 1)
    expect(await test([{ ...busy, cover: 1 }])).toMatchObject({ covered: 0, tested: 0, alarms: [], now: [] })
  })
})
