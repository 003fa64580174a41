import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { History } from '../db/history/openHistory.ts'
import type { Store } from '../db/store.ts'
import type { Log } from '../log.ts'
import { registerPush } from './pushRoute.ts'
import { registerServices } from './routes.ts'
import { serviceHooks } from './serviceHooks.ts'
import { createServices, type Services } from './services.ts'
import { registerCheckTry } from './tryRoute.ts'

declare module 'fastify' {
  interface FastifyInstance {
    services: Services
  }
}

interface ServicesPluginOptions {
  store: Store
  log: Log
  /** The clock, in milliseconds since 1970. */
  now: () => number
  /** Where metrics over time are kept. Default: in memory. */
  history?: History
}

/** Milliseconds for which answers of agents may wait here before no further checks are begun. */
const lateMs = 1000

/** Checks services while the server listens; their status, and metrics over time. */
export const servicesPlugin = fp(
  async (app: FastifyInstance, { store, log, now, history }: ServicesPluginOptions) => {
    const { machines, roleOf, mayCallPrivateTargets, incidentMessages, tasks, alerts, silences, load } = app
    const services = createServices({
      store,
      machines,
      roleOf,
      mayCallPrivateTargets,
      notifications: incidentMessages,
      silences,
      log,
      now,
      history,
      trigger: tasks.trigger,
      isLate: () => load.agentWork.waitedMs() > lateMs,
    })
    app.decorate('services', services)
    silences.mutes.addTroubleSource(({ service_id }) => service_id > 0 && services.checker.stateOf(service_id) !== 'up')
    app.entityHooks.set('service', serviceHooks)
    const { stateOf } = services.checker
    registerCheckTry(app, { store, machines, mayCallPrivateTargets, stateOf })
    registerPush(app, { store, services, now })
    registerServices(app, {
      store,
      access: app.serverAccess,
      roleOf,
      now,
      services,
      cycleTransferStats: alerts.cycleTransferStats,
    })
  },
  { name: 'services', dependencies: ['entity-hooks', 'outbound', 'incidents', 'tasks', 'alerts', 'maintenance'] },
)
