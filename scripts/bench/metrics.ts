import { get } from 'node:http'
import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { buildApp } from '../../server/app.ts'
import { readAddressRanges } from '../../server/auth/addresses/addressRanges.ts'
import { openStore } from '../../server/db/store.ts'
import { entityTable } from '../../server/entities/entityTable.ts'
import { createMachines } from '../../server/machines/machines.ts'
import { serverGroup } from '../../src/schemas/serverGroup.ts'
import { createTestHost } from '../../tests/support/server/testHost.ts'
import { createReport } from './metrics/budgets.ts'

/** A scrape of 5,000 servers in 20 groups. Fails when a limit of `metrics/budgets.ts` is passed. */
const SERVERS = 5000
const GROUPS = 20
const SCRAPES = 15

const store = openStore(':memory:')
const machines = createMachines({ store })
for (let number = 1; number <= SERVERS; number++) {
  const host = createTestHost({ uuid: `machine-${number}`, name: `web-${number}.example.org` })
  machines.add(host)
  host.report({
    host: { platform: 'debian', platform_version: '12.8', arch: 'x86_64', mem_total: 2 ** 34, disk_total: 2 ** 40 },
    state: {
      ...{ cpu: number % 100, mem_used: 2 ** 33 + number, swap_used: number, disk_used: 2 ** 39 + number },
      ...{ net_in_transfer: 2 ** 40 + number, net_out_transfer: 2 ** 41 + number, net_in_speed: number * 1000 },
      ...{ net_out_speed: number * 2000, uptime: 86_400 + number, load_1: 0.25, load_5: 0.5, load_15: 0.75 },
      ...{ tcp_conn_count: 40, udp_conn_count: 4, process_count: 120 },
      temperatures: [{ Name: 'coretemp_package_id_0', Temperature: 45.5 }],
    },
    // They stay online for as long as the bench takes.
    at: new Date(Date.now() + 3_600_000),
  })
}
const groups = entityTable(store, serverGroup)
for (let group = 0; group < GROUPS; group++) {
  const servers = Array.from({ length: SERVERS / GROUPS }, (_, at) => 1 + group + at * GROUPS)
  groups.insert({ name: `Data centre ${group}`, servers, user_id: 1 })
}
const metricsAllow = readAddressRanges('127.0.0.1')
if (typeof metricsAllow === 'string') throw new Error(metricsAllow)
const app = await buildApp({
  ...{ store, machines, version: 'bench', settings: { host: '127.0.0.1', metricsAllow } },
  log: { info: () => {}, warn: console.warn, error: console.error },
})
const address = await app.listen({ host: '127.0.0.1', port: 0 })

/** @returns bytes of the body, and milliseconds until its end */
const scrape = (coding: string) =>
  new Promise<{ bytes: number; ms: number }>((resolve, reject) => {
    const begun = performance.now()
    const headers = { accept: 'application/openmetrics-text', 'accept-encoding': coding }
    get(`${address}/metrics`, { headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`A scrape got the status ${response.statusCode}.`))
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('end', () => resolve({ bytes, ms: performance.now() - begun }))
    }).on('error', reject)
  })

const processorMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Watches the turns of the event loop. @returns a function that ends it and gives the most processor time of a turn */
function watchTurns(): () => number {
  let longest = 0
  let isOver = false
  let last = processorMs()
  const watch = () => {
    const now = processorMs()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(watch)
  }
  setImmediate(watch)
  return () => {
    isOver = true
    return longest
  }
}

const report = createReport()
for (const coding of ['identity', 'gzip'] as const) {
  const isPlain = coding === 'identity'
  // The first ones are those of a program that is not compiled yet.
  for (let take = 0; take < 3; take++) await scrape(coding)
  const takes: { bytes: number; ms: number; processorMs: number; turnMs: number }[] = []
  for (let take = 0; take < SCRAPES; take++) {
    const before = processorMs()
    const { bytes, ms } = await scrape(coding)
    const used = processorMs() - before
    const endWatching = watchTurns()
    await scrape(coding)
    takes.push({ bytes, ms, processorMs: used, turnMs: endWatching() })
    await wait(20)
  }
  report.add(
    isPlain ? 'scrapeMs' : 'gzipMs',
    takes.map(({ ms }) => ms),
  )
  report.add(
    isPlain ? 'kb' : 'gzipKb',
    takes.map(({ bytes }) => bytes / 1000),
  )
  if (!isPlain) continue
  report.add(
    'processorMs',
    takes.map(({ processorMs }) => processorMs),
  )
  report.add(
    'turnMs',
    takes.map(({ turnMs }) => turnMs),
  )
}
const missed = report.print()
console.log(`Load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} processors.`)
await app.close()
await machines.stop()
store.close()
process.exitCode = missed > 0 ? 1 : 0
