import type { Row } from '../entities/row.ts'
import type { RunResult } from '../machines/hosts/host.ts'
import type { Notice } from '../notifications/notifications.ts'

/** Characters of what a command printed: enough to see what went wrong, and fit for every messenger. */
const mostOutput = 1000

/**
 * The notice that a server was not there to run a task
 * (docs/contract/CONTRACT.md#9-placeholders-notes-install-commands).
 */
export const offlineNotice = (task: Row, server: Row): Notice =>
  about(task, server, 'failed', ' is offline and cannot execute the task')

/** The notice of how a run went; none where nobody asked to be told. */
export function resultNotice(task: Row, server: Row, { exitCode, ended, output }: RunResult): Notice | undefined {
  if (ended === 'aborted') return undefined
  const printed = cut(output.trim())
  const below = printed && `\n${printed}`
  if (exitCode === 0) return task.push_successful ? about(task, server, 'succeeded', below) : undefined
  const why = ended === 'timeout' ? 'took too long' : ended === 'failed' ? 'could not start' : `ended with ${exitCode}`
  return about(task, server, 'failed', `: the command ${why}${below}`)
}

function about(task: Row, server: Row, how: string, what: string): Notice {
  return {
    groupId: task.notification_group_id as number,
    message: `[Task ${how}] ${task.name}: server ${server.name}${what}`,
    serverId: server.id,
  }
}

/** The end says more than the beginning about why a command failed. */
function cut(text: string): string {
  const characters = [...text]
  return characters.length <= mostOutput ? text : `…${characters.slice(-mostOutput).join('')}`
}
