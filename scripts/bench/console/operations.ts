import type { Browser, Page } from '@playwright/test'
import { consolePage, listPages, rowsShown } from './pages.ts'
import type { Report } from './report.ts'
import { type Condition, timeToShow } from './stopwatch.ts'
import { type Site, visit } from './visit.ts'

/** Each letter leaves other rows than the one before, and so does taking it back. */
const letters = ['d', 'b', '-', 'm'] as const
const keys = [...letters, ...letters.map(() => 'Backspace')]
const rounds = 3

const totalChanged: Condition = { selector: 'h1 small', changed: true }
const rowsChanged: Condition = { selector: 'tbody', changed: true }
const selected = (count: number): Condition => ({ selector: 'tbody tr[aria-selected=true]', count })

/** What people do in a list of 10,000 servers that is already there. */
export async function measureOperations(browser: Browser, { address, cookies }: Site, report: Report): Promise<void> {
  for (const { name, path } of listPages) {
    const seen = await visit(browser, address, { path: path(10), loaded: rowsShown, cookies })
    const { page } = seen
    await page.waitForLoadState('networkidle')
    const [first = Number.NaN, ...typed] = await type(page)
    report.add('keyMs', typed, name)
    report.add('heapMiB', await heapOf(page), name)
    report.add('sortMs', await sortBy(page, ['Name', 'Group', 'IP']), name)
    report.add('liveSortMs', await sortBy(page, ['Disk']), name)
    report.add('selectPageMs', await selectPage(page), name)
    if (name === consolePage.name) {
      report.add('selectAllMs', await selectAll(page))
      report.add('screenMs', await changeScreens(page))
      report.add('listFetches', seen.traffic.count('/api/v1/server'))
    }
    await seen.close()
    report.add('firstKeyMs', [first, ...(await typeFirst(browser, { address, cookies }, path(10)))], name)
  }
}

/** A page has only one first letter: each of these comes from a page of its own. */
async function typeFirst(browser: Browser, { address, cookies }: Site, path: string): Promise<number[]> {
  const takes: number[] = []
  while (takes.length < rounds) {
    const { page, close } = await visit(browser, address, { path, loaded: rowsShown, cookies })
    await page.waitForLoadState('networkidle')
    await page.locator('[data-search]').focus()
    takes.push(await timeToShow(page, 'keydown', totalChanged, () => page.keyboard.press(letters[0])))
    await close()
  }
  return takes
}

async function type(page: Page): Promise<number[]> {
  await page.locator('[data-search]').focus()
  const takes: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const key of keys) takes.push(await timeToShow(page, 'keydown', totalChanged, () => page.keyboard.press(key)))
  }
  return takes
}

async function sortBy(page: Page, headings: readonly string[]): Promise<number[]> {
  const takes: number[] = []
  for (const heading of headings) {
    const button = page.locator('thead th button', { hasText: new RegExp(`^${heading}`) })
    for (let round = 0; round < rounds; round += 1) {
      takes.push(await timeToShow(page, 'click', rowsChanged, () => button.click()))
    }
  }
  return takes
}

async function selectPage(page: Page): Promise<number[]> {
  const box = page.locator('thead input[type=checkbox]')
  const takes: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const count of [10, 0]) takes.push(await timeToShow(page, 'click', selected(count), () => box.click()))
  }
  return takes
}

async function selectAll(page: Page): Promise<number[]> {
  const takes: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    await timeToShow(page, 'click', selected(10), () => page.locator('thead input[type=checkbox]').click())
    const all = page.getByRole('button', { name: /^Select all 10.?000 matching$/ })
    takes.push(await timeToShow(page, 'click', { selector: '[role=status]', changed: true }, () => all.click()))
    await timeToShow(page, 'click', selected(0), () => page.getByRole('button', { name: 'Clear selection' }).click())
  }
  return takes
}

/** The first visit of the other screen fetches its own list; from then on all is there. */
async function changeScreens(page: Page): Promise<number> {
  const go = (to: string, rowsOf: string) =>
    timeToShow(page, 'click', { selector: `table[aria-label="${rowsOf}"] tbody tr[aria-selected]` }, () =>
      page.locator(`nav a[href="${to}"]`).first().click(),
    )
  const takes: number[] = []
  for (let round = 0; round < 2; round += 1) {
    const there = await go('/dashboard/server-group', 'Server groups')
    const back = await go('/dashboard', 'Servers')
    takes.push(round === 0 ? back : Math.max(there, back))
  }
  return Math.max(...takes)
}

/** MiB in use after a garbage collection. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 2 ** 20
}
