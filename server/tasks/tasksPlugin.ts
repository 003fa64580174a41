import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { cron } from '../../src/schemas/cron.ts'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import { taskRunEndpoints } from '../../src/schemas/endpoints/taskRunEndpoints.ts'
import { server } from '../../src/schemas/server.ts'
import { takeTurns } from '../concurrency/takeTurns.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { addAuditDetails, auditNames, route } from '../http/routes/route.ts'
import type { Log } from '../log.ts'
import { isAdmin, may, type Person } from '../person.ts'
import type { Settings } from '../settings.ts'
import { ownTimezone } from '../site/timeZone.ts'
import { ApiError, pageIn, pageReply, timestamp, withoutEmpty } from '../wire/apiCall.ts'
import { cronHooks } from './cronHooks.ts'
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
