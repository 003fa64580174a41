import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { cron } from '../../src/schemas/cron.ts'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { addAuditDetails, auditNames } from '../http/routes/auditAction.ts'
import { route } from '../http/routes/route.ts'
import type { Log } from '../log.ts'
import type { Settings } from '../settings.ts'
import { ownTimezone } from '../site/timeZone.ts'
import { cronHooks } from './cronHooks.ts'
import { registerTaskRuns } from './taskRunRoutes.ts'
import { createTasks, type Tasks } from './tasks.ts'

declare module 'fastify' {
  interface FastifyInstance {
    tasks: Tasks
  }
}

interface TasksOptions {
  store: Store
  log: Pick<Log, 'error'>
  settings: Pick<Settings, 'publicUrl'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
  /** The time zone of schedules. Default: this server's. */
  zone?: string
}

/**
 * Scheduled tasks, and the call that runs one now. The older verb of that call, GET, is not taken: any page could make
 * a browser send it.
 */
export const tasksPlugin = fp(
  async (app: FastifyInstance, { store, log, settings: { publicUrl }, now, zone = ownTimezone() }: TasksOptions) => {
    const { machines, roleOf, notifications } = app
    const tasks = createTasks({ store, machines, roleOf, zone, log, notifications, publicUrl, now })
    app.decorate('tasks', tasks)
    app.entityHooks.set('cron', cronHooks)
    route(app, 'runCron', endpoints.runCron, (request) => {
      const { id } = request.params
      addAuditDetails(request, { target: `cron ${id}`, detail: auditNames([entityTable(store, cron).get(id)?.name]) })
      return tasks.runNow(id, request.person)
    })
    registerTaskRuns(app, store, tasks.runs)
    app.addHook('onListen', async () => tasks.start())
    app.addHook('onClose', () => tasks.stop())
  },
  { name: 'tasks', dependencies: ['entity-hooks', 'machines', 'notifications'] },
)
