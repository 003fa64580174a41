import type { Browser, BrowserContext, Page } from '@playwright/test'
import { type BenchServer, password, username } from './benchServer.ts'
import { type Condition, installStopwatch, timeToLoad } from './stopwatch.ts'
import { recordTraffic, type Traffic } from './traffic.ts'

/** A server, and the cookies of somebody who has signed in there. */
export interface Site {
  address: string
  cookies: Awaited<ReturnType<BrowserContext['storageState']>>
}

export async function signIn(browser: Browser, { address }: Pick<BenchServer, 'address'>): Promise<Site> {
  const context = await browser.newContext({ baseURL: address, ignoreHTTPSErrors: true })
  const reply = await context.request.post('/api/v1/login', { data: { username, password } })
  if ((await reply.json()).success !== true) throw new Error(`Signing in failed: ${await reply.text()}`)
  const cookies = await context.storageState()
  await context.close()
  return { address, cookies }
}

/** A page in a browser that was never here before: nothing comes from a cache, until it is opened once more. */
export interface Visit {
  page: Page
  traffic: Traffic
  /** Milliseconds from the navigation until the page showed what it was opened for. */
  loadMs: number
  /** Closes the page and opens its path in a new tab, with all files in the cache. @returns as `loadMs` */
  repeat(): Promise<number>
  close(): Promise<void>
}

interface VisitOptions {
  path: string
  loaded: Condition
  /** Left out: nobody is signed in. */
  cookies?: Site['cookies']
  /** Called with the page before it goes anywhere. */
  prepare?: (page: Page) => Promise<void>
}

export async function visit(browser: Browser, address: string, options: VisitOptions): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: address,
    storageState: options.cookies,
    ignoreHTTPSErrors: true,
    locale: 'en-US',
    viewport: { width: 1440, height: 900 },
  })
  await installStopwatch(context, options.loaded)
  const page = await context.newPage()
  const traffic = recordTraffic(page)
  await options.prepare?.(page)
  await page.goto(options.path)
  return {
    page,
    traffic,
    loadMs: await timeToLoad(page),
    async repeat() {
      await page.waitForLoadState('networkidle')
      await page.close()
      const again = await context.newPage()
      await again.goto(options.path)
      return timeToLoad(again)
    },
    close: () => context.close(),
  }
}
