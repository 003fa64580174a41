import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest'
import { type Pages, preparePages } from './support/consoleServer.ts'
import { figure, rounds } from './support/figure.ts'
import type { Condition } from './support/stopwatch.ts'
import { launchBrowser, lists, rowsShown, timeToShow, type Visit, visit } from './support/visit.ts'

/** People take a tenth of a second for "at once"; react-admin and MUI may make of the least page's work three times it. */
const atOnce = { max: 100, why: 'people take it for "at once"' }
const toLeast = { max: 3, why: 'what react-admin, MUI, roles and languages may add to work on rows' }

let browser: Browser
let pages: Pages
let address = ''
let visits: { console: Visit; least: Visit }

const open = (path: string, at = address, rows = 10) =>
  visit(browser, { address: at, path: `${path}?pageSize=${rows}`, loaded: rowsShown })

beforeAll(async () => {
  browser = await launchBrowser()
  pages = await preparePages()
  address = (await pages.serve({ servers: 10_000 })).address
  visits = { console: await open(lists.console), least: await open(lists.least) }
  for (const { page } of Object.values(visits)) await page.waitForLoadState('networkidle')
})

afterAll(async () => {
  await browser.close()
  await pages.remove()
})

type Take = (page: Page) => Promise<number>

/** Measures the same in the console and in the least page. @returns the medians */
async function compare(bench: TestContext['bench'], count: number, start: () => Take) {
  const take = (page: Page) => {
    const measure = start()
    return async () => ({ overriddenDuration: await measure(page) })
  }
  const results = await bench.compare(
    bench('console', take(visits.console.page)),
    bench('least page', take(visits.least.page)),
    rounds(count),
  )
  return { console: results.get('console').latency.p50, least: results.get('least page').latency.p50 }
}

function figures(medians: { console: number; least: number }): void {
  figure('median', medians.console, 'ms', atOnce)
  figure('to the least page', medians.console / medians.least, 'times', toLeast)
}

test('lists of 5 servers, first and second visit', async ({ bench }) => {
  const few = (await pages.serve({ servers: 5 })).address
  const first = async () => {
    const { loadMs, close } = await open(lists.console, few)
    await close()
    return { overriddenDuration: loadMs }
  }
  const second = async () => {
    const { repeat, close } = await open(lists.console, few)
    const loadMs = await repeat()
    await close()
    return { overriddenDuration: loadMs }
  }
  const results = await bench.compare(bench('first visit', first), bench('second visit', second), rounds(5))
  const again = { max: 350, why: 'all files are in the cache: what is left is script' }
  figure('first visit, median', results.get('first visit').latency.p50, 'ms')
  figure('second visit, median', results.get('second visit').latency.p50, 'ms', again)
})

test('opening a list of 10,000 servers', async ({ bench }) => {
  const elementsOf = (page: Page) => page.evaluate(() => document.querySelectorAll('*').length)
  const afterReply = async () => {
    const { page, loadMs, close } = await open(lists.console)
    const replied = await page.evaluate(() => {
      const [reply] = performance.getEntriesByName(`${location.origin}/api/v1/server`) as PerformanceResourceTiming[]
      return reply?.responseEnd ?? Number.NaN
    })
    await close()
    return { overriddenDuration: loadMs - replied }
  }
  const { latency } = await bench('after the last byte of the reply', afterReply).run(rounds(5))
  const broken = { max: 1000, why: 'longer, and people take the page for broken' }
  figure('after the last byte of the reply, median', latency.p50, 'ms', broken)
  const thousand = await open(lists.console, (await pages.serve({ servers: 1000 })).address)
  // What is wrong stands above the list as soon as it is known.
  await thousand.page.waitForLoadState('networkidle')
  const ratio = (await elementsOf(visits.console.page)) / (await elementsOf(thousand.page))
  await thousand.close()
  const onScreen = { max: 1.05, why: 'elements belong to rows on screen; a few more page links may differ' }
  figure('elements, to those of 1,000 servers', ratio, 'times', onScreen)
  expect(visits.console.traffic.foreignRequests(), 'a console must work in a closed network').toEqual([])
})

const totalChanged: Condition = { selector: 'h1 small', changed: true }
const press = (page: Page, key: string) => timeToShow(page, 'keydown', totalChanged, () => page.keyboard.press(key))

test('the first letter of a search among 10,000, which gathers the words', async ({ bench }) => {
  const typeFirst = (path: string) => async () => {
    const { page, close } = await open(path)
    await page.waitForLoadState('networkidle')
    await page.locator('[data-search]').focus()
    const took = await press(page, 'd')
    await close()
    return { overriddenDuration: took }
  }
  const least = bench('least page', typeFirst(lists.least))
  const results = await bench.compare(bench('console', typeFirst(lists.console)), least, rounds(4))
  const median = (name: 'console' | 'least page') => results.get(name).latency.p50
  figures({ console: median('console'), least: median('least page') })
})

