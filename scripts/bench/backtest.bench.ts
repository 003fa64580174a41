import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testAlertRules } from '../../server/alerts/alertsPlugin.ts'
import { openHistory } from '../../server/db/history/openHistory.ts'
import { openServerHistory } from '../../server/services/history/serverHistory.ts'
import { figure, rounds } from './support/figure.ts'
import { watchTurns } from './support/processorTime.ts'

const sizes = [1000, 10_000]
const hours = 168
const now = Date.parse('2026-11-21T12:00:00Z')

const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-backtest-'))
const file = join(folder, 'history.db')
const history = openHistory(file)
const metrics = openServerHistory(history)

/** Straight into the table of hours: what is summed up in a week is a matter of other benches. */
beforeAll(() => {
  const database = new DatabaseSync(file)
  const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all('server_3600').length
  const insert = database.prepare(`INSERT INTO server_3600 VALUES (${Array(columns).fill('?').join(', ')})`)
  database.exec("PRAGMA synchronous = OFF; BEGIN; INSERT INTO progress VALUES ('server_3600', 1e11)")
  for (let hour = hours; hour > 0; hour--) {
    for (let id = 1; id <= Math.max(...sizes); id++) {
      // Every server is busy now and then, so that alarms come and go.
      const isBusy = (id + hour) % 24 < 2
      const values = Array.from({ length: columns - 4 }, (_, index) => (isBusy ? 95 : 10 + index) * 1200)
      insert.run(now / 1000 - hour * 3600, id, 0, 1200, ...values)
    }
  }
  database.exec('COMMIT')
  database.close()
})

afterAll(() => {
  history.close()
  rmSync(folder, { recursive: true })
})

test.for(sizes)('testing two rules on %i servers over seven days', async (count, { bench }) => {
  const servers = Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    online: true,
    report: { state: {}, host: { mem_total: 100 } },
  }))
  const rules = [
    { type: 'cpu', max: 90, duration: 100, cover: 0 },
    { type: 'memory', max: 90, duration: 100, cover: 0 },
  ]
  const endWatching = watchTurns()
  const work = bench('test', async () => {
    const { tested } = await testAlertRules({ metrics, rules, servers, now, isAwaited: () => true })
    expect(tested, 'servers that were looked at').toBe(count)
  })
  const { latency } = await work.run(rounds(1))
  figure('until its result', latency.p50, 'ms', { max: 3000, why: 'somebody waits for it in a form' })
  figure('processor time until others get a turn, at most', endWatching(), 'ms')
})
