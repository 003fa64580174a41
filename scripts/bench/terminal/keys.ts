import type { Browser, Page } from '@playwright/test'
import { type Condition, timeToShow } from '../console/stopwatch.ts'
import { type Site, type Visit, visit } from '../console/visit.ts'
import { quantile } from '../report/report.ts'
import { openBareSession } from './bareSession.ts'
import type { Report } from './budgets.ts'

const openings = 5
const keys = 200
const linesOf = 40

export const rowsOfScreen = '.xterm-rows'
/** How the prompt of a shell without a profile ends; an empty screen has characters too. */
const promptShown: Condition = { selector: rowsOfScreen, holds: process.getuid?.() === 0 ? '#' : '$' }

/** Opens the terminal of this machine, its prompt on screen. */
export const openTerminal = (browser: Browser, { address, cookies }: Site): Promise<Visit> =>
  visit(browser, address, { path: '/dashboard/terminal/1', loaded: promptShown, cookies })

/** How long a prompt takes to come, and a letter to appear. */
export async function measureKeys(browser: Browser, site: Site, report: Report): Promise<void> {
  const opened: number[] = []
  const bareOpened: number[] = []
  for (let round = 0; round < openings; round += 1) {
    const seen = await openTerminal(browser, site)
    opened.push(seen.loadMs)
    if (round === openings - 1) addEchoes(report, await echoes(seen.page), 'console')
    await seen.close()
    const session = await openBareSession(site, 'terminal')
    bareOpened.push(
      session.openMs +
        (await session.exchange(
          () => {},
          () => true,
        )),
    )
    if (round === openings - 1) addEchoes(report, await bareEchoes(session), 'bare client')
    session.close()
  }
  report.add('promptMs', opened)
  report.add('promptMs', bareOpened, 'bare client')
}

function addEchoes(report: Report, takes: number[], source: 'console' | 'bare client'): void {
  report.add('echoMs', takes, source)
  report.add('slowEchoMs', quantile(takes, 0.95), source)
}

async function echoes(page: Page): Promise<number[]> {
  await page.locator('.xterm-helper-textarea').focus()
  // The shell gets its first size after a second and a half, and draws its prompt again.
  await page.waitForTimeout(2500)
  const takes: number[] = []
  for (let key = 1; key <= keys; key += 1) {
    takes.push(
      await timeToShow(page, 'keydown', { selector: rowsOfScreen, changed: true, inFrame: true }, () =>
        page.keyboard.press('x'),
      ),
    )
    if (key % linesOf === 0) await abandonLine(page)
  }
  return takes
}

/** Begins a new line, for people type short ones. */
async function abandonLine(page: Page): Promise<void> {
  await page.keyboard.press('Control+c')
  await page.waitForTimeout(300)
}

async function bareEchoes(session: Awaited<ReturnType<typeof openBareSession>>): Promise<number[]> {
  await new Promise((resolve) => setTimeout(resolve, 1000))
  const takes: number[] = []
  for (let key = 0; key < keys; key += 1) {
    takes.push(
      await session.exchange(
        () => session.socket.send('x'),
        (frame) => frame.includes('x'),
      ),
    )
  }
  return takes
}
