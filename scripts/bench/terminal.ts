import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { chromiumArgs, findChromium } from '../../tests/support/journeys/chromium.ts'
import { startBenchServer } from './console/benchServer.ts'
import { preparePages } from './console/pages.ts'
import { signIn } from './console/visit.ts'
import { createReport } from './terminal/budgets.ts'
import { measureFilePanel } from './terminal/filePanel.ts'
import { measureFolder } from './terminal/folder.ts'
import { measureKeys } from './terminal/keys.ts'
import { measureMemory } from './terminal/memory.ts'
import { measureOutput } from './terminal/output.ts'
import { startRelay } from './terminal/relay.ts'
import { measureTransfers } from './terminal/transfers.ts'

/**
 * The terminal and the file manager in a real browser, on the real build, a real shell and real files, beside a client
 * without a browser; embedded, and through a relay that behaves as a Nezha server. Fails when a limit of
 * `terminal/budgets.ts` is passed.
 */
const load = () => `load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} processors`
const report = createReport()
const before = load()
const dist = await preparePages()
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'wheelhouse-bench-files-')))
mkdirSync(join(folder, 'up'))
const server = await startBenchServer({ dist, machine: true })
const relay = await startRelay(server)
const browser = await chromium.launch({ executablePath: await findChromium(), args: [...chromiumArgs] })
try {
  const site = await signIn(browser, server)
  const relayed = await signIn(browser, relay)
  const parts = {
    'Opening terminals and typing': () => measureKeys(browser, site, report),
    'Opening the file panel': () => measureFilePanel(browser, site, report),
    'Printing two million lines': () => measureOutput(site, folder, 'embedded', report),
    'Printing them through a relay': () => measureOutput(relayed, folder, 'relay', report),
    'Listing 5,000 files': () => measureFolder(site, folder, report),
    'Moving 100 MiB': () => measureTransfers(site, folder, 'embedded', report),
    'Moving them through a relay': () => measureTransfers(relayed, folder, 'relay', report),
    'Fetching 1 GiB': () => measureMemory(site, folder, report),
  }
  for (const [name, measure] of Object.entries(parts)) {
    console.log(`${name} ...`)
    await measure()
  }
} finally {
  await browser.close()
  await relay.stop()
  await server.stop()
  for (const left of [dist, folder]) rmSync(left, { recursive: true, force: true })
}
const missed = report.print()
console.log(`This machine before the bench: ${before}; after it: ${load()}. Times are those of what else it did, too.`)
process.exitCode = missed > 0 ? 1 : 0
