import { coverAlarmed, cron } from '../../src/schemas/cron.ts'
import { roles } from '../../src/schemas/define/access.ts'
import type { ReplyDataOf } from '../../src/schemas/define/endpoint.ts'
import type { endpoints } from '../../src/schemas/endpoints/index.ts'
import { server } from '../../src/schemas/server.ts'
import { cachedRows } from '../db/cachedRows.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Row } from '../entities/row.ts'
import type { Log } from '../log.ts'
import type { Host, RunOptions } from '../machines/hosts/host.ts'
import type { Machines } from '../machines/machines.ts'
import type { Notifications, OutgoingNotification } from '../notifications/notifications.ts'
import { mayAct, owns, type Person } from '../person.ts'
import { ApiError } from '../wire/apiError.ts'
import { timestamp } from '../wire/timestamp.ts'
import { covers, serversOfTask } from './coveredServers.ts'
import { endOfRun } from './endOfRun.ts'
import { createSchedule } from './schedule.ts'
import { createTaskNotifications, failureReason } from './taskNotifications.ts'
import type { TaskRun, TaskRunCause } from './taskRun.ts'
import { outputBytesOfEach } from './taskRunLimits.ts'
import { openTaskRuns, type TaskRuns } from './taskRuns.ts'

/** Milliseconds; a command that takes longer is killed. */
const timeoutMs = 3_600_000

/** Runs that have not ended. More on demand are refused; those of members by schedule or alert are skipped. */
export const maxRuns = { ofTask: 10, ofMember: 1_000 } as const

export interface TaskServices {
  store: Store
  machines: Machines
  /** A user's role; `undefined` when the user no longer exists. */
  roleOf: (id: number) => number | undefined
  /** Time zone of cron expressions that do not name one. */
  zone: string
  log: Pick<Log, 'error'>
  /** Used for every failed run. */
  notifications?: Pick<Notifications, 'send'>
  /** The address people use, for links in notifications. */
  publicUrl?: URL
  /** Milliseconds since 1970. */
  now?: () => number
}

export type StartedTask = NonNullable<ReplyDataOf<typeof endpoints.runCron>>

/** Runs tasks by their schedule, on request and when an alert or service triggers them. */
export interface Tasks {
  start(): void
  /** Kills running commands; resolves when all have ended. */
  stop(): Promise<void>
  /**
   * Runs a task now, in the background.
   * @throws ApiError when it does not exist, belongs to somebody else, or runs too often at the same time
   */
  runNow(id: number, person: Person | undefined): StartedTask
  /** What tasks did on servers. */
  readonly runs: Pick<TaskRuns, 'get' | 'output' | 'ofTask' | 'ofServer'>
  /**
   * Runs tasks in the background after a failure or recovery. Ignores unknown ids, and tasks whose last triggered run
   * has not ended.
   * @param server the server of the alert, for tasks that only run there
   * @param ownerId owner of the alert rule or service: only tasks that this user may run. Default: all tasks
   */
  trigger(ids: readonly number[], server: Row | undefined, ownerId?: number): void
  /** Calls `listener` with each run that has ended, also on a server that was offline. */
  onRunEnd(listener: (run: TaskRun, task: Row) => void): void
  /** Starts the tasks that are due. The timer calls it every second. */
  tick(): void
  /** How many executions have not ended; one may run on many servers. */
  runningCount(): number
  /** Resolves when nothing is running. */
  idle(): Promise<void>
}

