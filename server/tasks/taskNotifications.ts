import type { Row } from '../entities/row.ts'
import type { RunResult } from '../machines/hosts/host.ts'
import type { OutgoingNotification } from '../notifications/notifications.ts'

/** Enough output to see an error, and short enough for every messenger. */
const maxOutputCharacters = 1000

/**
 * The notification that a server was offline and could not run a task
 * (docs/contract/CONTRACT.md#9-placeholders-notes-install-commands).
 */
export const offlineNotification = (task: Row, server: Row): OutgoingNotification =>
  taskNotification(task, server, 'failed', ' is offline and cannot execute the task')

/** The notification about the result of a run; `undefined` for a success without `push_successful`. */
export function resultNotification(
  task: Row,
  server: Row,
  { exitCode, ended, output }: RunResult,
): OutgoingNotification | undefined {
  if (ended === 'aborted') return undefined
  const excerpt = keepEnd(output.trim())
  const outputLines = excerpt && `\n${excerpt}`
  if (exitCode === 0) return task.push_successful ? taskNotification(task, server, 'succeeded', outputLines) : undefined
  const reason =
    ended === 'timeout' ? 'took too long' : ended === 'failed' ? 'could not start' : `ended with ${exitCode}`
  return taskNotification(task, server, 'failed', `: the command ${reason}${outputLines}`)
}

function taskNotification(task: Row, server: Row, result: string, text: string): OutgoingNotification {
  return {
    groupId: task.notification_group_id as number,
    message: `[Task ${result}] ${task.name}: server ${server.name}${text}`,
    serverId: server.id,
  }
}

/** The end of the output says most about why a command failed. */
function keepEnd(text: string): string {
  const characters = [...text]
  return characters.length <= maxOutputCharacters ? text : `…${characters.slice(-maxOutputCharacters).join('')}`
}
