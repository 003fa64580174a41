import { rmSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { type Browser, chromium } from '@playwright/test'
import { chromiumArgs, findChromium } from '../../tests/support/journeys/chromium.ts'
import { type BenchServer, startBenchServer } from './console/benchServer.ts'
import { measureLoads } from './console/loads.ts'
import { measureOperations } from './console/operations.ts'
import { preparePages } from './console/pages.ts'
import { createReport, type Report } from './console/report.ts'
import { measureTicks } from './console/ticks.ts'
import { signIn } from './console/visit.ts'

/**
 * The console in a real browser, on its real build and the real server: bytes, times, memory, beside the baseline, which
 * is a plain page of the same table (`baseline/main.tsx`). Fails when a limit of `console/budgets.ts` is passed.
 */
async function measureResting(browser: Browser, dist: string, report: Report): Promise<void> {
  const servers: BenchServer[] = []
  try {
    for (const count of [5, 1000, 10_000]) servers.push(await startBenchServer({ dist, servers: count }))
    console.log('Opening lists of 5, 1,000 and 10,000 servers ...')
    await measureLoads(browser, servers, report)
    console.log('Searching, sorting and selecting among 10,000 ...')
    await measureOperations(browser, await signIn(browser, servers.at(-1) as BenchServer), report)
  } finally {
    for (const server of servers) await server.stop()
  }
}

async function measureReporting(browser: Browser, dist: string, report: Report): Promise<void> {
  const server = await startBenchServer({ dist, servers: 10_000, reporting: true })
  try {
    console.log('Watching 10,000 servers report ...')
    await measureTicks(browser, await signIn(browser, server), report)
  } finally {
    await server.stop()
  }
}

const [load = 0] = loadavg()
const report = createReport()
const dist = await preparePages()
const browser = await chromium.launch({ executablePath: await findChromium(), args: [...chromiumArgs] })
try {
  await measureResting(browser, dist, report)
  await measureReporting(browser, dist, report)
} finally {
  await browser.close()
  rmSync(dist, { recursive: true, force: true })
}
const missed = report.print()
if (load > availableParallelism() / 2) {
  console.log(
    `This machine was busy before the bench began (load ${load.toFixed(1)}): times are longer than they need be.`,
  )
}
process.exitCode = missed > 0 ? 1 : 0
