import type { Browser } from '@playwright/test'
import type { BenchServer } from '../console/benchServer.ts'
import { formShown, rowsShown } from '../console/pages.ts'
import { type Site, signIn, type Visit, visit } from '../console/visit.ts'
import { type Report, ratios } from '../report/report.ts'
import type { Metric } from './budgets.ts'
import { throttle } from './throttle.ts'

type AfarReport = Report<Metric, 'console' | 'React + MUI'>

interface Servers {
  server: BenchServer
  /** Has no compressed forms of the files. */
  plainServer: BenchServer
  /** Has TLS of its own, and so HTTP/2. */
  tlsServer: BenchServer
}

const rounds = 5

const paths = { login: '/dashboard/login', list: '/dashboard', leastList: '/dashboard/muiPage.html' }

/** A first visit by somebody who is signed in, unless it is to the sign-in form. */
function open(browser: Browser, { address, cookies }: Site, page: keyof typeof paths, isSlow = false): Promise<Visit> {
  const isLogin = page === 'login'
  return visit(browser, address, {
    path: paths[page],
    loaded: isLogin ? formShown : rowsShown,
    ...(!isLogin && { cookies }),
    ...(isSlow && { prepare: throttle }),
  })
}

export async function measureBytes(
  browser: Browser,
  { server, plainServer }: Omit<Servers, 'tlsServer'>,
  report: AfarReport,
) {
  for (const [one, login, list] of [
    [server, 'loginBytes', 'listBytes'],
    [plainServer, 'plainLoginBytes', 'plainListBytes'],
  ] as const) {
    const site = await signIn(browser, one)
    const form = await open(browser, site, 'login')
    const shownAt = (await form.page.evaluate(() => performance.timeOrigin)) + form.loadMs
    report.add(login, (await form.traffic.codeBytes(shownAt)) / 1000)
    await form.close()
    for (const [page, source] of [
      ['list', 'console'],
      ['leastList', 'React + MUI'],
    ] as const) {
      const seen = await open(browser, site, page)
      await seen.page.waitForLoadState('networkidle')
      report.add(list, (await seen.traffic.codeBytes(Number.POSITIVE_INFINITY)) / 1000, source)
      if (one === server) report.add('listRequests', seen.traffic.total(), source)
      await seen.close()
    }
  }
}

/** The pages take turns, so that a machine that gets slower or faster meanwhile affects all of them. */
export async function measureTimes(browser: Browser, { server, plainServer, tlsServer }: Servers, report: AfarReport) {
  const sites = {
    server: await signIn(browser, server),
    plainServer: await signIn(browser, plainServer),
    tlsServer: await signIn(browser, tlsServer),
  }
  const takes = {
    login: [],
    list: [],
    leastList: [],
    plainList: [],
    plainLeastList: [],
    http2List: [],
    http2LeastList: [],
  } as Record<string, number[]>
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, site, page] of [
      ['login', sites.server, 'login'],
      ['list', sites.server, 'list'],
      ['leastList', sites.server, 'leastList'],
      ['plainList', sites.plainServer, 'list'],
      ['plainLeastList', sites.plainServer, 'leastList'],
      ['http2List', sites.tlsServer, 'list'],
      ['http2LeastList', sites.tlsServer, 'leastList'],
    ] as const) {
      const seen = await open(browser, site, page, true)
      takes[name]?.push(seen.loadMs)
      await seen.close()
    }
  }
  const {
    login = [],
    list = [],
    leastList = [],
    plainList = [],
    plainLeastList = [],
    http2List = [],
    http2LeastList = [],
  } = takes
  report.add('loginMs', login)
  report.add('listMs', list)
  report.add('listMs', leastList, 'React + MUI')
  report.add('plainListMs', plainList)
  report.add('plainListMs', plainLeastList, 'React + MUI')
  report.add('http2ListMs', http2List)
  report.add('http2ListMs', http2LeastList, 'React + MUI')
  report.add('http2Ratio', ratios(http2List, list))
  report.add('loginRatio', ratios(login, leastList))
  report.add('listRatio', ratios(list, leastList))
  report.add('plainListRatio', ratios(plainList, plainLeastList))
}
