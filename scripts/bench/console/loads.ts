import type { Browser, Page } from '@playwright/test'
import { median } from '../report/report.ts'
import type { BenchServer } from './benchServer.ts'
import { consolePage, formShown, type ListPage, listPages, rowsShown } from './pages.ts'
import type { Report } from './report.ts'
import { timeToParse } from './stopwatch.ts'
import { type Site, signIn, type Visit, visit } from './visit.ts'

const rounds = 5
const sizes = ['list5Ms', 'list1000Ms', 'list10000Ms'] as const

/** One look at a list that has just been opened. */
interface Load {
  loadMs: number
  /** From the last byte of the reply. */
  afterReplyMs: number
  /** From the moment when its text had become records. */
  afterParseMs: number
  elements: number
}

/**
 * First visits: bytes and times of the login form, and of lists of three lengths; second visits of the shortest. The
 * lengths take turns, so that a machine that gets slower or faster meanwhile affects all of them.
 * @param servers of 5, 1,000 and 10,000 records
 */
export async function measureLoads(browser: Browser, servers: readonly BenchServer[], report: Report): Promise<void> {
  const sites = await Promise.all(servers.map((server) => signIn(browser, server)))
  const [first, , last] = sites
  if (!first || !last) throw new Error('The loads are measured on three servers.')
  await weighLogin(browser, first, report)
  await weighList(browser, last, report)
  for (const page of listPages) await timeLists(browser, sites, page, report)
}

async function weighLogin(browser: Browser, { address }: Site, report: Report): Promise<void> {
  const takes: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const seen = await visit(browser, address, { path: '/dashboard/login', loaded: formShown })
    takes.push(seen.loadMs)
    // The console is fetched behind the form, once that stands: it is no part of it.
    report.add('loginBytes', (await seen.traffic.codeBytes((await startOf(seen.page)) + seen.loadMs)) / 1000)
    await seen.close()
  }
  report.add('loginMs', takes)
}

async function weighList(browser: Browser, { address, cookies }: Site, report: Report): Promise<void> {
  for (const { name, path } of listPages) {
    const seen = await visit(browser, address, { path: path(10), loaded: rowsShown, cookies })
    await seen.page.waitForLoadState('networkidle')
    report.add('listBytes', (await seen.traffic.codeBytes(Number.POSITIVE_INFINITY)) / 1000, name)
    if (name === consolePage.name) {
      report.add('foreignRequests', seen.traffic.foreignRequests().length)
      report.add('notImmutable', (await seen.traffic.notImmutable()).length)
    }
    await seen.close()
  }
}

async function timeLists(browser: Browser, sites: readonly Site[], { name, path }: ListPage, report: Report) {
  const loads: Load[][] = sites.map(() => [])
  const repeated: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { address, cookies }] of sites.entries()) {
      const seen = await visit(browser, address, { path: path(10), loaded: rowsShown, cookies })
      loads[index]?.push(await look(seen))
      if (index === 0) repeated.push(await seen.repeat())
      await seen.close()
    }
  }
  for (const [index, metric] of sizes.entries()) {
    report.add(metric, loads[index]?.map(({ loadMs }) => loadMs) ?? [], name)
  }
  report.add('list5AgainMs', repeated, name)
  const [, some = [], many = []] = loads
  const middle = (all: readonly Load[], key: keyof Load) => median(all.map((load) => load[key]))
  report.add('reply1000Ms', middle(some, 'afterReplyMs'), name)
  report.add('replyMs', middle(many, 'afterReplyMs'), name)
  report.add('replyRatio', middle(many, 'afterParseMs') / middle(some, 'afterParseMs'), name)
  report.add('elementsRatio', middle(many, 'elements') / middle(some, 'elements'), name)
}

async function look({ page, loadMs }: Visit): Promise<Load> {
  const { repliedAt, elements } = await page.evaluate(() => {
    const [reply] = performance.getEntriesByName(`${location.origin}/api/v1/server`) as PerformanceResourceTiming[]
    return { repliedAt: reply?.responseEnd ?? Number.NaN, elements: document.querySelectorAll('*').length }
  })
  return { loadMs, afterReplyMs: loadMs - repliedAt, afterParseMs: loadMs - (await timeToParse(page)), elements }
}

/** When the navigation began, ms since 1970. */
const startOf = (page: Page) => page.evaluate(() => performance.timeOrigin)
