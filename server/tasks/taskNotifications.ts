import { isolate } from '../../i18n/isolate.ts'
import type { ServerRow, TaskRow } from '../entities/row.ts'
import type { RunResult } from '../machines/hosts/host.ts'
import type { OutgoingNotification } from '../notifications/notifications.ts'
import { consoleLink } from '../site/consoleLink.ts'
import type { MessageKey, Messages } from '../site/messages.ts'
import type { TaskRun } from './taskRun.ts'

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
export function createTaskNotifications(messages: Messages, publicUrl: URL | undefined): TaskNotifications {
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
