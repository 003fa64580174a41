import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, test } from 'vitest'
import { openHistory } from '../../server/db/history/openHistory.ts'
import type { Series } from '../../server/db/history/series.ts'
import { openStore } from '../../server/db/store.ts'
import { entityTable } from '../../server/entities/entityTable.ts'
import { createLocalHost } from '../../server/machines/hosts/local/localHost.ts'
import { createMachines } from '../../server/machines/machines.ts'
import { openServerHistory } from '../../server/services/history/serverHistory.ts'
import { openSamples } from '../../server/services/history/serviceHistory.ts'
import { createServices } from '../../server/services/services.ts'
import { check } from '../../src/schemas/checks/checks.ts'
import { service } from '../../src/schemas/service.ts'
import { noState } from '../../tests/support/server/testHost.ts'
import { figure } from './support/figure.ts'
import type { Targets } from './support/serviceTargets.ts'

const services = 5000
const [step, hour, day] = [30_000, 3_600_000, 86_400_000]
const start = Date.UTC(2026, 0, 1)
const mebibyte = 1024 ** 2
const noticed = { max: 100, why: 'longer, and people notice' }

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-services-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const http = check.parse({
  kind: 'http',
  codes: '200',
  contains: 'well',
  pattern: 'queue.*[0-9]+',
  json: [{ path: '$.queue.waiting', op: '<', value: 10 }],
})
const tcp = check.parse({ kind: 'tcp', send: 'ping', expect: 'ping' })

function addServices(store: ReturnType<typeof openStore>, { open, page, silent }: Targets): void {
  const table = entityTable(store, service)
  const common = { duration: 30, user_id: 1, cover: 0 }
  store.transaction(() => {
    for (let number = 0; number < services; number++) {
      const [kind, name] = [number % 10, `service ${number}`]
      // Of ten, three are ports and one is refused, one is a page and one never answers, as their types say; by checks of
      // their own, two are ports and two pages with words and values.
      const port = kind === 7 ? 1 : open[number % open.length]
      const target = kind < 8 ? `127.0.0.1:${port}` : ''
      if (kind === 3 || kind === 4) table.insert({ ...common, name, type: 3, target, check: tcp })
      else if (kind === 5 || kind === 6) {
        table.insert({ ...common, name, type: 1, target: `http://127.0.0.1:${page}/`, check: http })
      } else if (kind < 8) table.insert({ ...common, name, type: 3, target })
      else table.insert({ ...common, name, type: 1, target: `http://127.0.0.1:${kind === 8 ? page : silent}/` })
    }
  })
}

test('checking 5,000 services every 30 s, for 90 s', async () => {
  const seconds = 90
  const worker = new Worker(new URL('support/serviceTargets.ts', import.meta.url))
  const [targets] = (await once(worker, 'message')) as [Targets]
  const store = openStore(join(folder, 'store.db'))
  const history = openHistory(join(folder, 'history.db'))
  const machines = createMachines({ store })
  machines.add(createLocalHost({ uuid: 'bench', version: 'bench' }))
  addServices(store, targets)
  const late = createHistogram()
  const checks = createServices({
    store,
    history,
    machines,
    notifications: { send() {} },
    trigger() {},
    roleOf: () => 0,
    mayCallPrivateTargets: () => true,
    log: console,
    onCheck: (ms) => late.record(Math.max(1, Math.round(ms))),
  })
  // The machine is in the list with its first report.
  await wait(4000)
  const delays = monitorEventLoopDelay({ resolution: 5 })
  const before = process.cpuUsage()
  checks.start()
  delays.enable()
  // The first round makes what stays: connections, statuses, histories.
  await wait(40_000)
  delays.disable()
  const settled = memoryInUse()
  delays.enable()
  await wait((seconds - 40) * 1000)
  const { user, system } = process.cpuUsage(before)
  delays.disable()
  const grown = memoryInUse() - settled
  const allRounds = { min: 14_000, why: 'three rounds are due, the last of them with its tenth to wait' }
  figure('checks begun', late.count, '', allRounds)
  figure('how late they were, median', late.percentile(50), 'ms')
  const onTime = { max: 1000, why: 'a check is on time within a second' }
  figure('how late they were, 99 of 100', late.percentile(99), 'ms', onTime)
  figure('how late they were, the latest', late.max, 'ms')
  figure('without a turn for others, 99.9 of 100', delays.percentile(99.9) / 1e6, 'ms', noticed)
  figure('one core', (user + system) / 10_000 / seconds, '%', { max: 100, why: '10,000 checks a minute need one' })
  figure('memory in use after a minute', settled / mebibyte, 'MiB')
  figure('memory that two more rounds take', grown / mebibyte, 'MiB', { max: 15, why: 'memory stays flat' })
  await checks.stop()
  await machines.stop()
  await worker.terminate()
  history.close()
  store.close()
})

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Bytes of what is still needed. */
function memoryInUse(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function keep(series: readonly Series[], now: number): Promise<void> {
  for (const each of series) await each.flush()
  for (const each of series) await each.thin(now)
}

test('writing and thinning two hours of 5,000 services', async () => {
  const history = openHistory(join(folder, 'history.db'))
  const { add, checks, days } = openSamples(history)
  const delays = monitorEventLoopDelay({ resolution: 1 })
  for (let at = start; at < start + 2 * hour; at += step) {
    for (let id = 1; id <= services; id++) add(id, 1, at, { outcome: 'up', delay: (at + id) % 97 })
    delays.enable()
    await keep([checks, days], at)
    delays.disable()
  }
  history.close()
  figure('without a turn for others, 99.9 of 100', delays.percentile(99.9) / 1e6, 'ms', noticed)
})

/** A machine whose every metric moves. */
function busy(at: number) {
  const metrics = Object.entries(noState).map(([name, value]) => [
    name,
    Array.isArray(value) ? value : Math.random() * at,
  ])
  const gpu = [Math.random()]
  return { ...Object.fromEntries(metrics), gpu, temperatures: [{ Name: 'a', Temperature: Math.random() }] }
}

const stated = 'docs/decisions/history-storage.md states it'
test.for([
  { what: 'a service on one server', max: 60, why: stated },
  { what: 'a service with a check on one server', max: 100, why: stated },
  { what: 'the metrics of a server', max: 200, why: stated },
])('the history of $what, after 40 days at 30 s', async ({ what, ...limit }) => {
  const count = 20
  const path = join(folder, 'history.db')
  const history = openHistory(path)
  const [samples, metrics] = [openSamples(history), openServerHistory(history)]
  const isService = what.startsWith('a service')
  const phases = what.includes('with a check') ? { name: 0.4, connect: 12.1, tls: 31.5, first_byte: 20.3 } : undefined
  const series = isService ? [samples.checks, samples.days] : [metrics.series]
  for (let at = start; at < start + 40 * day; at += step) {
    for (let id = 1; id <= count; id++) {
      if (isService) samples.add(id, 1, at, { outcome: 'up', delay: Math.random() * 100, ...(phases && { phases }) })
      else metrics.add(id, busy(at), at)
    }
    if (at % hour === 0) await keep(series, at)
  }
  await keep(series, start + 40 * day)
  history.close()
  figure('on the disk', statSync(path).size / 1000 / count, 'kB', limit)
})
