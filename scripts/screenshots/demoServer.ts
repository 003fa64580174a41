import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { buildApp } from '../../server/app.ts'
import { hashPassword } from '../../server/auth/passwords/password.ts'
import { addUser, usersIn } from '../../server/auth/users/users.ts'
import { openStore, type Store } from '../../server/db/store.ts'
import { entityTable } from '../../server/entities/entityTable.ts'
import { consoleLog as log } from '../../server/log.ts'
import { createMachines } from '../../server/machines/machines.ts'
import { timestamp } from '../../server/wire/apiCall.ts'
import { roles } from '../../src/schemas/define/access.ts'
import { server } from '../../src/schemas/server.ts'
import { serverGroup } from '../../src/schemas/serverGroup.ts'
import { root } from '../bootstrap/paths.mjs'
import { groups, reportingFleet } from './fleet.ts'
import { addHistory, addRecords } from './history.ts'

export const username = 'admin'
export const password = 'only for pictures'

export interface DemoServer {
  /** `http://127.0.0.1:<port>` */
  address: string
  stop(): Promise<void>
}

/** The real server with the real console, in memory, and a made-up fleet that reports to it. */
export async function startDemoServer(): Promise<DemoServer> {
  const store = openStore(':memory:')
  addUser(usersIn(store), {
    username,
    password: await hashPassword(password),
    role: roles.admin,
    now: Date.now(),
  })
  const now = Date.now()
  addRecords(store, now)
  const machines = createMachines({ store })
  const settings = { host: '127.0.0.1' }
  const app = await buildApp({ store, machines, settings, dist: join(root, 'dist'), log, version: packageJson.version })
  await app.listen({ host: settings.host, port: 0 })
  const fleet = reportingFleet()
  for (const host of fleet.hosts) machines.add(host)
  await untilKnown(store, fleet.hosts.length)
  addGroups(store)
  await addHistory(app, now)
  const { port } = app.server.address() as AddressInfo
  return {
    address: `http://${settings.host}:${port}`,
    async stop() {
      fleet.stop()
      await app.close()
      await machines.stop()
      store.close()
    },
  }
}

/** A machine gets its row with its first report. */
async function untilKnown(store: Store, count: number): Promise<void> {
  while (entityTable(store, server).count() < count) await new Promise((resolve) => setTimeout(resolve, 20))
}

function addGroups(store: Store): void {
  const written = { created_at: timestamp(), updated_at: timestamp() }
  const rows = entityTable(store, server).all()
  for (const [name, beginnings] of Object.entries(groups)) {
    const members = rows.filter((row) => beginnings.some((beginning) => String(row.name).startsWith(beginning)))
    entityTable(store, serverGroup).insert({ ...written, name, servers: members.map(({ id }) => id) })
  }
}
