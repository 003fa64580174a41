import { rmSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { chromiumArgs, findChromium } from '../../tests/support/journeys/chromium.ts'
import { startBenchServer } from './console/benchServer.ts'
import { createReport } from './report/report.ts'
import { budgets, type Metric } from './slowNetwork/budgets.ts'
import { measureBytes, measureTimes } from './slowNetwork/measure.ts'
import { preparePages } from './slowNetwork/pages.ts'
import { measureStatusPage } from './slowNetwork/statusPage.ts'

/**
 * The console and the status page over a slow network in a real browser, which slows network and processor down itself:
 * what a thousand visitors of the status page cost the server, and for the console the sign-in form and a list
 * of 5 servers, as the embedded server sends them and uncompressed, as a Nezha server does. Beside each stands the least
 * page of React and MUI (`baseline/muiPage.tsx`) of the same minutes.
 */
const { compressed, plain } = await preparePages()
const server = await startBenchServer({ dist: compressed, servers: 5 })
const plainServer = await startBenchServer({ dist: plain, servers: 5 })
const tlsServer = await startBenchServer({ dist: compressed, servers: 5, tls: true })
const browser = await chromium.launch({ executablePath: await findChromium(), args: [...chromiumArgs] })
const report = createReport<Metric, 'console' | 'React + MUI'>(budgets, ['console', 'React + MUI'])
try {
  console.log('Weighing what is transferred ...')
  await measureBytes(browser, { server, plainServer }, report)
  console.log('Visiting the status page ...')
  await measureStatusPage(browser, server, report)
  console.log('Opening pages over a slow network ...')
  await measureTimes(browser, { server, plainServer, tlsServer }, report)
} finally {
  await browser.close()
  await server.stop()
  await plainServer.stop()
  await tlsServer.stop()
  for (const folder of [compressed, plain]) rmSync(folder, { recursive: true, force: true })
}
process.exitCode = report.print() > 0 ? 1 : 0
