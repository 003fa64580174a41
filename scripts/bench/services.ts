import { availableParallelism, loadavg } from 'node:os'
import { createReport } from './services/budgets.ts'
import { measureChecks } from './services/checks.ts'
import { measureHistory } from './services/history.ts'

/**
 * 5,000 services on real listeners, and forty days of metrics on a real disk. Fails when a limit of
 * `services/budgets.ts` is passed.
 */
const report = createReport()
console.log('Checking 5,000 services for 90 s ...')
await measureChecks(report)
console.log('Keeping forty days of metrics ...')
await measureHistory(report)
const missed = report.print()
console.log(`Load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} processors.`)
process.exitCode = missed > 0 ? 1 : 0
