import { openAlarms } from '../../server/alerts/alarms.ts'
import { createAlerts } from '../../server/alerts/alerts.ts'
import { openStore } from '../../server/db/store.ts'
import { entityTable } from '../../server/entities/entityTable.ts'
import { alertRule } from '../../src/schemas/alertRule.ts'
import { alertRuleTypes } from '../../src/schemas/alerts/alertRuleTypes.ts'
import { server } from '../../src/schemas/server.ts'

/**
 * What it costs to check 20 alert rules on 10,000 servers: processor time per check, as a share of one core at a check
 * every three seconds, and the longest time for which nobody else got a turn. A third of the servers is busy, so that
 * samples differ and alarms come and go. Fails when the share is above the limit.
 */
const SERVERS = 10_000
const RULES = 20
const CHECKS = 20
const INTERVAL_MS = 3000
const LIMIT_PERCENT = 33

let now = Date.parse('2026-11-21T12:00:00Z')
let check = 0
let errors = 0
const onError = (error: unknown) => {
  errors += 1
  console.error(error)
}

const store = openStore(':memory:')
const servers = entityTable(store, server)
const rules = entityTable(store, alertRule)
store.transaction(() => {
  for (let id = 1; id <= SERVERS; id += 1) servers.insert({ uuid: `machine-${id}`, name: `web-${id}`, user_id: 1 })
  const cycle = { cycle_start: '2026-11-01T00:00:00Z', cycle_interval: 1, cycle_unit: 'month' }
  for (const type of Object.keys(alertRuleTypes).slice(0, RULES)) {
    const rule = { type, max: 90, duration: 10, cover: 0, ...cycle }
    rules.insert({ name: type, enable: true, trigger_mode: 0, user_id: 1, updated_at: 'once', rules: [rule] })
  }
})
const host = { mem_total: 100, swap_total: 100, disk_total: 100 }
const machines = {
  connected: () => ({}) as never,
  wireReport(row: { id: number }) {
    const isBusy = row.id % 3 === 0 && (row.id + check) % 5 > 0
    const state = {
      cpu: isBusy ? 95 : 5,
      mem_used: isBusy ? 95 : 40,
      net_in_transfer: check * 1000,
      uptime: 9000 + check,
    }
    return { host, state, geoip: { ip: {} }, last_active: '' }
  },
}
const alerts = createAlerts({
  ...{ store, machines, alarms: openAlarms(store, onError), zone: 'UTC', now: () => now },
  ...{
    roleOf: () => 0,
    notifications: { send() {} },
    trigger() {},
    addressOf: () => '',
    log: { error: (_, e) => onError(e) },
  },
})

let longest = 0
let isOver = false
let last = performance.now()
const watch = () => {
  longest = Math.max(longest, performance.now() - last)
  last = performance.now()
  if (!isOver) setImmediate(watch)
}

// The first check reads all rows: a cost of starting.
await alerts.check()
last = performance.now()
watch()
const before = process.cpuUsage()
for (check = 1; check <= CHECKS; check += 1) {
  now += INTERVAL_MS
  await alerts.check()
}
isOver = true
const { user, system } = process.cpuUsage(before)
const msPerCheck = (user + system) / 1000 / CHECKS
const percent = (100 * msPerCheck) / INTERVAL_MS
console.log(
  `Checking ${RULES} alert rules on ${SERVERS} servers: ${msPerCheck.toFixed(0)} ms of processor time, ` +
    `${percent.toFixed(1)} % of one core at a check every ${INTERVAL_MS / 1000} s (limit ${LIMIT_PERCENT} %); ` +
    `others waited ${longest.toFixed(1)} ms at most`,
)
if (errors > 0 || percent > LIMIT_PERCENT) process.exitCode = 1
