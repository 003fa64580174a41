import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { CronError } from '../../src/domain/cron/cronError.ts'
import { parseCron } from '../../src/domain/cron/cronExpression.ts'
import { coverAlarmed, cron, taskCover } from '../../src/schemas/cron.ts'
import { zeroTime } from '../../src/schemas/define/wireNames.ts'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import { taskRunEndpoints } from '../../src/schemas/endpoints/taskRunEndpoints.ts'
import { server } from '../../src/schemas/server.ts'
import type { EntityHooks } from '../api/entityHooks.ts'
import { takeTurns } from '../concurrency/takeTurns.ts'
import type { Store } from '../db/store.ts'
import { entityTable, type Form } from '../entities/entityTable.ts'
import { addAuditDetails, auditNames, route } from '../http/routes/route.ts'
import type { Log } from '../log.ts'
import { isAdmin, may, owns, type Person } from '../person.ts'
import type { Settings } from '../settings.ts'
import { ownTimezone } from '../site/timeZone.ts'
import { ApiError, pageIn, pageReply, timestamp, withoutEmpty } from '../wire/apiCall.ts'
import { serversOfTask } from './startTask.ts'
import type { TaskRun } from './taskRun.ts'
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

const maxPageSize = 1000

/**
 * The call that runs a task now, and what tasks did on servers. The older verb of that call, GET, is not taken: any page
 * could make a browser send it. Somebody who sees a server sees what ran on it, whoever owns the task; runs on servers
 * that were deleted are for administrators.
 */
function registerTaskRoutes(app: FastifyInstance, store: Store, { runs, runNow }: Tasks): void {
  const tasks = entityTable(store, cron)
  const servers = entityTable(store, server)

  /** Whether a person sees what ran on a server. Each server is asked about once: a task may have 200,000 runs. */
  function visibilityFor(person: Person | undefined): (run: TaskRun) => boolean {
    const known = new Map<number, boolean>()
    return ({ server_id }) => {
      const row = known.has(server_id) ? undefined : servers.get(server_id)
      const isVisible = known.get(server_id) ?? (row ? app.serverAccess.isListed(person, row) : isAdmin(person))
      known.set(server_id, isVisible)
      return isVisible
    }
  }

  /** Output may have secrets: it is not for those with whom a server is only shared. */
  function isOutputVisible({ server_id }: TaskRun, person: Person | undefined): boolean {
    const row = servers.get(server_id)
    return row ? may(person, 'act', row, [server_id]) : isAdmin(person)
  }

  function toWire(run: TaskRun) {
    const { id, execution_id, task_id, server_id, server_name, cause, state } = run
    return {
      id,
      execution_id,
      cron_id: task_id,
      server_id,
      cause,
      state,
      cron_name: String(tasks.get(task_id)?.name ?? ''),
      server_name: String(servers.get(server_id)?.name ?? server_name),
      started_at: timestamp(run.started_at),
      ...(run.ended_at !== null && { ended_at: timestamp(run.ended_at) }),
      ...(run.reason !== null && { reason: run.reason }),
      ...(run.exit_code !== null && { exit_code: run.exit_code }),
      ...withoutEmpty({ output_bytes: run.output_bytes }),
    }
  }

  /** A page of what these parts have, one after the other. Others can work between them. @param order within a part */
  async function pageOf(parts: Iterable<readonly TaskRun[]>, query: unknown, order?: typeof byUrgency) {
    const { offset, limit } = pageIn(query)
    const size = Math.min(limit, maxPageSize)
    const turn = takeTurns()
    const rows: TaskRun[] = []
    let total = 0
    for (const found of parts) {
      const from = Math.max(0, offset - total)
      const until = offset + size - total
      // Only what is shown has to be in order.
      if (from < found.length && until > 0) rows.push(...(order ? found.toSorted(order) : found).slice(from, until))
      total += found.length
      await turn()
    }
    return pageReply({ rows: rows.map(toWire), total }, offset, size)
  }

  route(app, { name: 'runCron', audit: 'cron.run' }, endpoints.runCron, (request) => {
    const { id } = request.params
    addAuditDetails(request, { target: `cron ${id}`, detail: auditNames([tasks.get(id)?.name]) })
    return runNow(id, request.person)
  })
  route(app, 'taskRuns', taskRunEndpoints.taskRuns, ({ params: { id }, query, person }) => {
    const task = tasks.get(id)
    if (!task) throw new ApiError(taskNotFound(id))
    const isVisible = visibilityFor(person)
    const all = runs.ofTask(id)
    if (!may(person, 'act', task, serversOfTask(task)) && !all.some(isVisible)) throw new ApiError('permission denied')
    const isShown = (run: TaskRun) =>
      (query.server === '' || String(run.server_id) === query.server) &&
      (query.state === '' || run.state === query.state) &&
      isVisible(run)
    return pageOf(shownExecutions(all, isShown), query, byUrgency)
  })
  route(app, 'serverRuns', taskRunEndpoints.serverRuns, ({ params, query, person }) => {
    const row = servers.get(params.id)
    if (!row) throw new ApiError('server not found')
    if (!app.serverAccess.isListed(person, row)) throw new ApiError('permission denied')
    return pageOf([runs.ofServer(params.id).filter(({ task_id }) => tasks.get(task_id))], query)
  })
  route(app, 'taskRun', taskRunEndpoints.taskRun, ({ params, person }) => {
    const run = runs.get(params.id)
    if (!run || !tasks.get(run.task_id)) throw new ApiError(`run id ${params.id} does not exist`)
    if (!isOutputVisible(run, person)) throw new ApiError('permission denied')
    const { truncated, output_deleted } = run
    return { ...toWire(run), output: runs.output(run), ...withoutEmpty({ truncated, output_deleted }) }
  })
}

const urgency = ['failed', 'lost', 'offline', 'running', 'succeeded']

/** Those that are shown of each execution. @param all one execution after the other */
function* shownExecutions(all: readonly TaskRun[], isShown: (run: TaskRun) => boolean): Iterable<TaskRun[]> {
  for (let from = 0; from < all.length; ) {
    const id = all[from]?.execution_id
    const shown: TaskRun[] = []
    for (; all[from]?.execution_id === id; from++) {
      const run = all[from] as TaskRun
      if (isShown(run)) shown.push(run)
    }
    yield shown
  }
}

/** What failed in an execution comes first. */
const byUrgency = (one: TaskRun, other: TaskRun) =>
  urgency.indexOf(one.state) - urgency.indexOf(other.state) || one.server_id - other.server_id
