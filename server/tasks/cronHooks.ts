import { CronError, parseCron } from '../../src/domain/cron/cronExpression.ts'
import { coverAlarmed, type cron, taskCover } from '../../src/schemas/cron.ts'
import { zeroTime } from '../../src/schemas/define/wireNames.ts'
import type { EntityHooks } from '../api/entityHooks.ts'
import type { Form } from '../entities/entityTable.ts'
import { owns } from '../person.ts'
import { ApiError } from '../wire/apiCall.ts'
import { serversOfTask } from './startTask.ts'
import { taskNotFound } from './tasks.ts'

/**
 * What saving a task means (docs/contract/CONTRACT.md#58-tasks-cron). Any type but 0 is a task that waits for a
 * trigger.
 */
export const cronHooks: EntityHooks<typeof cron> = {
  validation: 'contract',
  notFoundError: taskNotFound,
  // Exceptions from all servers have to exist; servers that are chosen one by one do not.
  unknownReference: (field, _, { cover }) => (field === 'servers' && cover === 1 ? 'permission denied' : undefined),
  validate(form) {
    if (!(form.cover in taskCover)) throw new ApiError('permission denied')
    if (form.task_type === 0) checkSchedule(form)
    return form
  },
  serversOf: serversOfTask,
  rights: { see: 'act' },
  narrowed: (row, servers) => {
    // Servers that are named need not be there: one of somebody else may get the id later.
    if (row.cover === 0) return { servers: row.servers?.filter((id) => servers.has(id)) ?? [] }
    if (row.cover !== 1) return {}
    const exceptions = new Set(row.servers)
    return { cover: 0, servers: [...servers].filter((id) => !exceptions.has(id)) }
  },
  present: (wire, row, { person }) => ({
    ...wire,
    ...(!owns(person, row, serversOfTask(row)) && {
      read_only: true,
      rights: ['see', 'act'],
      notification_group_id: 0,
    }),
    last_executed_at: wire.last_executed_at || zeroTime,
    // The schedule knows a task by its own id.
    ...(row.task_type === 0 && { cron_job_id: row.id }),
  }),
}

function checkSchedule({ cover, scheduler }: Form<typeof cron>): void {
  if (cover === coverAlarmed) throw new ApiError('scheduled tasks cannot be triggered by alarms')
  try {
    parseCron(scheduler)
  } catch (error) {
    throw error instanceof CronError ? new ApiError(error.message) : error
  }
}
