import { onTestFinished } from 'vitest'
import type { AppOptions } from '../../../../server/app.ts'
import { entityTable } from '../../../../server/entities/entityTable.ts'
import { createMachines } from '../../../../server/machines/machines.ts'
import type { Site } from '../../../../server/site/site.ts'
import { server as serverEntity } from '../../../../src/schemas/server.ts'
import { service as serviceEntity } from '../../../../src/schemas/service.ts'
import { createTestHost } from '../testHost.ts'
import { testServer } from '../testServer.ts'

interface Options {
  site?: Partial<Site>
  settings?: AppOptions['settings']
}

/** The whole server with one machine, id 1, that checks services when the test lets time pass. */
export async function statusScene({ site, settings }: Options = {}) {
  const host = createTestHost({ uuid: 'machine-1', name: 'web-1' })
  const server = await testServer({
    ...{ site, settings },
    alertTimes: { firstCheckMs: 1e9, intervalMs: 1e9 },
    machines: (on) => {
      const machines = createMachines(on)
      machines.add(host)
      return machines
    },
  })
  const { app, store, clock } = server
  onTestFinished(() => app.close())
  host.tell({ at: new Date(clock.now) })
  entityTable(store, serverEntity).update(1, { user_id: 1 })
  const services = entityTable(store, serviceEntity)
  /** Lets time pass in steps of a second; checks take no time. */
  async function pass(seconds: number): Promise<void> {
    const { checker } = app.services
    for (const end = clock.now + seconds * 1000; clock.now < end; clock.now += 1000) {
      host.tell({ at: new Date(clock.now) })
      checker.tick()
      await checker.idle()
    }
  }
  return {
    ...server,
    host,
    pass,
    services,
    servers: entityTable(store, serverEntity),
    /** Creates a service of the administrator that the machine checks. @returns its id */
    addService: (row: object = {}) =>
      services.insert({ name: 'Shop', type: 3, target: 'db.example:5432', duration: 30, user_id: 1, cover: 0, ...row }),
    up() {
      host.reply = async () => ({ outcome: 'up', delay: 1 })
    },
    down(problem = 'dial tcp 192.0.2.1:5432: connection refused') {
      host.reply = async () => ({ outcome: 'down', problem })
    },
    /** What somebody without an account gets. */
    get: (path: string, headers?: Record<string, string>) => server.browser('198.51.100.7').get(path, headers),
  }
}
