import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { silenceEndpoints as endpoints } from '../../src/schemas/endpoints/silence.ts'
import { server } from '../../src/schemas/server.ts'
import { service } from '../../src/schemas/service.ts'
import { repeat } from '../concurrency/repeat.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { route } from '../http/routes/route.ts'
import type { Log } from '../log.ts'
import { serversOfService } from '../machines/serversOfService.ts'
import { may, owns, type Person } from '../person.ts'
import { ownTimezone } from '../site/timeZone.ts'
import { timestamp } from '../wire/timestamp.ts'
import { createCoveredRecords } from './coveredRecords.ts'
import { maintenanceWindowHooks, muteHooks } from './maintenanceHooks.ts'
import { createMutes } from './mutes.ts'
import { createOpenWindows } from './openWindows.ts'
import { createSilences, type Silences } from './silence.ts'

declare module 'fastify' {
  interface FastifyInstance {
    silences: Silences
  }
}

interface MaintenanceOptions {
  store: Store
  log: Pick<Log, 'error'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
  /** The zone of windows that name none. Default: this server's. */
  zone?: string
}

/** Milliseconds between two looks at which mutes have ended. Until then, those with a time do not count any more. */
const checkMs = 2000

/** Maintenance windows and mutes: what is silent now, for the features that notify people. */
export const maintenancePlugin = fp(
  async (app: FastifyInstance, { store, log, now, zone = ownTimezone() }: MaintenanceOptions) => {
    const { roleOf, grantsOf, usernameOf, serverAccess } = app
    const windows = createOpenWindows({ store, roleOf, zone, now })
    const mutes = createMutes({ store, roleOf, grantsOf, now })
    const servers = entityTable(store, server)
    const services = entityTable(store, service)
    app.decorate('silences', createSilences(windows, mutes))
    app.entityHooks.set(
      'maintenance-window',
      maintenanceWindowHooks(createCoveredRecords(store, roleOf), { now, zone }),
    )
    app.entityHooks.set('mute', muteHooks(mutes, { now, usernameOf }))

    function seesServer(id: number, person: Person | undefined): boolean {
      const row = servers.get(id)
      return row !== undefined && serverAccess.isListed(person, row)
    }

    function seesService(id: number, person: Person | undefined): boolean {
      const row = services.get(id)
      return row !== undefined && may(person, 'see', row, serversOfService(row))
    }

    route(app, 'silences', endpoints.silences, ({ person }) => ({
      windows: windows
        .all()
        .map(({ row, until, ...covered }) => ({
          id: row.id,
          name: String(row.name),
          until: timestamp(until),
          servers: [...covered.servers].filter((id) => seesServer(id, person)),
          services: [...covered.services].filter((id) => seesService(id, person)),
        }))
        .filter(({ servers, services }) => servers.length + services.length > 0),
      mutes: mutes
        .active()
        .filter(
          (row) =>
            owns(person, row) ||
            (!row.rule_id &&
              (row.service_id ? seesService(row.service_id, person) : seesServer(row.server_id, person))),
        )
        .map(({ id, server_id, rule_id, service_id, ends_at }) => ({
          id,
          server_id,
          rule_id,
          service_id,
          ...(ends_at ? { until: String(ends_at) } : {}),
        })),
    }))

    const removal = repeat(mutes.removeEnded, {
      intervalMs: checkMs,
      log,
      failure: 'Mutes that have ended could not be deleted:',
    })
    app.addHook('onListen', async () => removal.start())
    app.addHook('onClose', async () => removal.stop())
  },
  { name: 'maintenance', dependencies: ['entity-hooks', 'machines', 'security'] },
)
