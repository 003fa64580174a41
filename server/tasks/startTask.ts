import { isolate } from '../../i18n/isolate.ts'
import { coverAlarmed, cron } from '../../src/schemas/cron.ts'
import { roles } from '../../src/schemas/define/access.ts'
import type { ReplyDataOf } from '../../src/schemas/define/endpoint.ts'
import type { endpoints } from '../../src/schemas/endpoints/index.ts'
import { server } from '../../src/schemas/server.ts'
import type { Store } from '../db/store.ts'
import { entityTable, type ServerRow, type TaskRow } from '../entities/entityTable.ts'
import type { Host, RunOptions, RunResult } from '../machines/hosts/host.ts'
import type { Machines } from '../machines/machines.ts'
import type { Notifications, OutgoingNotification } from '../notifications/notifications.ts'
import { untilDurable } from '../outbound/untilDurable.ts'
import { mayAct, type ReachedServers } from '../person.ts'
import { consoleLink, type MessageKey, type Messages, messagesOf } from '../site/messages.ts'
import { timestamp } from '../wire/apiCall.ts'
import { outputBytesOfEach, type TaskRun, type TaskRunCause, type TaskRunEnd } from './taskRun.ts'
import type { TaskRuns } from './taskRuns.ts'

/** Milliseconds; a command that takes longer is killed. */
const timeoutMs = 3_600_000

export type StartedTask = NonNullable<ReplyDataOf<typeof endpoints.runCron>>

interface TaskStartServices {
  store: Store
  machines: Machines
  /** A user's role; `undefined` when the user no longer exists. */
  roleOf: (id: number) => number | undefined
  /** Used for every failed run. */
  notifications?: Pick<Notifications, 'send'>
  /** The address people use, for links in notifications. */
  publicUrl?: URL
  /** Milliseconds since 1970. */
  now: () => number
  runs: TaskRuns
  /** Aborted when this server stops. */
  shutdown: AbortSignal
  /** Called with each run that has ended, also on a server that was offline. */
  onRunEnd: (run: TaskRun, task: TaskRow) => void
}