export function createTasks({
  store,
  machines,
  roleOf,
  zone,
  log,
  notifications,
  publicUrl,
  now = Date.now,
}: TaskServices): Tasks {
  const tasks = entityTable(store, cron)
  const servers = entityTable(store, server)
  const schedule = createSchedule(zone)
  const taskNotifications = createTaskNotifications(publicUrl)
  const runs = openTaskRuns(store, { onFailure: (error) => log.error('Runs of tasks could not be saved:', error), now })
  const running = new Map<Promise<void>, { task: Row; abort: AbortController }>()
  /** Keys of triggered runs that have not ended: task id and, if the task only runs there, server id. */
  const triggeredRuns = new Set<string>()
  const shutdown = new AbortController()
  const endListeners = new Set<(run: TaskRun, task: Row) => void>()
  let lastVersion: number | undefined
  let timer: NodeJS.Timeout | undefined

  const isAdmin = (id: number) => roleOf(id) === roles.admin

  /** The servers that a task runs on, among those that its owner may use. */
  function serversOf(task: Row, alertServer: Row | undefined): Row[] {
    const isOwnerAdmin = isAdmin(task.user_id)
    return cachedRows(servers).filter(
      (row) => (isOwnerAdmin || row.user_id === task.user_id) && covers(task, row.id, alertServer),
    )
  }

  /** An alert may trigger a task at every check, so these notifications are repeated with growing pauses. */
  function notify(
    notification: OutgoingNotification,
    task: Row,
    alertServer: Row | undefined,
    isSuccess = false,
  ): void {
    const repeatKey = alertServer && `task ${task.id} on ${notification.serverId} ${isSuccess ? 'succeeded' : 'failed'}`
    notifications?.send({ ...notification, repeatKey })
  }

  function notifyEndListeners(run: TaskRun, task: Row): void {
    for (const listener of endListeners) listener(run, task)
  }

  /** @returns whether it succeeded */
  async function runOn(
    host: Host,
    task: Row,
    row: Row,
    run: TaskRun,
    { alertServer, ...options }: Omit<RunOptions, 'timeoutMs'> & { alertServer: Row | undefined },
  ): Promise<boolean> {
    const onStart = (readOutput: () => string) => runs.setLiveOutput(run, readOutput)
    const result = await host.run(task.command as string, { ...options, timeoutMs, onStart })
    // A run that the stop of this server ends has no result: the next start marks it as lost.
    if (!shutdown.signal.aborted) {
      runs.end(run, endOfRun(result), now())
      notifyEndListeners(run, task)
    }
    const isSuccess = failureReason(result) === undefined
    const notification = taskNotifications.result(task, { server: row, run }, result)
    if (notification) notify(notification, task, alertServer, isSuccess)
    return isSuccess
  }

  /** Starts a task on its servers. @returns what it was started on, and its end, which rejects when it cannot be saved */
  function begin(task: Row, cause: TaskRunCause, alertServer: Row | undefined, signal: AbortSignal) {
    const covered = mayAct(task.user_id, roleOf) ? serversOf(task, alertServer) : []
    const targets = covered.map((row) => ({ row, host: machines.connected(row) }))
    const begun = runs.begin(
      { task_id: task.id, owner_id: task.user_id, cause, started_at: now() },
      targets.map(({ row, host }) => ({ id: row.id, name: row.name as string, isOffline: !host })),
    )
    const options = { alertServer, signal, maxOutputBytes: outputBytesOfEach(targets.length) }
    const started = targets.flatMap(({ row, host }, index) =>
      host ? [runOn(host, task, row, begun[index] as TaskRun, options)] : [],
    )
    const offline = targets.flatMap(({ row, host }, index) =>
      host ? [] : [{ server: row, run: begun[index] as TaskRun }],
    )
    for (const notification of taskNotifications.offline(task, offline)) notify(notification, task, alertServer)
    for (const { run } of offline) notifyEndListeners(run, task)

    async function finish(): Promise<void> {
      if (started.length === 0) return
      const successes = await Promise.all(started)
      if (signal.aborted) return
      const at = timestamp(now())
      const last_result = successes.every((isSuccess) => isSuccess)
      tasks.update(task.id, { last_executed_at: at, last_result, updated_at: at })
    }

    const reply: StartedTask = {
      ...(begun[0] && { execution_id: begun[0].execution_id }),
      started: started.length,
      offline: offline.length,
    }
    return { reply, finished: finish() }
  }

  const runsOf = (isOne: (task: Row) => boolean) => [...running.values()].filter(({ task }) => isOne(task)).length

  /** Whether as many runs of a member's tasks are under way as may be. */
  const isMemberBusy = ({ user_id }: Row) =>
    running.size >= maxRuns.ofMember &&
    !isAdmin(user_id) &&
    runsOf((task) => task.user_id === user_id) >= maxRuns.ofMember

  /** @throws ApiError */
  function checkRuns(task: Row): void {
    const most = runsOf((one) => one.id === task.id) >= maxRuns.ofTask ? maxRuns.ofTask : undefined
    if (most) throw new ApiError(`this task is running ${most} times already: wait until a run has ended`)
    if (isMemberBusy(task)) {
      throw new ApiError(`${maxRuns.ofMember} runs of this member's tasks have not ended yet: wait until some have`)
    }
  }

  function run(
    task: Row,
    { cause, alertServer, onEnd }: { cause: TaskRunCause; alertServer?: Row; onEnd?: () => void },
  ): StartedTask {
    const abort = new AbortController()
    const { reply, finished } = begin(task, cause, alertServer, AbortSignal.any([shutdown.signal, abort.signal]))
    const ended = finished
      .catch((error: unknown) => log.error(`The result of the task ${task.id} could not be saved:`, error))
      .finally(() => {
        running.delete(ended)
        onEnd?.()
      })
    running.set(ended, { task, abort })
    return reply
  }

  /** @throws ApiError when it does not exist or belongs to somebody else */
  function ownTask(id: number, person: Person | undefined): Row {
    const task = tasks.get(id)
    if (!task) throw new ApiError(taskNotFound(id))
    if (!owns(person, task, serversOfTask(task))) throw new ApiError('permission denied')
    return task
  }

  function tick(): void {
    const version = tasks.version()
    if (version !== lastVersion) {
      lastVersion = version
      const rows = cachedRows(tasks)
      schedule.setTasks(scheduledTasks(rows), now())
      const ids = new Set(rows.map(({ id }) => id))
      runs.keepTasks((id) => ids.has(id))
    }
    for (const { task, abort } of running.values()) {
      // A task that was moved to somebody else goes on.
      const { user_id } = tasks.get(task.id) ?? task
      if (!mayAct(user_id, roleOf)) abort.abort()
    }
    const busy = new Set([...running.values()].map(({ task }) => task.id))
    for (const id of schedule.due(now())) {
      const task = tasks.get(id)
      // Skipped while the previous run has not ended.
      if (task && !busy.has(id) && !isMemberBusy(task)) run(task, { cause: 'schedule' })
    }
  }

  function waitForNextSecond(): void {
    timer = setTimeout(
      () => {
        waitForNextSecond()
        tick()
      },
      1000 - (now() % 1000),
    )
  }

  const idle = async () => void (await Promise.all(running.keys()))

  return {
    tick,
    idle,
    runs,
    runningCount: () => running.size,
    onRunEnd: (listener) => void endListeners.add(listener),
    start() {
      tick()
      waitForNextSecond()
    },
    async stop() {
      clearTimeout(timer)
      shutdown.abort()
      await idle()
      runs.flush()
    },
    runNow(id, person) {
      const task = ownTask(id, person)
      if (!mayAct(task.user_id, roleOf)) {
        throw new ApiError(`the owner of task id ${id} was deleted, so it does not run: make a new one`)
      }
      checkRuns(task)
      return run(task, { cause: 'manual' })
    },
    trigger(ids, server, ownerId) {
      for (const id of new Set(ids)) {
        const task = tasks.get(id)
        // An id in a rule may belong to a newer task of somebody else.
        if (!task || (ownerId !== undefined && !isAdmin(ownerId) && ownerId !== task.user_id)) continue
        const key = task.cover === coverAlarmed ? `${id} on ${server?.id}` : `${id}`
        if (triggeredRuns.has(key) || isMemberBusy(task)) continue
        triggeredRuns.add(key)
        run(task, { cause: 'trigger', alertServer: server, onEnd: () => triggeredRuns.delete(key) })
      }
    },
  }
}

export const taskNotFound = (id: number) => `task id ${id} does not exist`

function scheduledTasks(rows: readonly Row[]) {
  return rows
    .filter(({ task_type }) => task_type === 0)
    .map(({ id, scheduler }) => ({ id, scheduler: scheduler as string }))
}
