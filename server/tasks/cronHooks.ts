import { CronError } from '../../src/schemas/cron/cronError.ts'
import { parseCron } from '../../src/schemas/cron/cronExpression.ts'
import { coverAlarmed, taskCover } from '../../src/schemas/cron.ts'
import { zeroTime } from '../../src/schemas/define/wireNames.ts'
import type { Behaviour } from '../api/entityHooks.ts'
import { checkNotifierGroup, checkServers } from '../api/references.ts'
import type { Form } from '../entities/row.ts'
import { ApiError } from '../wire/apiError.ts'
import { taskNotFound } from './tasks.ts'

interface CronForm extends Form {
  task_type: number
  scheduler: string
  cover: number
  servers: number[] | null
  notification_group_id: number
}

/**
 * What saving a task means (docs/contract/CONTRACT.md#58-tasks-cron). Any type but 0 is a task that waits for a
 * trigger.
 */
export const cron: Behaviour = {
  missing: taskNotFound,
  check(given, context) {
    const form = given as CronForm
    if (!(form.cover in taskCover)) throw new ApiError('permission denied')
    checkServers(form.servers ?? [], form.cover === 1, context)
    checkNotifierGroup(form.notification_group_id, context)
    if (form.task_type === 0) checkSchedule(form)
    return form
  },
  present: (wire, row) => ({
    ...wire,
    last_executed_at: wire.last_executed_at || zeroTime,
    // The schedule knows a task by its own id.
    ...(row.task_type === 0 && { cron_job_id: row.id }),
  }),
}

function checkSchedule({ cover, scheduler }: CronForm): void {
  if (cover === coverAlarmed) throw new ApiError('scheduled tasks cannot be triggered by alarms')
  try {
    parseCron(scheduler)
  } catch (error) {
    throw error instanceof CronError ? new ApiError(error.message) : error
  }
}
