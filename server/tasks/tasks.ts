import { coverAlarmed, cron } from '../../src/schemas/cron.ts'
import { roles } from '../../src/schemas/define/access.ts'
import type { Store } from '../db/store.ts'
import { entityTable, type ServerRow, type TaskRow } from '../entities/entityTable.ts'
import type { Log } from '../log.ts'
import type { Machines } from '../machines/machines.ts'
import type { Notifications } from '../notifications/notifications.ts'
import { may, mayAct, type Person } from '../person.ts'
import { ApiError } from '../wire/apiCall.ts'
import { createSchedule } from './schedule.ts'
import { createTaskStart, type StartedTask, serversOfTask } from './startTask.ts'
import type { TaskRun, TaskRunCause } from './taskRun.ts'
import { openTaskRuns, type TaskRuns } from './taskRuns.ts'

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
  trigger(ids: readonly number[], server: ServerRow | undefined, ownerId?: number): void
  /** Calls `listener` with each run that has ended, also on a server that was offline. */
  onRunEnd(listener: (run: TaskRun, task: TaskRow) => void): void
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
  const schedule = createSchedule(zone)
  const runs = openTaskRuns(store, { onFailure: (error) => log.error('Runs of tasks could not be saved:', error), now })
  const running = new Map<Promise<void>, { task: TaskRow; abort: AbortController }>()
  /** Keys of triggered runs that have not ended: task id and, if the task only runs there, server id. */
  const triggeredRuns = new Set<string>()
  const shutdown = new AbortController()
  const endListeners = new Set<(run: TaskRun, task: TaskRow) => void>()
  let lastRows: readonly TaskRow[] | undefined
  let timer: NodeJS.Timeout | undefined

  const startTask = createTaskStart({
    store,
    machines,
    roleOf,
    notifications,
    publicUrl,
    now,
    runs,
    shutdown: shutdown.signal,
    onRunEnd(run, task) {
      for (const listener of endListeners) listener(run, task)
    },
  })
  const isAdmin = (id: number) => roleOf(id) === roles.admin
  const runsOf = (isOne: (task: TaskRow) => boolean) => [...running.values()].filter(({ task }) => isOne(task)).length

  /** Whether as many runs of a member's tasks are under way as may be. */
  const isMemberBusy = ({ user_id }: TaskRow) =>
    running.size >= maxRuns.ofMember &&
    !isAdmin(user_id) &&
    runsOf((task) => task.user_id === user_id) >= maxRuns.ofMember

  /** @throws ApiError */
  function checkRuns(task: TaskRow): void {
    const most = runsOf((one) => one.id === task.id) >= maxRuns.ofTask ? maxRuns.ofTask : undefined
    if (most) throw new ApiError(`this task is running ${most} times already: wait until a run has ended`)
    if (isMemberBusy(task)) {
      throw new ApiError(`${maxRuns.ofMember} runs of this member's tasks have not ended yet: wait until some have`)
    }
  }

  function run(
    task: TaskRow,
    { cause, alertServer, onEnd }: { cause: TaskRunCause; alertServer?: ServerRow; onEnd?: () => void },
  ): StartedTask {
    const abort = new AbortController()
    const { reply, finished } = startTask(task, cause, alertServer, AbortSignal.any([shutdown.signal, abort.signal]))
    const ended = finished
      .catch((error: unknown) => log.error(`The result of the task ${task.id} could not be saved:`, error))
      .finally(() => {
        running.delete(ended)
        onEnd?.()
      })
    running.set(ended, { task, abort })
    return reply
  }

  /** @throws ApiError when it does not exist, or the person may not run it */
  function taskFor(id: number, person: Person | undefined): TaskRow {
    const task = tasks.get(id)
    if (!task) throw new ApiError(taskNotFound(id))
    if (!may(person, 'act', task, serversOfTask(task))) throw new ApiError('permission denied')
    return task
  }

  function tick(): void {
    const rows = tasks.all()
    if (rows !== lastRows) {
      lastRows = rows
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
        try {
          tick()
        } catch (error) {
          log.error('Tasks could not be started by their schedule:', error)
        }
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
      const task = taskFor(id, person)
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

function scheduledTasks(rows: readonly TaskRow[]) {
  return rows.filter(({ task_type }) => task_type === 0).map(({ id, scheduler }) => ({ id, scheduler }))
}
