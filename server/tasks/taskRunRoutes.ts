import type { FastifyInstance } from 'fastify'
import { cron } from '../../src/schemas/cron.ts'
import { taskRunEndpoints } from '../../src/schemas/endpoints/taskRunEndpoints.ts'
import { server } from '../../src/schemas/server.ts'
import { cachedRow } from '../db/cachedRows.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { route } from '../http/routes/route.ts'
import { isAdmin, owns, type Person } from '../person.ts'
import { ApiError } from '../wire/apiError.ts'
import { pageIn, pageReply } from '../wire/page.ts'
import { timestamp } from '../wire/timestamp.ts'
import { withoutEmpty } from '../wire/withoutEmpty.ts'
import { serversOfTask } from './coveredServers.ts'
import type { TaskRun } from './taskRun.ts'
import type { TaskRuns } from './taskRuns.ts'
import { taskNotFound } from './tasks.ts'

const maxPageSize = 1000

/**
 * What tasks did on servers. Somebody who sees a server sees what ran on it, whoever owns the task; runs on servers
 * that were deleted are for administrators.
 */
export function registerTaskRuns(
  app: FastifyInstance,
  store: Store,
  runs: Pick<TaskRuns, 'get' | 'output' | 'ofTask' | 'ofServer'>,
): void {
  const tasks = entityTable(store, cron)
  const servers = entityTable(store, server)

  function isVisible({ server_id }: TaskRun, person: Person | undefined): boolean {
    const row = cachedRow(servers, server_id)
    return row ? app.serverAccess.isListed(person, row) : isAdmin(person)
  }

  /** Output may have secrets: it is not for those with whom a server is only shared. */
  function isOutputVisible({ server_id }: TaskRun, person: Person | undefined): boolean {
    const row = cachedRow(servers, server_id)
    return row ? owns(person, row, [server_id]) : isAdmin(person)
  }

  function toWire(run: TaskRun) {
    const { id, execution_id, task_id, server_id, server_name, cause, state } = run
    return {
      ...{ id, execution_id, cron_id: task_id, server_id, cause, state },
      cron_name: String(cachedRow(tasks, task_id)?.name ?? ''),
      server_name: String(cachedRow(servers, server_id)?.name ?? server_name),
      started_at: timestamp(run.started_at),
      ...(run.ended_at !== null && { ended_at: timestamp(run.ended_at) }),
      ...(run.reason !== null && { reason: run.reason }),
      ...(run.exit_code !== null && { exit_code: run.exit_code }),
      ...withoutEmpty({ output_bytes: run.output_bytes }),
    }
  }

  function pageOf(found: readonly TaskRun[], query: unknown) {
    const { offset, limit } = pageIn(query)
    const size = Math.min(limit, maxPageSize)
    const rows = found.slice(offset, offset + size).map(toWire)
    return pageReply({ rows, total: found.length }, offset, size)
  }

  /** @throws ApiError when there is no such task, or it is somebody else's and has no run that the person may see */
  function visibleRuns(id: number, person: Person | undefined): TaskRun[] {
    const task = tasks.get(id)
    if (!task) throw new ApiError(taskNotFound(id))
    const visible = runs.ofTask(id).filter((run) => isVisible(run, person))
    if (visible.length === 0 && !owns(person, task, serversOfTask(task))) throw new ApiError('permission denied')
    return visible
  }

  route(app, 'taskRuns', taskRunEndpoints.taskRuns, ({ params, query, person }) => {
    const found = visibleRuns(params.id, person)
      .filter(({ server_id }) => query.server === '' || String(server_id) === query.server)
      .filter(({ state }) => query.state === '' || state === query.state)
    return pageOf(found.sort(byUrgency), query)
  })
  route(app, 'serverRuns', taskRunEndpoints.serverRuns, ({ params, query, person }) => {
    const row = servers.get(params.id)
    if (!row) throw new ApiError('server not found')
    if (!app.serverAccess.isListed(person, row)) throw new ApiError('permission denied')
    return pageOf(
      runs.ofServer(params.id).filter(({ task_id }) => cachedRow(tasks, task_id)),
      query,
    )
  })
  route(app, 'taskRun', taskRunEndpoints.taskRun, ({ params, person }) => {
    const run = runs.get(params.id)
    if (!run || !cachedRow(tasks, run.task_id)) throw new ApiError(`run id ${params.id} does not exist`)
    if (!isOutputVisible(run, person)) throw new ApiError('permission denied')
    const { truncated, output_deleted } = run
    return { ...toWire(run), output: runs.output(run), ...withoutEmpty({ truncated, output_deleted }) }
  })
}

const urgency = ['failed', 'lost', 'offline', 'running', 'succeeded']

/** The latest execution first, in it what failed. */
const byUrgency = (one: TaskRun, other: TaskRun) =>
  other.execution_id - one.execution_id ||
  urgency.indexOf(one.state) - urgency.indexOf(other.state) ||
  one.server_id - other.server_id
