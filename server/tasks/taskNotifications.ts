import type { Row } from '../entities/row.ts'
import type { RunResult } from '../machines/hosts/host.ts'
import type { OutgoingNotification } from '../notifications/notifications.ts'

/** Enough output to see an error, and short enough for every messenger. */
const maxOutputCharacters = 1000

/** With more servers offline, there is one notification for all: each notifier would drop the rest of hundreds. */
const maxOfflineNotifications = 5

/**
 * The notifications that servers were offline and could not run a task
 * (docs/contract/CONTRACT.md#9-placeholders-notes-install-commands).
 */
export function offlineNotifications(task: Row, servers: readonly Row[]): OutgoingNotification[] {
  if (servers.length <= maxOfflineNotifications) {
    return servers.map((server) => taskNotification(task, server, 'failed', ' is offline and cannot execute the task'))
  }
  const names = servers.slice(0, maxOfflineNotifications).map(({ name }) => name)
  const more = servers.length - names.length
  const text = `${servers.length} servers are offline and cannot execute the task: ${names.join(', ')} and ${more} more`
  return [{ groupId: task.notification_group_id as number, message: `[Task failed] ${task.name}: ${text}` }]
}

/** The notification about the result of a run; `undefined` for a success without `push_successful`. */
export function resultNotification(task: Row, server: Row, result: RunResult): OutgoingNotification | undefined {
  if (result.ended === 'aborted') return undefined
  const excerpt = keepEnd(result.output.trim())
  const outputLines = excerpt && `\n${excerpt}`
  const reason = failureReason(result)
  if (!reason) return task.push_successful ? taskNotification(task, server, 'succeeded', outputLines) : undefined
  return taskNotification(task, server, 'failed', `: the command ${reason}${outputLines}`)
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
