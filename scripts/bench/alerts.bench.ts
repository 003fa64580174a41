import { expect, test } from 'vitest'
import { openAlarms } from '../../server/alerts/alarms.ts'
import { createAlerts } from '../../server/alerts/alerts.ts'
import { openStore } from '../../server/db/store.ts'
import { entityTable } from '../../server/entities/entityTable.ts'
import { alertRule } from '../../src/schemas/alertRule.ts'
import { alertRuleTypes } from '../../src/schemas/alerts/alertRuleTypes.ts'
import { server } from '../../src/schemas/server.ts'
import { figure, rounds } from './support/figure.ts'
import { inProcessorTime, watchTurns } from './support/processorTime.ts'

const intervalMs = 3000
let now = Date.parse('2026-11-21T12:00:00Z')
let check = 0
const errors: unknown[] = []

const store = openStore(':memory:')
const servers = entityTable(store, server)
const rules = entityTable(store, alertRule)
store.transaction(() => {
  for (let id = 1; id <= 10_000; id += 1) servers.insert({ uuid: `machine-${id}`, name: `web-${id}`, user_id: 1 })
  const cycle = { cycle_start: '2026-11-01T00:00:00Z', cycle_interval: 1, cycle_unit: 'month' }
  for (const type of Object.keys(alertRuleTypes).slice(0, 20)) {
    const rule = { type, max: 90, duration: 10, cover: 0, ...cycle }
    rules.insert({ name: type, enable: true, trigger_mode: 0, user_id: 1, updated_at: 'once', rules: [rule] })
  }
})

/** A third of the servers is busy, so that samples differ and alarms come and go. */
const machines = {
  connected: () => ({}) as never,
  wireReport(row: { id: number }) {
    const isBusy = row.id % 3 === 0 && (row.id + check) % 5 > 0
    const level = isBusy ? 95 : 5
    const state = { cpu: level, mem_used: level, net_in_transfer: check * 1000, uptime: 9000 + check }
    return { host: { mem_total: 100, swap_total: 100, disk_total: 100 }, state, geoip: { ip: {} }, last_active: '' }
  },
}
const alerts = createAlerts({
  store,
  machines,
  alarms: openAlarms(store, (error) => errors.push(error)),
  zone: 'UTC',
  now: () => now,
  roleOf: () => 0,
  notifications: { send() {} },
  trigger() {},
  addressOf: () => '',
  log: { error: (_, error) => void errors.push(error) },
})

test('checking 20 alert rules on 10,000 servers every three seconds', async ({ bench }) => {
  // The first check reads all rows: a cost of starting.
  await alerts.check()
  const endWatching = watchTurns()
  const work = inProcessorTime(async () => {
    now += intervalMs
    check += 1
    await alerts.check()
  })
  const { latency } = await bench('processor time of a check', work).run(rounds(20))
  const percent = (100 * latency.mean) / intervalMs
  figure('one core', percent, '%', { max: 33, why: 'the rest is for people and agents' })
  figure('processor time until others get a turn, at most', endWatching(), 'ms')
  expect(errors).toEqual([])
})
