import { coverAlarmed, cron } from '../../src/schemas/cron.ts'
import { roles } from '../../src/schemas/define/access.ts'
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
import { createSchedule } from './schedule.ts'
import { failureReason, offlineNotifications, resultNotification } from './taskNotifications.ts'
import { openTaskResults, resultOf, type TaskResult } from './taskResults.ts'

/** A command is killed after an hour. Output is only for the notification, so little of it is kept. */
const runLimits = { timeoutMs: 3_600_000, maxOutputBytes: 64 * 1024 } satisfies RunOptions

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
  notifications?: Notifications
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
  runNow(id: number, person: Person | undefined): void
  /**
   * What the last run of a task did on each server, failed ones first and limited in number.
   * @throws ApiError when it does not exist or belongs to somebody else
   */
  results(id: number, person: Person | undefined): { total: number; results: TaskResult[] }
  /**
   * Runs tasks in the background after a failure or recovery. Ignores unknown ids, and tasks whose last triggered run
   * has not ended.
   * @param server the server of the alert, for tasks that only run there
   * @param ownerId owner of the alert rule or service: only tasks that this user may run. Default: all tasks
   */
  trigger(ids: readonly number[], server: Row | undefined, ownerId?: number): void
  /** Starts the tasks that are due. The timer calls it every second. */
  tick(): void
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
  now = Date.now,
}: TaskServices): Tasks {
  const tasks = entityTable(store, cron)
  const servers = entityTable(store, server)
  const schedule = createSchedule(zone)
  const results = openTaskResults(store, (error) => log.error('Results of tasks could not be saved:', error))
  const running = new Map<Promise<void>, { task: Row; abort: AbortController }>()
  /** Keys of triggered runs that have not ended: task id and, if the task only runs there, server id. */
  const triggeredRuns = new Set<string>()
  const shutdown = new AbortController()
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

  /** @returns whether it succeeded */
  async function runOn(
    host: Host,
    task: Row,
    row: Row,
    { alertServer, signal }: { alertServer: Row | undefined; signal: AbortSignal },
  ): Promise<boolean> {
    setResult(task, row, { state: 'running' })
    const result = await host.run(task.command as string, { ...runLimits, signal })
    if (!shutdown.signal.aborted) setResult(task, row, resultOf(result))
    const isSuccess = failureReason(result) === undefined
    const notification = resultNotification(task, row, result)
    if (notification) notify(notification, task, alertServer, isSuccess)
    return isSuccess
  }

  function setResult(task: Row, row: Row, result: Omit<TaskResult, 'server_id' | 'at'>): void {
    results.set(task.id, { server_id: row.id, state: String(result.state), at: timestamp(now()), ...result })
  }

  async function perform(task: Row, alertServer: Row | undefined, signal: AbortSignal): Promise<void> {
    if (!mayAct(task.user_id, roleOf)) return
    const runs: Promise<boolean>[] = []
    const offline: Row[] = []
    if (task.cover !== coverAlarmed) results.begin(task.id)
    for (const row of serversOf(task, alertServer)) {
      const host = machines.connected(row)
      if (host) runs.push(runOn(host, task, row, { alertServer, signal }))
      else offline.push(row)
    }
    for (const row of offline) setResult(task, row, { state: 'offline' })
    for (const notification of offlineNotifications(task, offline)) notify(notification, task, alertServer)
    if (runs.length === 0) return
    const successes = await Promise.all(runs)
    if (signal.aborted) return
    const at = timestamp(now())
    const last_result = successes.every((isSuccess) => isSuccess)
    tasks.update(task.id, { last_executed_at: at, last_result, updated_at: at })
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

  function run(task: Row, alertServer?: Row, onEnd = () => {}): void {
    const abort = new AbortController()
    const run = perform(task, alertServer, AbortSignal.any([shutdown.signal, abort.signal]))
      .catch((error: unknown) => log.error(`The task ${task.id} could not be run:`, error))
      .finally(() => {
        running.delete(run)
        onEnd()
      })
    running.set(run, { task, abort })
  }

  /** @throws ApiError when it does not exist or belongs to somebody else */
  function ownTask(id: number, person: Person | undefined): Row {
    const task = tasks.get(id)
    if (!task) throw new ApiError(taskNotFound(id))
    if (!owns(person, task)) throw new ApiError('permission denied')
    return task
  }

  function tick(): void {
    const version = tasks.version()
    if (version !== lastVersion) {
      lastVersion = version
      const rows = cachedRows(tasks)
      schedule.setTasks(scheduledTasks(rows), now())
      const ids = new Set(rows.map(({ id }) => id))
      results.keepTasks((id) => ids.has(id))
    }
    for (const { task, abort } of running.values()) {
      // Moved to somebody else, it runs on.
      const { user_id } = tasks.get(task.id) ?? task
      if (!mayAct(user_id, roleOf)) abort.abort()
    }
    const busy = new Set([...running.values()].map(({ task }) => task.id))
    for (const id of schedule.due(now())) {
      const task = tasks.get(id)
      // Skipped while the previous run has not ended.
      if (task && !busy.has(id) && !isMemberBusy(task)) run(task)
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
    start() {
      tick()
      waitForNextSecond()
    },
    async stop() {
      clearTimeout(timer)
      shutdown.abort()
      await idle()
      results.flush()
    },
    runNow(id, person) {
      const task = ownTask(id, person)
      if (!mayAct(task.user_id, roleOf)) {
        throw new ApiError(`the owner of task id ${id} was deleted, so it does not run: make a new one`)
      }
      checkRuns(task)
      run(task)
    },
    results: (id, person) => results.of(ownTask(id, person).id),
    trigger(ids, server, ownerId) {
      for (const id of new Set(ids)) {
        const task = tasks.get(id)
        // An id in a rule may belong to a newer task of somebody else.
        if (!task || (ownerId !== undefined && !isAdmin(ownerId) && ownerId !== task.user_id)) continue
        const key = task.cover === coverAlarmed ? `${id} on ${server?.id}` : `${id}`
        if (triggeredRuns.has(key) || isMemberBusy(task)) continue
        triggeredRuns.add(key)
        run(task, server, () => triggeredRuns.delete(key))
      }
    },
  }
}

export const taskNotFound = (id: number) => `task id ${id} does not exist`

function covers({ cover, servers }: Row, id: number, alertServer: Row | undefined): boolean {
  if (cover === coverAlarmed) return id === alertServer?.id
  const isListed = ((servers as number[] | null) ?? []).includes(id)
  return cover === 0 ? isListed : !isListed
}

function scheduledTasks(rows: readonly Row[]) {
  return rows
    .filter(({ task_type }) => task_type === 0)
    .map(({ id, scheduler }) => ({ id, scheduler: scheduler as string }))
}
