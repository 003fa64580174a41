import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Store } from '../db/store.ts'
import type { Log } from '../log.ts'
import type { Settings } from '../settings.ts'
import { ownTimezone } from '../site/timeZone.ts'
import { cronHooks } from './cronHooks.ts'
import { registerTaskRoutes } from './taskRoutes.ts'
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

/** Scheduled tasks. */
export const tasksPlugin = fp(
  async (app: FastifyInstance, { store, log, settings: { publicUrl }, now, zone = ownTimezone() }: TasksOptions) => {
    const { machines, roleOf, notifications } = app
    const tasks = createTasks({ store, machines, roleOf, zone, log, notifications, publicUrl, now })
    app.decorate('tasks', tasks)
    app.entityHooks.set('cron', cronHooks)
    registerTaskRoutes(app, store, tasks)
    app.addHook('onListen', async () => tasks.start())
    app.addHook('onClose', () => tasks.stop())
  },
  { name: 'tasks', dependencies: ['entity-hooks', 'machines', 'notifications'] },
)