/** Starts tasks on their servers, and records and reports how they end. */
export function createTaskStart(services: TaskStartServices) {
  const { store, machines, roleOf, notifications, publicUrl, now, runs, shutdown, onRunEnd } = services
  const tasks = entityTable(store, cron)
  const servers = entityTable(store, server)
  const taskNotifications = createTaskNotifications(messagesOf(store), publicUrl)

  /** The servers that a task runs on, among those that its owner may use. */
  function serversOf(task: TaskRow, alertServer: ServerRow | undefined): ServerRow[] {
    const isOwnerAdmin = roleOf(task.user_id) === roles.admin
    return servers
      .all()
      .filter((row) => (isOwnerAdmin || row.user_id === task.user_id) && covers(task, row.id, alertServer))
  }

  /** An alert may trigger a task at every check, so these notifications are repeated with growing pauses. */
  function notify(
    notification: OutgoingNotification,
    task: TaskRow,
    alertServer: ServerRow | undefined,
    isSuccess = false,
  ): void {
    // That it has failed does not come after that it has succeeded since.
    const subject = `task ${task.id} on ${notification.serverId}`
    const repeatKey = alertServer && `${subject} ${isSuccess ? 'succeeded' : 'failed'}`
    notifications?.send({ ...notification, subject, repeatKey })
  }

  /** @returns whether it succeeded */
  async function runOn(
    host: Host,
    task: TaskRow,
    row: ServerRow,
    run: TaskRun,
    { alertServer, ...options }: Omit<RunOptions, 'timeoutMs'> & { alertServer: ServerRow | undefined },
  ): Promise<boolean> {
    const onStart = (readOutput: () => string) => runs.setLiveOutput(run, readOutput)
    const wait = untilDurable(store, shutdown)
    // What the stop of this server ends is not run below.
    if (wait) await wait.catch(() => {})
    const result = await host.run(task.command, { ...options, timeoutMs, onStart })
    // A run that the stop of this server ends has no result: the next start marks it as lost.
    if (!shutdown.aborted) {
      runs.end(run, endOfRun(result), now())
      onRunEnd(run, task)
    }
    const isSuccess = result.ended === 'exited' && result.exitCode === 0
    const notification = taskNotifications.result(task, { server: row, run }, result)
    if (notification) notify(notification, task, alertServer, isSuccess)
    return isSuccess
  }

  /** Starts a task on its servers. @returns what it was started on, and its end, which rejects when it cannot be saved */
  function startTask(task: TaskRow, cause: TaskRunCause, alertServer: ServerRow | undefined, signal: AbortSignal) {
    const covered = mayAct(task.user_id, roleOf) ? serversOf(task, alertServer) : []
    const targets = covered.map((row) => ({ row, host: machines.connected(row) }))
    const begun = runs.begin(
      { task_id: task.id, owner_id: task.user_id, cause, started_at: now() },
      targets.map(({ row, host }) => ({ id: row.id, name: row.name, isOffline: !host })),
    )
    const options = { alertServer, signal, maxOutputBytes: outputBytesOfEach(targets.length) }
    const started = targets.flatMap(({ row, host }, index) =>
      host ? [runOn(host, task, row, begun[index] as TaskRun, options)] : [],
    )
    const offline = targets.flatMap(({ row, host }, index) =>
      host ? [] : [{ server: row, run: begun[index] as TaskRun }],
    )
    for (const notification of taskNotifications.offline(task, offline)) notify(notification, task, alertServer)
    for (const { run } of offline) onRunEnd(run, task)

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

  return startTask
}

/** How a run ended, as it is stored. */
function endOfRun(result: RunResult): TaskRunEnd {
  const rest = { output: result.output.trimEnd(), truncated: result.truncated, reason: null, exit_code: null }
  switch (result.ended) {
    case 'lost':
      return { ...rest, state: 'lost' }
    case 'aborted':
      return { ...rest, state: 'failed', reason: 'killed' }
    case 'timeout':
      return { ...rest, state: 'failed', reason: 'timeout' }
    case 'failed':
      return { ...rest, state: 'failed', reason: 'not_started' }
    case 'exited':
      if (result.exitCode === 0) return { ...rest, state: 'succeeded' }
      if (result.exitCode === null) return { ...rest, state: 'failed', reason: 'killed' }
      return { ...rest, state: 'failed', reason: 'exit_code', exit_code: result.exitCode }
  }
}

/** Enough output to see an error, and short enough for every messenger. */
const maxOutputCharacters = 1000

/** With more servers offline, there is one notification for all: each notifier would drop the rest of hundreds. */
const maxOfflineNotifications = 5

/** A run of a task and its server. */
export interface ServerRun {
  server: ServerRow
  run: Pick<TaskRun, 'id'>
}

export interface TaskNotifications {
  /**
   * The notifications that servers were offline and could not run a task
   * (docs/contract/CONTRACT.md#9-placeholders-notes-install-commands).
   */
  offline(task: TaskRow, runs: readonly ServerRun[]): OutgoingNotification[]
  /** The notification about the result of a run; `undefined` for a success without `push_successful`. */
  result(task: TaskRow, run: ServerRun, result: RunResult): OutgoingNotification | undefined
}

/** @param publicUrl the address people use: each notification ends with that of its run. Without it, there is no link. */
function createTaskNotifications(messages: Messages, publicUrl: URL | undefined): TaskNotifications {
  /** On a line of its own, below everything else: messengers make a link of it. */
  const linkLine = ({ id }: TaskRow, run: Pick<TaskRun, 'id'>) =>
    publicUrl ? `\n${consoleLink(publicUrl, `cron/${id}/runs?run=${run.id}`)}` : ''

  function runNotification(
    task: TaskRow,
    { server, run }: ServerRun,
    { key, reason = '', output = '' }: { key: TaskMessage; reason?: string; output?: string },
  ): OutgoingNotification {
    const text = messages(key, { task: String(task.name), server: String(server.name), reason })
    return {
      groupId: task.notification_group_id,
      ownerId: task.user_id,
      message: `${text}${output && `\n${output}`}${linkLine(task, run)}`,
      serverId: server.id,
      keepsEnd: true,
    }
  }

  return {
    offline(task, runs) {
      const [first] = runs
      if (!first || runs.length <= maxOfflineNotifications) {
        return runs.map((one) => runNotification(task, one, { key: 'task_offline' }))
      }
      const names = runs.slice(0, maxOfflineNotifications).map(({ server }) => isolate(server.name))
      const text = messages('task_many_offline', {
        task: String(task.name),
        servers: names.join(', '),
        count: runs.length,
        more: runs.length - names.length,
      })
      return [{ groupId: task.notification_group_id, ownerId: task.user_id, message: text + linkLine(task, first.run) }]
    },
    result(task, run, result) {
      if (result.ended === 'aborted') return undefined
      const output = keepEnd(result.output.trim())
      const failure = failureOf(result)
      if (!failure)
        return task.push_successful ? runNotification(task, run, { key: 'task_succeeded', output }) : undefined
      const reason = messages(failure, { code: result.exitCode ?? '' })
      return runNotification(task, run, { key: 'task_failed', reason, output })
    },
  }
}

type TaskMessage = 'task_succeeded' | 'task_failed' | 'task_offline'

/** The message that says why a run failed; `undefined` after a success, and for one that this server has ended itself. */
function failureOf({ exitCode, ended }: RunResult): MessageKey | undefined {
  switch (ended) {
    case 'timeout':
      return 'task_took_too_long'
    case 'failed':
      return 'task_not_started'
    case 'lost':
      return 'task_without_result'
    case 'aborted':
      return undefined
    case 'exited':
      return exitCode === 0 ? undefined : exitCode === null ? 'task_was_killed' : 'task_ended_with'
  }
}

/** The end of the output says most about why a command failed. */
function keepEnd(text: string): string {
  const characters = [...text]
  return characters.length <= maxOutputCharacters ? text : `…${characters.slice(-maxOutputCharacters).join('')}`
}

/** The servers that a task names; a task for all with exceptions, or for servers with alarms, may reach any. */
export const serversOfTask = ({ cover, servers }: Pick<TaskRow, 'cover' | 'servers'>): ReachedServers =>
  cover === 0 ? (servers ?? []) : 'all'

/** Whether a task runs on a server. @param alertServer the server of the alert that has triggered it */
function covers({ cover, servers }: TaskRow, id: number, alertServer: ServerRow | undefined): boolean {
  if (cover === coverAlarmed) return id === alertServer?.id
  const isListed = servers?.includes(id) ?? false
  return cover === 0 ? isListed : !isListed
}
