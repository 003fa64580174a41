import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { CronError } from '../../src/domain/cron/cronError.ts'
import { parseCron } from '../../src/domain/cron/cronExpression.ts'
import { coverAlarmed, type cron, taskCover } from '../../src/schemas/cron.ts'
import { zeroTime } from '../../src/schemas/define/wireNames.ts'
import type { EntityHooks } from '../api/entityHooks.ts'
import type { Store } from '../db/store.ts'
import type { Form } from '../entities/row.ts'
import type { Log } from '../log.ts'
import { owns } from '../person.ts'
import type { Settings } from '../settings.ts'
import { ownTimezone } from '../site/timeZone.ts'
import { ApiError } from '../wire/apiError.ts'
import { serversOfTask } from './coveredServers.ts'
import { registerTaskRoutes } from './taskRoutes.ts'
import { createTasks, type Tasks, taskNotFound } from './tasks.ts'

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

/**
 * What saving a task means (docs/contract/CONTRACT.md#58-tasks-cron). Any type but 0 is a task that waits for a
 * trigger.
 */
const cronHooks: EntityHooks<typeof cron> = {
  validation: 'contract',
  notFoundError: taskNotFound,
  // Exceptions from all servers have to exist; servers that are chosen one by one do not.
  unknownReference: (field, _, { cover }) => (field === 'servers' && cover === 1 ? 'permission denied' : undefined),
  validate(form) {
    if (!(form.cover in taskCover)) throw new ApiError('permission denied')
    if (form.task_type === 0) checkSchedule(form)
    return form
  },
  serversOf: serversOfTask,
  rights: { see: 'act' },
  narrowed: (row, servers) => {
    // Servers that are named need not be there: one of somebody else may get the id later.
    if (row.cover === 0) return { servers: row.servers?.filter((id) => servers.has(id)) ?? [] }
    if (row.cover !== 1) return {}
    const exceptions = new Set(row.servers)
    return { cover: 0, servers: [...servers].filter((id) => !exceptions.has(id)) }
  },
  present: (wire, row, { person }) => ({
    ...wire,
    ...(!owns(person, row, serversOfTask(row)) && {
      read_only: true,
      rights: ['see', 'act'],
      notification_group_id: 0,
    }),
    last_executed_at: wire.last_executed_at || zeroTime,
    // The schedule knows a task by its own id.
    ...(row.task_type === 0 && { cron_job_id: row.id }),
  }),
}

function checkSchedule({ cover, scheduler }: Form<typeof cron>): void {
  if (cover === coverAlarmed) throw new ApiError('scheduled tasks cannot be triggered by alarms')
  try {
    parseCron(scheduler)
  } catch (error) {
    throw error instanceof CronError ? new ApiError(error.message) : error
  }
}
