import { monitorTypes, serviceCover } from '../../src/schemas/service.ts'
import type { Behaviour } from '../api/entityHooks.ts'
import { checkNotifierGroup, checkServers, checkTasks, idsIn } from '../api/references.ts'
import type { Form } from '../entities/row.ts'
import { ApiError } from '../wire/apiError.ts'

/** Seconds between two checks where a form names none. */
const defaultInterval = 30

interface ServiceForm extends Form {
  type: number
  target: string
  duration: number
  cover: number
  skip_servers: Record<string, boolean> | null
  notification_group_id: number
  fail_trigger_tasks: number[] | null
  recover_trigger_tasks: number[] | null
}

/**
 * What servers ask for at intervals (docs/contract/CONTRACT.md#511-services). The interval may be shorter than the
 * console lets people type.
 */
export const service: Behaviour = {
  missing: (id) => `service id ${id} does not exist`,
  check(given, context) {
    const form = given as ServiceForm
    if (!(form.type in monitorTypes)) {
      throw new ApiError(
        `invalid service monitor type ${form.type}: allowed types are 1 (HTTP GET), 2 (ICMP ping), and 3 (TCP ping)`,
      )
    }
    if (!(form.cover in serviceCover)) throw new ApiError('permission denied')
    checkServers(idsIn(form.skip_servers), form.cover === 0, context)
    checkNotifierGroup(form.notification_group_id, context)
    checkTasks(form.fail_trigger_tasks, context)
    checkTasks(form.recover_trigger_tasks, context)
    return { ...form, target: form.target.trim(), duration: form.duration || defaultInterval }
  },
}
