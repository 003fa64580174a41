import { issueText } from '../../src/schemas/define/issueText.ts'
import { monitorTypes, type service, serviceCover, targetProblem } from '../../src/schemas/service.ts'
import type { EntityHooks } from '../api/entityHooks.ts'
import { ApiError } from '../wire/apiError.ts'
import { serversOfService } from './serviceRow.ts'

/** Seconds between two checks where a form names none. */
const defaultInterval = 30

/** The code of `http`. */
const pageType = 1

/**
 * What servers ask for at intervals (docs/contract/CONTRACT.md#511-services). The interval may be shorter than the
 * console lets people type.
 */
export const serviceHooks: EntityHooks<typeof service> = {
  validation: 'contract',
  serversOf: serversOfService,
  narrowed: (row, servers) => {
    if (row.cover !== 0) return {}
    const exceptions = row.skip_servers ?? {}
    const covered = [...servers].filter((id) => exceptions[id] !== true)
    return { cover: 1, skip_servers: Object.fromEntries(covered.map((id) => [id, true])) }
  },
  notFoundError: (id) => `service id ${id} does not exist`,
  // Exceptions from all servers have to exist; servers that are chosen one by one do not.
  unknownReference: (field, _, { cover }) =>
    field === 'skip_servers' && cover === 0 ? 'permission denied' : undefined,
  validate(form, _, row) {
    if (!(form.type in monitorTypes)) {
      throw new ApiError(
        `invalid service monitor type ${form.type}: allowed types are 1 (HTTP GET), 2 (ICMP ping), and 3 (TCP ping)`,
      )
    }
    if (!(form.cover in serviceCover)) throw new ApiError('permission denied')
    const target = form.target.trim()
    const key = targetProblem(form.type, target)
    // Real servers take any page, and the contract's own samples have some that are none.
    if (key && form.type !== pageType && (target !== row?.target || form.type !== row.type)) {
      throw new ApiError(issueText({ code: 'custom', message: '', path: ['target'], params: { key } }, form))
    }
    return { ...form, target, duration: form.duration || defaultInterval }
  },
}
