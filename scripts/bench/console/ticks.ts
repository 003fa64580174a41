import type { Browser, Page } from '@playwright/test'
import { listPages, rowsShown } from './pages.ts'
import type { Report } from './report.ts'
import { type Site, visit } from './visit.ts'

const spanMs = 20_000
/** The server sends a frame every two seconds; a busy machine may miss some. */
const fewestTicks = 6

/** @param site a server with 10,000 machines that all report */
export async function measureTicks(browser: Browser, { address, cookies }: Site, report: Report): Promise<void> {
  for (const { name, path } of listPages) {
    const seen = await visit(browser, address, { path: path(100), loaded: rowsShown, cookies })
    const { page } = seen
    // The first frames fill the table; what counts is how it goes on.
    await page.waitForFunction(() => document.querySelector('tbody')?.textContent?.includes('%'))
    await page.waitForTimeout(5000)
    const visible = await watch(page)
    if (visible.ticks < fewestTicks) throw new Error(`Only ${visible.ticks} ticks were seen on the ${name}.`)
    await hide(page)
    const hidden = await watch(page)
    // What the page does without ticks, as moving the hands of its clock, is no part of them.
    report.add('tickMs', (visible.busyMs - hidden.busyMs) / visible.ticks, name)
    report.add('restMs', hidden.busyMs / (spanMs / 1000), name)
    report.add('hiddenTicks', hidden.ticks, name)
    await seen.close()
  }
}

/** A browser without a window hides no page by itself; this is all that a page hears of it. */
async function hide(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true })
    Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await page.waitForTimeout(1000)
}

/** Processor time of the page's main thread over a while, parsing and painting included, and the ticks it showed. */
async function watch(page: Page): Promise<{ busyMs: number; ticks: number }> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const busy = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1000 * (metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? Number.NaN)
  }
  await page.evaluate(countTicks)
  const before = await busy()
  await page.waitForTimeout(spanMs)
  const busyMs = (await busy()) - before
  const ticks = await page.evaluate(() => (window as unknown as { ticks: number }).ticks)
  await session.detach()
  return { busyMs, ticks }
}

/** Runs in the page. A tick changes hundreds of cells at once; changes less than half a second apart are one. */
function countTicks(): void {
  const counter = window as unknown as { ticks: number }
  counter.ticks = 0
  let last = Number.NEGATIVE_INFINITY
  const observer = new MutationObserver((changes) => {
    const now = performance.now()
    // A single cell may change by itself, as an age does.
    if (changes.length > 50 && now - last > 500) counter.ticks += 1
    if (changes.length > 50) last = now
  })
  const table = document.querySelector('tbody') as HTMLElement
  observer.observe(table, { subtree: true, childList: true, characterData: true, attributes: true })
}
