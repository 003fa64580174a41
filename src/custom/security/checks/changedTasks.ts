import { type Check, findingAbout, links, nameOf, type TaskFacts } from './check.ts'

const weekMs = 7 * 86_400_000
/** A run sets `updated_at` too: an update this close to the last run is no change. */
const runMs = 120_000

/** The last change of a task by its timestamps; a change before the last run does not show in them. */
function changedAt({ created_at = '', updated_at = '', last_executed_at = '' }: TaskFacts): number {
  const [created, updated, run] = [created_at, updated_at, last_executed_at].map((time) => Date.parse(time) || 0)
  const isRun = Math.abs((updated as number) - (run as number)) < runMs
  return Math.max(created as number, isRun ? 0 : (updated as number))
}

/** The audit log has more than the timestamps, but is rotated: so both are used. */
export const changedTasks: Check = {
  name: 'changed_tasks',
  severity: 'info',
  link: links.tasks,
  find({ tasks, server, now }) {
    const recorded = new Map(server?.changed_tasks.map((change) => [change.id, change]))
    const subjects = tasks.flatMap((task) => {
      const record = recorded.get(task.id)
      const at = record ? Date.parse(record.at) : changedAt(task)
      if (now - at > weekMs) return []
      return [{ label: nameOf(task), to: `cron/${task.id}`, at, username: record?.username }]
    })
    const noteKey = server && !server.complete ? 'app.security.log_too_long' : undefined
    return findingAbout(subjects, noteKey)
  },
}
