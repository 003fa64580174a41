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
import type { Notice, Notices } from '../notifications/notifications.ts'
import { owns, type Person } from '../person.ts'
import { ApiError } from '../wire/apiError.ts'
import { timestamp } from '../wire/timestamp.ts'
import { createSchedule } from './schedule.ts'
import { offlineNotice, resultNotice } from './taskNotifications.ts'

/** A task that has not ended by then never will; output is only looked at, so little of it is kept. */
const limits = { timeoutMs: 3_600_000, maxOutputBytes: 64 * 1024 } satisfies RunOptions

export interface TaskServices {
  store: Store
  machines: Machines
  /** A user's role; `undefined` when there is no such user any more. */
  roleOf: (id: number) => number | undefined
  /** By whose clocks tasks run. */
  zone: string
  log: Pick<Log, 'error'>
  /** Told of every run that fails. */
  notices?: Notices
  /** Milliseconds since 1970. */
  now?: () => number
}

/** Runs tasks: on their schedule from `start()` on, and on demand. */
export interface Tasks {
  start(): void
  /** Kills what is running; resolves when all of it has ended. */
  stop(): Promise<void>
  /** Runs one now, in the background. @throws ApiError when there is none, or it is somebody else's */
  runNow(id: number, person: Person | undefined): void
  /**
   * Runs tasks in the background, because something failed or has recovered. Unknown ids are passed over, and so is
   * a run that has not ended since the last trigger.
   * @param server the machine that it is about: tasks may run on that one only
   * @param ownerId whose rule asks for it: only tasks run that this user may run. Default: every one
   */
  trigger(ids: readonly number[], server: Row | undefined, ownerId?: number): void
  /** Starts what is due. The timer does it every second. */
  tick(): void
  /** Resolves when nothing is running. */
  idle(): Promise<void>
}

export function createTasks({ store, machines, roleOf, zone, log, notices, now = Date.now }: TaskServices): Tasks {
  const tasks = entityTable(store, cron)
  const servers = entityTable(store, server)
  const schedule = createSchedule(zone)
  const running = new Map<Promise<void>, number>()
  /** Runs that were triggered, by task and, where it matters, server. */
  const triggered = new Set<string>()
  const ending = new AbortController()
  let seen: number | undefined
  let timer: NodeJS.Timeout | undefined

  const isAdmin = (id: number) => roleOf(id) === roles.admin

  /** The servers of a task. It touches only what its owner may touch. */
  function coveredBy(task: Row, alarmed: Row | undefined): Row[] {
    const isAdmins = isAdmin(task.user_id)
    return cachedRows(servers).filter(
      (row) => (isAdmins || row.user_id === task.user_id) && covers(task, row.id, alarmed),
    )
  }

  /** What an alert triggers may run again with every check: that is told with a growing pause. */
  function tell(notice: Notice, task: Row, alarmed: Row | undefined, isGood = false): void {
    const muteKey = alarmed && `task ${task.id} on ${notice.serverId} ${isGood ? 'succeeded' : 'failed'}`
    notices?.send({ ...notice, muteKey })
  }

  async function runOn(host: Host, task: Row, row: Row, alarmed: Row | undefined): Promise<boolean> {
    const result = await host.run(task.command as string, { ...limits, signal: ending.signal })
    const notice = resultNotice(task, row, result)
    const isGood = result.exitCode === 0
    if (notice) tell(notice, task, alarmed, isGood)
    return isGood
  }

  async function perform(task: Row, alarmed: Row | undefined): Promise<void> {
    const runs: Promise<boolean>[] = []
    for (const row of coveredBy(task, alarmed)) {
      const host = machines.connected(row)
      if (host) runs.push(runOn(host, task, row, alarmed))
      else tell(offlineNotice(task, row), task, alarmed)
    }
    if (runs.length === 0) return
    const results = await Promise.all(runs)
    if (ending.signal.aborted) return
    const at = timestamp(now())
    const last_result = results.every((isGood) => isGood)
    tasks.update(task.id, { last_executed_at: at, last_result, updated_at: at })
  }

  function run(task: Row, alarmed?: Row, onEnd = () => {}): void {
    const run = perform(task, alarmed)
      .catch((error: unknown) => log.error(`The task ${task.id} could not be run:`, error))
      .finally(() => {
        running.delete(run)
        onEnd()
      })
    running.set(run, task.id)
  }

  function tick(): void {
    const version = tasks.version()
    if (version !== seen) {
      seen = version
      schedule.keep(scheduledOnes(cachedRows(tasks)), now())
    }
    const busy = new Set(running.values())
    for (const id of schedule.due(now())) {
      const task = tasks.get(id)
      // A run that outlasts the time to the next one must not be joined by it, and by the next, without end.
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
      ending.abort()
      await idle()
    },
    runNow(id, person) {
      const task = tasks.get(id)
      if (!task) throw new ApiError(missingTask(id))
      if (!owns(person, task)) throw new ApiError('permission denied')
      run(task)
    },
    trigger(ids, server, ownerId) {
      for (const id of new Set(ids)) {
        const task = tasks.get(id)
        // A rule may name a task that came later, and is somebody else's.
        if (!task || (ownerId !== undefined && !isAdmin(ownerId) && ownerId !== task.user_id)) continue
        const key = task.cover === coverAlarmed ? `${id} on ${server?.id}` : `${id}`
        if (triggered.has(key)) continue
        triggered.add(key)
        run(task, server, () => triggered.delete(key))
      }
    },
  }
}

export const missingTask = (id: number) => `task id ${id} does not exist`

function covers({ cover, servers }: Row, id: number, alarmed: Row | undefined): boolean {
  if (cover === coverAlarmed) return id === alarmed?.id
  const isNamed = ((servers as number[] | null) ?? []).includes(id)
  return cover === 0 ? isNamed : !isNamed
}

function scheduledOnes(rows: readonly Row[]) {
  return rows
    .filter(({ task_type }) => task_type === 0)
    .map(({ id, scheduler }) => ({ id, scheduler: scheduler as string }))
}
