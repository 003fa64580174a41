import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { buildApp } from '../../../server/app.ts'
import { hashPassword } from '../../../server/auth/passwords/password.ts'
import { addUser, usersIn } from '../../../server/auth/users/users.ts'
import { openStore } from '../../../server/db/store.ts'
import { entityTable, type Row } from '../../../server/entities/entityTable.ts'
import { consoleLog } from '../../../server/log.ts'
import type { HostDetails, HostState } from '../../../server/machines/hosts/host.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { roles } from '../../../src/schemas/define/access.ts'
import { server } from '../../../src/schemas/server.ts'
import { createTestHost } from '../../../tests/support/server/testHost.ts'
import { addServers } from '../../seed/addServers.ts'

export interface ServeOptions {
  /** Folder of the pages to serve. */
  dist: string
  /** How many made-up servers there are. */
  servers: number
  /** Whether they report every two seconds, instead of being offline. */
  isReporting?: boolean
  /** Files with a certificate and its key, for TLS of its own and so HTTP/2. */
  tls?: { cert: string; key: string }
}

export const credentials = { username: 'admin', password: 'only for benches' }

/**
 * Every metric that a list shows has changed with each report: the most that a tick can ask of a page. Disks stay below
 * what counts as full: how rows are drawn is measured, and not hundreds of machines that get into trouble each tick.
 */
function reportingHost({ uuid, name, host, state }: Row) {
  const testHost = createTestHost({ uuid: String(uuid), name: String(name) })
  const [details, before] = [host as HostDetails, state as HostState]
  const around = (total: number, used: number, round: number) => Math.floor((used + (total * round) / 50) % total)
  const report = (round: number) =>
    testHost.report({
      host: details,
      state: {
        ...before,
        cpu: around(100, before.cpu, round),
        mem_used: around(details.mem_total, before.mem_used, round),
        disk_used: around(details.disk_total * 0.9, before.disk_used, round),
        net_in_transfer: before.net_in_transfer + round * 2 ** 30,
        net_out_transfer: before.net_out_transfer + round * 2 ** 30,
        net_in_speed: before.net_in_speed + round * 1000,
        net_out_speed: before.net_out_speed + round * 1000,
        uptime: before.uptime + round * 2,
      },
    })
  return { testHost, report }
}

/** The embedded server on made-up data in memory, in a thread of its own. Says its address to the parent. */
async function serve({ dist, servers, isReporting, tls }: ServeOptions): Promise<string> {
  const store = openStore(':memory:')
  const { username, password } = credentials
  addUser(usersIn(store), { username, password: await hashPassword(password), role: roles.admin, now: Date.now() })
  addServers(store, servers)
  const machines = createMachines({ store })
  const settings = { host: '127.0.0.1', tls }
  const app = await buildApp({ store, machines, settings, dist, log: consoleLog, version: 'bench' })
  await app.listen({ host: settings.host, port: 0 })
  if (isReporting) {
    const hosts = entityTable(store, server).all().map(reportingHost)
    for (const { testHost } of hosts) machines.add(testHost)
    let round = 0
    setInterval(() => {
      round += 1
      for (const { report } of hosts) report(round)
    }, 2000)
  }
  const { port } = app.server.address() as AddressInfo
  return `${tls ? 'https' : 'http'}://${settings.host}:${port}`
}

parentPort?.postMessage(await serve(workerData as ServeOptions))
