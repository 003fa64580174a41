import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { testAlertRules } from '../../server/alerts/testAlertRules.ts'
import { openHistory } from '../../server/db/history/openHistory.ts'
import { openServerMetrics } from '../../server/services/history/serverMetrics.ts'

/**
 * How long the test of an alert rule against the last 7 days takes, and the longest time for which nobody else got a
 * turn. Every server is busy now and then, so that alarms come and go. Fails when a limit is passed, or when not all
 * servers were looked at.
 */
const SERVERS = [1_000, 10_000]
const HOURS = 168
const LIMIT_MS = 3_000

const folder = mkdtempSync(join(tmpdir(), 'bench-backtest-'))
const now = Date.parse('2026-11-21T12:00:00Z')
const file = join(folder, 'history.db')
const history = openHistory(file)
const metrics = openServerMetrics(history)

// Straight into the table of hours: what is summed up in a week is a matter of other benches.
const database = new DatabaseSync(file)
const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all('server_3600').length
const insert = database.prepare(`INSERT INTO server_3600 VALUES (${Array(columns).fill('?').join(', ')})`)
database.exec("PRAGMA synchronous = OFF; BEGIN; INSERT INTO progress VALUES ('server_3600', 1e11)")
for (let hour = HOURS; hour > 0; hour--) {
  for (let id = 1; id <= Math.max(...SERVERS); id++) {
    const isBusy = (id + hour) % 24 < 2
    const values = Array.from({ length: columns - 4 }, (_, index) => (isBusy ? 95 : 10 + index) * 1200)
    insert.run(now / 1000 - hour * 3600, id, 0, 1200, ...values)
  }
}
database.exec('COMMIT')
database.close()

let longest = 0
let last = performance.now()
const watch = setInterval(() => {}, 1_000)
function turn(): void {
  longest = Math.max(longest, performance.now() - last)
  last = performance.now()
  if (watch.hasRef()) setImmediate(turn)
}

for (const count of SERVERS) {
  const servers = Array.from({ length: count }, (_, index) => ({
    ...{ id: index + 1, online: true, report: { state: {}, host: { mem_total: 100 } } },
  }))
  const rules = [
    { type: 'cpu', max: 90, duration: 100, cover: 0 },
    { type: 'memory', max: 90, duration: 100, cover: 0 },
  ]
  longest = 0
  last = performance.now()
  setImmediate(turn)
  const start = performance.now()
  const { tested, samples, alarms_total } = await testAlertRules({
    metrics,
    rules,
    servers,
    now,
    isAwaited: () => true,
  })
  const ms = performance.now() - start
  console.log(
    `Testing 2 rules on ${count} servers over 7 days: ${ms.toFixed(0)} ms (limit ${LIMIT_MS}) for ${samples} samples ` +
      `of ${tested} servers, ${alarms_total} alarms; others waited ${longest.toFixed(1)} ms at most`,
  )
  if (ms > LIMIT_MS || tested < count) process.exitCode = 1
}
watch.unref()
clearInterval(watch)
history.close()
rmSync(folder, { recursive: true })