test('each further letter, and the heap after it', async ({ bench }) => {
  // Each letter leaves other rows than the one before, and so does taking it back.
  const keys = ['d', 'b', '-', 'm', 'Backspace', 'Backspace', 'Backspace', 'Backspace']
  for (const { page } of Object.values(visits)) await page.locator('[data-search]').focus()
  const type = () => {
    let typed = 0
    return (page: Page) => press(page, keys[typed++ % keys.length] as string)
  }
  figures(await compare(bench, 3 * keys.length, type))
  const devtools = await visits.console.page.context().newCDPSession(visits.console.page)
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  const heap = { max: 28, why: '5 % more than when it was measured, 10,000 servers that are offline included' }
  figure('heap of the page', usedSize / 2 ** 20, 'MiB', heap)
})

test.for([
  { of: 'columns of records', headings: ['Name', 'Group', 'IP'] },
  { of: 'a live column', headings: ['Disk'] },
])('sorting 10,000 by $of', async ({ headings }, { bench }) => {
  const sort = () => {
    let sorted = 0
    return (page: Page) => {
      const heading = headings[Math.floor(sorted++ / 4) % headings.length]
      const button = page.locator('thead th button', { hasText: new RegExp(`^${heading}`) })
      // A person holds the button for so long; the clock starts when it is let go.
      return timeToShow(page, 'click', { selector: 'tbody', changed: true }, () => button.click({ delay: 60 }))
    }
  }
  figures(await compare(bench, 4 * headings.length, sort))
})

test.for(['leaving', 'coming back'])('changing screens at 10,000 servers: %s', async (way, { bench }) => {
  const go = (page: Page, to: string, rowsOf: string) =>
    timeToShow(page, 'click', { selector: `table[aria-label="${rowsOf}"] tbody tr[aria-selected]` }, () =>
      page.locator(`nav a[href="${to}"]`).first().click(),
    )
  const change: Take = async (page) => {
    const left = await go(page, '/dashboard/server-group', 'Server groups')
    const back = await go(page, '/dashboard', 'Servers')
    return way === 'leaving' ? left : back
  }
  // The first visit of the other screen fetches its own list; from then on all is there.
  for (const { page } of Object.values(visits)) await change(page)
  figures(await compare(bench, 9, () => change))
  expect(visits.console.traffic.count('/api/v1/server'), 'the list is in memory').toBe(1)
})

test('editing all of 10,000', async ({ bench }) => {
  const { page } = visits.console
  const edit = async () => {
    await page.locator('thead input[type=checkbox]').click()
    const all = page.getByRole('button', { name: /^Select all 10.?000 matching$/ })
    const select = await timeToShow(page, 'click', { selector: '[role=status]', changed: true }, () => all.click())
    const dialog = { selector: '[role=dialog] input[type=checkbox]' }
    const opened = await timeToShow(page, 'click', dialog, () => page.getByRole('button', { name: 'Edit…' }).click())
    await page.keyboard.press('Escape')
    await page.locator('[role=dialog]').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Clear selection' }).click()
    return { overriddenDuration: Math.max(select, opened) }
  }
  // The code of the dialog is there from the second time on.
  const { latency } = await bench('selecting them or opening the dialog', edit).run(rounds(4, 1))
  const pressed = { max: 300, why: 'longer, and people press the button again' }
  figure('median', latency.p50, 'ms', pressed)
})

const spanMs = 20_000

test('10,000 servers that report every two seconds, 100 rows on screen', async () => {
  const reporting = (await pages.serve({ servers: 10_000, isReporting: true })).address
  const perTick: number[] = []
  const bytesPerTick: number[] = []
  for (const path of Object.values(lists)) {
    const { page, traffic, close } = await open(path, reporting, 100)
    // The first frames fill the table; what counts is how it goes on.
    await page.waitForFunction(() => document.querySelector('tbody')?.textContent?.includes('%'))
    await page.waitForTimeout(5000)
    const bytesBefore = traffic.socketBytes()
    const visible = await watch(page)
    bytesPerTick.push((traffic.socketBytes() - bytesBefore) / visible.ticks)
    await hide(page)
    const hidden = await watch(page)
    await close()
    expect(visible.ticks, 'ticks that were seen').toBeGreaterThan(5)
    expect(hidden.ticks, 'ticks shown while the page is hidden').toBe(0)
    // What the page does without ticks, as moving the hands of its clock, is no part of them.
    perTick.push((visible.busyMs - hidden.busyMs) / visible.ticks)
  }
  const [ours = Number.NaN, least = Number.NaN] = perTick
  const everyTwoSeconds = 30
  const [bytes = Number.NaN] = bytesPerTick
  const phone = { max: 2, why: 'an hour on a phone is then 120 MiB; all machines each time are 143 MB a minute' }
  figure('received in a minute with thirty ticks', (bytes * everyTwoSeconds) / 2 ** 20, 'MiB', phone)
  figure('main thread for each tick', ours, 'ms', atOnce)
  figure('to the least page', ours / least, 'times', toLeast)
})

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
    // A single cell may change by itself, as an age does.
    if (changes.length <= 50) return
    if (performance.now() - last > 500) counter.ticks += 1
    last = performance.now()
  })
  const table = document.querySelector('tbody') as HTMLElement
  observer.observe(table, { subtree: true, childList: true, characterData: true, attributes: true })
}
