import type { Browser, Page } from '@playwright/test'
import { median } from '../report/report.ts'
import { consolePage, type ListPage, listPages, rowsShown } from './pages.ts'
import type { Report } from './report.ts'
import { type Condition, timeToShow } from './stopwatch.ts'
import { type Site, type Visit, visit } from './visit.ts'

/** Each letter leaves other rows than the one before, and so does taking it back. */
const letters = ['d', 'b', '-', 'm'] as const
const keys = [...letters, ...letters.map(() => 'Backspace')]
const rounds = 3
/** How long a person holds the button down; the clock starts when it is let go. */
const pressMs = 60
/** More, because each round has one of each way. */
const screenRounds = 9

const totalChanged: Condition = { selector: 'h1 small', changed: true }
const rowsChanged: Condition = { selector: 'tbody', changed: true }
const selected = (count: number): Condition => ({ selector: 'tbody tr[aria-selected=true]', count })

/**
 * What people do in a list of 10,000 servers that is already there. Console and baseline take turns, so that a machine
 * that gets slower or faster meanwhile affects both.
 */
export async function measureOperations(browser: Browser, { address, cookies }: Site, report: Report): Promise<void> {
  const open = ({ path }: ListPage) => visit(browser, address, { path: path(10), loaded: rowsShown, cookies })
  const visits = new Map<ListPage, Visit>()
  for (const page of listPages) visits.set(page, await open(page))
  for (const { page } of visits.values()) await page.waitForLoadState('networkidle')

  const first = new Map<ListPage, number[]>()
  const typed: Operation = async (page, of) => {
    const [firstKey = Number.NaN, ...others] = await type(page)
    first.set(of, [firstKey])
    return others
  }
  const operations: [metric: OperationMetric, Operation][] = [
    ['keyMs', typed],
    ['firstKeyMs', async (_, of) => [...(first.get(of) ?? []), ...(await typeFirst(() => open(of)))]],
    ['sortMs', (page) => sortBy(page, ['Name', 'Group', 'IP'])],
    ['liveSortMs', (page) => sortBy(page, ['Disk'])],
    ['selectPageMs', selectPage],
    ['selectAllMs', selectAll],
    ['screenMs', changeScreens],
  ]
  for (const [metric, operation] of operations) {
    const [ours = Number.NaN, theirs = Number.NaN] = await takeTurns(visits, async ({ page }, of) => {
      const takes = await operation(page, of)
      report.add(metric, takes, of.name)
      return median(takes)
    })
    report.add(`${metric.slice(0, -2) as OperationName}Ratio`, ours / theirs)
    if (metric === 'keyMs')
      await takeTurns(visits, async ({ page }, { name }) => report.add('heapMiB', await heapOf(page), name))
  }
  report.add('bulkEditMs', await openBulkEdit((visits.get(consolePage) as Visit).page))
  report.add('listFetches', visits.get(consolePage)?.traffic.count('/api/v1/server') ?? Number.NaN)
  for (const { close } of visits.values()) await close()
}

type Operation = (page: Page, of: ListPage) => Promise<number[]>
type OperationName = 'key' | 'firstKey' | 'sort' | 'liveSort' | 'selectPage' | 'selectAll' | 'screen'
type OperationMetric = `${OperationName}Ms`

async function takeTurns<Result>(
  visits: ReadonlyMap<ListPage, Visit>,
  act: (visit: Visit, page: ListPage) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const [page, seen] of visits) results.push(await act(seen, page))
  return results
}

/** A page has only one first letter: each of these comes from a page of its own. */
async function typeFirst(open: () => Promise<Visit>): Promise<number[]> {
  const takes: number[] = []
  while (takes.length < rounds) {
    const { page, close } = await open()
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
      takes.push(await timeToShow(page, 'click', rowsChanged, () => button.click({ delay: pressMs })))
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

/** The dialog that edits all that match. Its code is there from the second time on. */
async function openBulkEdit(page: Page): Promise<number[]> {
  await page.locator('thead input[type=checkbox]').click()
  await page.getByRole('button', { name: /^Select all 10.?000 matching$/ }).click()
  const open = () =>
    timeToShow(page, 'click', { selector: '[role=dialog] input[type=checkbox]' }, () =>
      page.getByRole('button', { name: 'Edit…' }).click(),
    )
  const takes: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    takes.push(await open())
    await page.keyboard.press('Escape')
    await page.locator('[role=dialog]').waitFor({ state: 'detached' })
  }
  await page.getByRole('button', { name: 'Clear selection' }).click()
  return takes
}

/** The first visit of the other screen fetches its own list; from then on all is there. The slower way is what counts. */
async function changeScreens(page: Page): Promise<number[]> {
  const go = (to: string, rowsOf: string) =>
    timeToShow(page, 'click', { selector: `table[aria-label="${rowsOf}"] tbody tr[aria-selected]` }, () =>
      page.locator(`nav a[href="${to}"]`).first().click(),
    )
  const leave = () => go('/dashboard/server-group', 'Server groups')
  const comeBack = () => go('/dashboard', 'Servers')
  await leave()
  await comeBack()
  const ways: [number[], number[]] = [[], []]
  for (let round = 0; round < screenRounds; round += 1) {
    ways[0].push(await leave())
    ways[1].push(await comeBack())
  }
  return median(ways[0]) > median(ways[1]) ? ways[0] : ways[1]
}

/** MiB in use after a garbage collection. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 2 ** 20
}
