import { consolePath } from '../../src/schemas/consolePath.ts'
import type { Row } from '../entities/row.ts'
import type { RunResult } from '../machines/hosts/host.ts'
import type { OutgoingNotification } from '../notifications/notifications.ts'
import type { TaskRun } from './taskRun.ts'

/** Enough output to see an error, and short enough for every messenger. */
const maxOutputCharacters = 1000

/** With more servers offline, there is one notification for all: each notifier would drop the rest of hundreds. */
const maxOfflineNotifications = 5

/** A run of a task and its server. */
export interface ServerRun {
  server: Row
  run: Pick<TaskRun, 'id'>
}

export interface TaskNotifications {
  /**
   * The notifications that servers were offline and could not run a task
   * (docs/contract/CONTRACT.md#9-placeholders-notes-install-commands).
   */
  offline(task: Row, runs: readonly ServerRun[]): OutgoingNotification[]
  /** The notification about the result of a run; `undefined` for a success without `push_successful`. */
  result(task: Row, run: ServerRun, result: RunResult): OutgoingNotification | undefined
}

/** @param publicUrl the address people use: each notification ends with that of its run. Without it, there is no link. */
export function createTaskNotifications(publicUrl: URL | undefined): TaskNotifications {
  /** On a line of its own, below everything else: messengers make a link of it. */
  const linkLine = ({ id }: Row, run: Pick<TaskRun, 'id'>) =>
    publicUrl ? `\n${publicUrl.origin}${consolePath}/cron/${id}/runs?run=${run.id}` : ''

  function runNotification(task: Row, { server, run }: ServerRun, outcome: string, text: string): OutgoingNotification {
    return {
      groupId: task.notification_group_id as number,
      message: `[Task ${outcome}] ${task.name}: server ${server.name}${text}${linkLine(task, run)}`,
      serverId: server.id,
    }
  }

  return {
    offline(task, runs) {
      const [first] = runs
      if (!first || runs.length <= maxOfflineNotifications) {
        return runs.map((one) => runNotification(task, one, 'failed', ' is offline and cannot execute the task'))
      }
      const names = runs.slice(0, maxOfflineNotifications).map(({ server }) => server.name)
      const more = runs.length - names.length
      const text = `${runs.length} servers are offline and cannot execute the task: ${names.join(', ')} and ${more} more`
      const message = `[Task failed] ${task.name}: ${text}${linkLine(task, first.run)}`
      return [{ groupId: task.notification_group_id as number, message }]
    },
    result(task, run, result) {
      if (result.ended === 'aborted') return undefined
      const excerpt = keepEnd(result.output.trim())
      const outputLines = excerpt && `\n${excerpt}`
      const reason = failureReason(result)
      if (!reason) return task.push_successful ? runNotification(task, run, 'succeeded', outputLines) : undefined
      return runNotification(task, run, 'failed', `: the command ${reason}${outputLines}`)
    },
  }
}

/** Why a run failed, to follow "the command"; `undefined` after a success. */
export function failureReason({ exitCode, ended }: RunResult): string | undefined {
  switch (ended) {
    case 'timeout':
      return 'took too long'
    case 'failed':
      return 'could not start'
    case 'lost':
      return 'gave no result'
    case 'aborted':
      return 'was ended by the console'
    case 'exited':
      return exitCode === 0 ? undefined : exitCode === null ? 'was killed' : `ended with ${exitCode}`
  }
}

/** The end of the output says most about why a command failed. */
function keepEnd(text: string): string {
  const characters = [...text]
  return characters.length <= maxOutputCharacters ? text : `…${characters.slice(-maxOutputCharacters).join('')}`
}
