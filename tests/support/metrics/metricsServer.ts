import { onTestFinished } from 'vitest'
import type { AppOptions } from '../../../server/app.ts'
import { readAddressRanges } from '../../../server/auth/addresses/addressRanges.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import type { Site } from '../../../server/site/site.ts'
import { createTestHost } from '../server/testHost.ts'
import { signedIn, type TestServer, testServer } from '../server/testServer.ts'
import { type Family, parseOpenMetrics } from './openMetrics.ts'

interface Options {
  /** What the operator has set. */
  metricsAllow?: string
  /** The machines, by their names; the first has the id 1. */
  machines?: readonly string[]
  site?: Partial<Site>
  /** Another server's data, as after a restart. */
  store?: TestServer['store']
  scrapeLimits?: AppOptions['scrapeLimits']
  /** See `testServer`. */
  cluster?: AppOptions['cluster']
}

/** A whole server with machines that report when the test says so. Rules are checked when the test asks for it. */
export async function metricsServer(options: Options = {}) {
  const { metricsAllow, machines: names = [], site, store, scrapeLimits, cluster } = options
  const hosts = names.map((name, index) => createTestHost({ uuid: `machine-${index + 1}`, name }))
  const ranges = metricsAllow === undefined ? undefined : readAddressRanges(metricsAllow)
  if (typeof ranges === 'string') throw new Error(ranges)
  const settings: AppOptions['settings'] = { host: '127.0.0.1', metricsAllow: ranges }
  const server = await testServer({
    settings,
    site,
    store,
    scrapeLimits,
    cluster,
    alertTimes: { firstCheckMs: 1e9, intervalMs: 1e9 },
    machines: (on) => {
      const machines = createMachines(on)
      for (const host of hosts) machines.add(host)
      return machines
    },
  })
  onTestFinished(() => server.app.close())
  const admin = await signedIn(server)
  return {
    server,
    hosts,
    admin,
    /** What somebody without a session gets. */
    async ask(headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') {
      const reply = await server.app.inject({
        url: '/metrics',
        remoteAddress,
        headers: { host: '127.0.0.1', ...headers },
      })
      return { status: reply.statusCode, headers: reply.headers, text: reply.body }
    },
    /** What an administrator reads. */
    async scrape(): Promise<Scrape> {
      return createScrape((await admin.get('/metrics')).text)
    },
    /** Creates a record as the administrator. @returns its id */
    async create(path: string, body: object): Promise<number> {
      const reply = (await admin.call('POST', path, { body })).body as { data?: number; error?: string }
      if (reply.data === undefined) throw new Error(reply.error)
      return reply.data
    },
  }
}

export interface Scrape {
  text: string
  families: Family[]
  /** The values of a metric by the label that tells them apart; of one without labels it is ''. */
  values(name: string, label?: string): Record<string, number>
  /** The labels of the samples of a metric. */
  labels(name: string): Record<string, string>[]
}

function createScrape(text: string): Scrape {
  const families = parseOpenMetrics(text)
  const samplesOf = (name: string) =>
    families.flatMap(({ samples }) => samples).filter((sample) => sample.name === name)
  return {
    text,
    families,
    values: (name, label = 'id') =>
      Object.fromEntries(samplesOf(name).map(({ labels, value }) => [labels[label] ?? '', value])),
    labels: (name) => samplesOf(name).map(({ labels }) => labels),
  }
}
