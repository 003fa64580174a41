import { availableParallelism, loadavg } from 'node:os'
import { createReport } from './agents/budgets.ts'
import { measureFleet } from './agents/measureFleet.ts'
import { measureOverload } from './agents/measureOverload.ts'

/**
 * The server under 1,000 and 5,000 simulated agents that report every two seconds, with 20 services on all of them, 20
 * alert rules and five open lists; then under 18,000, more than it can carry, and when half of them leave at once. Fails
 * when a limit of `agents/budgets.ts` is passed.
 */
const report = createReport()
console.log('1,000 agents ...')
const small = await measureFleet(1000)
console.log(
  `${small.processorPercent.toFixed(0)} % of a core, ${small.residentMib.toFixed(0)} MiB, receipts within ${small.receiptP99Ms} ms`,
)
console.log('5,000 agents ...')
const { perAgentMicroseconds, ...large } = await measureFleet(5000)
for (const [metric, value] of Object.entries(large)) report.add(metric as keyof typeof large, value)
report.add('costRatio', perAgentMicroseconds / small.perAgentMicroseconds)
console.log('18,000 agents, and then half of them ...')
const overload = await measureOverload(18_000)
report.add('personP99Ms', overload.person.p99Ms)
report.add('personLongestMs', overload.person.longestMs)
report.add('normalSeconds', overload.normalSeconds)
console.log(JSON.stringify(overload, null, 1))
const missed = report.print()
console.log(`Load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} processors.`)
process.exitCode = missed > 0 ? 1 : 0
