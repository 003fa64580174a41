import { get } from 'node:http'
import { afterAll, test } from 'vitest'
import { buildApp } from '../../server/app.ts'
import { readAddressRanges } from '../../server/auth/addresses/addressRanges.ts'
import { openStore } from '../../server/db/store.ts'
import { entityTable } from '../../server/entities/entityTable.ts'
import { createMachines } from '../../server/machines/machines.ts'
import { serverGroup } from '../../src/schemas/serverGroup.ts'
import { createTestHost } from '../../tests/support/server/testHost.ts'
import { figure, rounds } from './support/figure.ts'
import { inProcessorTime, watchTurns } from './support/processorTime.ts'

const servers = 5000
const groups = 20

const store = openStore(':memory:')
const machines = createMachines({ store })
for (let number = 1; number <= servers; number++) {
  const host = createTestHost({ uuid: `machine-${number}`, name: `web-${number}.example.org` })
  machines.add(host)
  host.report({
    host: { platform: 'debian', platform_version: '12.8', arch: 'x86_64', mem_total: 2 ** 34, disk_total: 2 ** 40 },
    state: {
      cpu: number % 100,
      mem_used: 2 ** 33 + number,
      swap_used: number,
      disk_used: 2 ** 39 + number,
      net_in_transfer: 2 ** 40 + number,
      net_out_transfer: 2 ** 41 + number,
      net_in_speed: number * 1000,
      net_out_speed: number * 2000,
      uptime: 86_400 + number,
      load_1: 0.25,
      load_5: 0.5,
      load_15: 0.75,
      tcp_conn_count: 40,
      udp_conn_count: 4,
      process_count: 120,
      temperatures: [{ Name: 'coretemp_package_id_0', Temperature: 45.5 }],
    },
    // They stay online for as long as the bench takes.
    at: new Date(Date.now() + 3_600_000),
  })
}
const groupRows = entityTable(store, serverGroup)
for (let group = 0; group < groups; group++) {
  const members = Array.from({ length: servers / groups }, (_, at) => 1 + group + at * groups)
  groupRows.insert({ name: `Data centre ${group}`, servers: members, user_id: 1 })
}
const metricsAllow = readAddressRanges('127.0.0.1')
if (typeof metricsAllow === 'string') throw new Error(metricsAllow)
const app = await buildApp({
  store,
  machines,
  version: 'bench',
  settings: { host: '127.0.0.1', metricsAllow },
  log: { info() {}, warn: console.warn, error: console.error },
})
const address = await app.listen({ host: '127.0.0.1', port: 0 })

afterAll(async () => {
  await app.close()
  await machines.stop()
  store.close()
})

/** @returns bytes of the body as they came; `fetch` would unpack them */
const scrape = (coding: string) =>
  new Promise<number>((resolve, reject) => {
    const headers = { accept: 'application/openmetrics-text', 'accept-encoding': coding }
    get(`${address}/metrics`, { headers }, async (reply) => {
      if (reply.statusCode !== 200) return reject(new Error(`A scrape got the status ${reply.statusCode}.`))
      let bytes = 0
      for await (const chunk of reply) bytes += chunk.length
      resolve(bytes)
    }).on('error', reject)
  })

test.for([
  { coding: 'identity', max: 300, why: 'collectors ask every few seconds' },
  { coding: 'gzip', max: 500, why: 'Prometheus asks for it; the thread that compresses decides' },
])('a scrape of 5,000 servers, $coding', async ({ coding, ...limit }, { bench }) => {
  const { latency } = await bench('until the last byte', () => scrape(coding)).run(rounds(15, 3))
  figure('median', latency.p50, 'ms', limit)
  figure('body', (await scrape(coding)) / 1000, 'kB')
})

test('the processor time of a scrape, and what it holds up', async ({ bench }) => {
  const used = bench(
    'with the client',
    inProcessorTime(() => scrape('identity')),
  )
  const turns = bench('longest turn', async () => {
    const endWatching = watchTurns()
    await scrape('identity')
    return { overriddenDuration: endWatching() }
  })
  const results = await bench.compare(used, turns, rounds(15, 3))
  const ofAll = { max: 200, why: 'what other programs take does not count here' }
  figure('with the client, median', results.get('with the client').latency.p50, 'ms', ofAll)
  const ofTurn = { max: 50, why: 'longer, and people notice' }
  figure('until others get a turn, median', results.get('longest turn').latency.p50, 'ms', ofTurn)
})
