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
import { owns, type Person } from '../person.ts'
import { ApiError } from '../wire/apiError.ts'
import { timestamp } from '../wire/timestamp.ts'
import { createSchedule } from './schedule.ts'
import { offlineNotification, resultNotification } from './taskNotifications.ts'

/** A command is killed after an hour. Output is only for the notification, so little of it is kept. */
const runLimits = { timeoutMs: 3_600_000, maxOutputBytes: 64 * 1024 } satisfies RunOptions

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
  /** Runs a task now, in the background. @throws ApiError when it does not exist or belongs to somebody else */
  runNow(id: number, person: Person | undefined): void
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
  const running = new Map<Promise<void>, number>()
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

  async function runOn(host: Host, task: Row, row: Row, alertServer: Row | undefined): Promise<boolean> {
    const result = await host.run(task.command as string, { ...runLimits, signal: shutdown.signal })
    const notification = resultNotification(task, row, result)
    const isSuccess = result.exitCode === 0
    if (notification) notify(notification, task, alertServer, isSuccess)
    return isSuccess
  }

  async function perform(task: Row, alertServer: Row | undefined): Promise<void> {
    const runs: Promise<boolean>[] = []
    for (const row of serversOf(task, alertServer)) {
      const host = machines.connected(row)
      if (host) runs.push(runOn(host, task, row, alertServer))
      else notify(offlineNotification(task, row), task, alertServer)
    }
    if (runs.length === 0) return
    const results = await Promise.all(runs)
    if (shutdown.signal.aborted) return
    const at = timestamp(now())
    const last_result = results.every((isSuccess) => isSuccess)
    tasks.update(task.id, { last_executed_at: at, last_result, updated_at: at })
  }

  function run(task: Row, alertServer?: Row, onEnd = () => {}): void {
    const run = perform(task, alertServer)
      .catch((error: unknown) => log.error(`The task ${task.id} could not be run:`, error))
      .finally(() => {
        running.delete(run)
        onEnd()
      })
    running.set(run, task.id)
  }

  function tick(): void {
    const version = tasks.version()
    if (version !== lastVersion) {
      lastVersion = version
      schedule.setTasks(scheduledTasks(cachedRows(tasks)), now())
    }
    const busy = new Set(running.values())
    for (const id of schedule.due(now())) {
      const task = tasks.get(id)
      // Skipped while the previous run has not ended.
      if (task && !busy.has(id)) run(task)
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
    },
    runNow(id, person) {
      const task = tasks.get(id)
      if (!task) throw new ApiError(taskNotFound(id))
      if (!owns(person, task)) throw new ApiError('permission denied')
      run(task)
    },
    trigger(ids, server, ownerId) {
      for (const id of new Set(ids)) {
        const task = tasks.get(id)
        // An id in a rule may belong to a newer task of somebody else.
        if (!task || (ownerId !== undefined && !isAdmin(ownerId) && ownerId !== task.user_id)) continue
        const key = task.cover === coverAlarmed ? `${id} on ${server?.id}` : `${id}`
        if (triggeredRuns.has(key)) continue
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
