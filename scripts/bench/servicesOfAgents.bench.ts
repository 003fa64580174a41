import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../server/app.ts'
import { addUser, usersIn } from '../../server/auth/users/users.ts'
import { openHistory } from '../../server/db/history/openHistory.ts'
import { openStore, type Store } from '../../server/db/store.ts'
import { entityTable } from '../../server/entities/entityTable.ts'
import { createMachines } from '../../server/machines/machines.ts'
import { check } from '../../src/schemas/checks/checks.ts'
import { server } from '../../src/schemas/server.ts'
import { service } from '../../src/schemas/service.ts'
import type { TunnelThreadOptions } from './agents/tunnelThread.ts'
import { figure } from './support/figure.ts'
import type { Targets } from './support/serviceTargets.ts'

const machines = { all: 100, silent: 5 } as const
/** Of the services, as many are refused, and as many never answered. */
const services = { all: 200, refused: 20, silent: 20 } as const
/** Seconds: the interval of a service, and for how long is measured. */
const [interval, seconds] = [60, 120]

const http = check.parse({ kind: 'http', contains: 'well', json: [{ path: '$.queue.waiting', op: '<', value: 10 }] })
const tcp = check.parse({ kind: 'tcp', send: 'ping', expect: 'ping' })

/** @returns the ids of those that are good */
function addServices(store: Store, { open, page, silent }: Targets): number[] {
  const table = entityTable(store, service)
  const common = { duration: interval, user_id: 1, cover: 0 }
  const add = (number: number) => {
    const name = `service ${number}`
    const [refused, answered] = [number < services.refused, number >= services.refused + services.silent]
    if (answered && number % 2) {
      return table.insert({ ...common, name, type: 1, target: `http://127.0.0.1:${page}/`, check: http })
    }
    const port = refused ? 1 : answered ? open[number % open.length] : silent
    const id = table.insert({ ...common, name, type: 3, target: `127.0.0.1:${port}`, check: tcp })
    return answered ? id : 0
  }
  return store
    .transaction(() => Array.from({ length: services.all }, (_, number) => add(number)))
    .filter((id) => id > 0)
}

test('100 machines with agents, of which five open no stream, check 200 services each', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-services-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const targets = new Worker(new URL('support/serviceTargets.ts', import.meta.url))
  onTestFinished(() => void targets.terminate())
  const [addresses] = (await once(targets, 'message')) as [Targets]
  const store = openStore(join(folder, 'store.db'))
  const history = openHistory(join(folder, 'history.db'))
  addUser(usersIn(store), { username: 'admin', password: '-', role: 0, now: 0 })
  const log = { info() {}, warn: console.warn, error: console.error }
  const app = await buildApp({
    store,
    history,
    machines: createMachines({ store }),
    version: 'bench',
    settings: { host: '127.0.0.1' },
    log,
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const secret = String(usersIn(store).find({ username: 'admin' })[0]?.agent_secret)
  const workerData: TunnelThreadOptions = { port, secret, count: machines.all, silent: machines.silent }
  const agents = new Worker(new URL('agents/tunnelThread.ts', import.meta.url), { workerData })
  const rows = entityTable(store, server)
  const online = () => rows.all().filter((row) => app.machines.connected(row)).length
  await expect.poll(online, { timeout: 60_000 }).toBe(machines.all)
  const good = addServices(store, addresses)
  // New ones begin one after the other.
  await wait(2 * interval * 1000)
  const { checker } = app.services
  const [before, used, ownUsed] = [checker.counts(), process.cpuUsage(), process.threadCpuUsage()]
  const delays = monitorEventLoopDelay({ resolution: 5 })
  delays.enable()
  await wait(seconds * 1000)
  delays.disable()
  const { user, system } = process.cpuUsage(used)
  const own = process.threadCpuUsage(ownUsed)
  const now = checker.counts()
  const begun = now.begun - before.begun
  const due = (machines.all * services.all * seconds) / interval
  figure('checks begun', begun, '', { min: due * 0.9, why: 'two rounds are due' })
  figure('begun a second late, of 1,000', (1000 * (now.late - before.late)) / begun, '', {
    max: 10,
    why: 'all are on time',
  })
  figure('how late they were, mean', (now.lateMs - before.lateMs) / begun, 'ms')
  const wrong = good.filter((id) => checker.statusOf(id) !== 'up' || checker.isDegraded(id))
  figure('services that answer, and are not up on each machine', wrong.length, '', {
    max: 0,
    why: 'no check holds another',
  })
  const latencies = good.map((id) => checker.recentResultsOf(id)?.latency(Date.now()) ?? Number.POSITIVE_INFINITY)
  figure('latency of those, the slowest', Math.max(...latencies), 'ms', { max: 1000, why: 'no check holds another' })
  figure('without a turn for others, 99.9 of 100', delays.percentile(99.9) / 1e6, 'ms', {
    max: 100,
    why: 'longer, and people notice',
  })
  const rest = { max: 70, why: 'the rest is for people' }
  figure('one core', (own.user + own.system) / 10_000 / seconds, '%', rest)
  figure('for each check', (own.user + own.system) / begun, 'µs')
  figure('one core, with its agents and targets', (user + system) / 10_000 / seconds, '%')
  await app.close()
  await agents.terminate()
  history.close()
})
