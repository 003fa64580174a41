import { type Browser, chromium, type Page } from '@playwright/test'
import { chromiumArgs, findChromium } from '../../../tests/support/journeys/chromium.ts'
import { recordTraffic, type Traffic } from '../../../tests/support/journeys/traffic.ts'
import { credentials } from './serveConsole.ts'
import { type Condition, installStopwatch, type Stopwatch } from './stopwatch.ts'

type TimedWindow = Window & { stopwatch: Stopwatch }

/** A page in a browser that was never here before. */
export interface Visit {
  page: Page
  traffic: Traffic
  /** Milliseconds from the navigation until the page showed what it was opened for. */
  loadMs: number
  /** Opens its path in a new tab, with all files in the cache. @returns as `loadMs` */
  repeat(): Promise<number>
  close(): Promise<void>
}

interface VisitOptions {
  /** `http://127.0.0.1:<port>` */
  address: string
  path: string
  /** What the page shows when it counts as loaded. */
  loaded: Condition
  /** Left out: an admin is signed in. */
  isAnonymous?: boolean
  /** Whether network and processor are slowed down. */
  isSlow?: boolean
}

/** The server list, in the console and as the least page; both are marked up so that one condition fits them. */
export const lists = { console: '/dashboard/', least: '/dashboard/leastPage.html' } as const
export const rowsShown: Condition = { selector: 'tbody tr[aria-selected]' }

export const launchBrowser = async (): Promise<Browser> =>
  chromium.launch({ executablePath: await findChromium(), args: [...chromiumArgs] })

export async function visit(browser: Browser, options: VisitOptions): Promise<Visit> {
  const { address, path, loaded, isAnonymous, isSlow } = options
  const context = await browser.newContext({
    baseURL: address,
    ignoreHTTPSErrors: true,
    locale: 'en-US',
    viewport: { width: 1440, height: 900 },
  })
  if (!isAnonymous) {
    const reply = await context.request.post('/api/v1/login', { data: credentials })
    if ((await reply.json()).success !== true) throw new Error(`Signing in failed: ${await reply.text()}`)
  }
  await context.addInitScript(installStopwatch, loaded)
  const page = await context.newPage()
  const traffic = recordTraffic(page)
  if (isSlow) await slowDown(page)
  await page.goto(path)
  return {
    page,
    traffic,
    loadMs: await timeToLoad(page),
    async repeat() {
      await page.waitForLoadState('networkidle')
      const again = await context.newPage()
      await again.goto(path)
      return timeToLoad(again)
    },
    close: () => context.close(),
  }
}

/** @param act what makes the event. @returns milliseconds from the event to the paint of what it leads to */
export async function timeToShow(
  page: Page,
  event: 'keydown' | 'click',
  condition: Condition,
  act: () => Promise<void>,
): Promise<number> {
  await page.evaluate(([shown, start]) => (window as unknown as TimedWindow).stopwatch.arm(shown, start), [
    condition,
    event,
  ] as const)
  await act()
  return timeToLoad(page)
}

const timeToLoad = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as TimedWindow).stopwatch.shown)

/** Slow 4G, as the browser's own tools have it (round trip in ms, bytes per second), and a quarter of the processor. */
async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const network = { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 }
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', network)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
}
