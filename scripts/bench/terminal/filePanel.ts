import type { Browser } from '@playwright/test'
import { encodeListRequest } from '../../../src/schemas/frames/file.ts'
import { timeToShow } from '../console/stopwatch.ts'
import type { Site } from '../console/visit.ts'
import { openBareSession } from './bareSession.ts'
import type { Report } from './budgets.ts'
import { openTerminal } from './keys.ts'

const rounds = 5
/** Milliseconds that somebody looks at a prompt before they look for a file. */
const pause = 1500

/** How soon the first rows of the file panel are there, beside a terminal that was just opened. */
export async function measureFilePanel(browser: Browser, site: Site, report: Report): Promise<void> {
  const opened: number[] = []
  const bare: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const { page, close } = await openTerminal(browser, site)
    await page.waitForTimeout(pause)
    const rows = { selector: '[role=grid] [role=row]' }
    opened.push(await timeToShow(page, 'click', rows, () => page.click('button[aria-label="Files"]')))
    await close()
    const session = await openBareSession(site, 'file')
    const listMs = await session.exchange(
      () => session.socket.send(encodeListRequest('')),
      () => true,
    )
    bare.push(session.openMs + listMs)
    session.close()
  }
  report.add('panelMs', opened)
  report.add('panelMs', bare, 'bare client')
}
