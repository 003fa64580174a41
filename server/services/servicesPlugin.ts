import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { checkKindOf } from '../../src/schemas/checks/checks.ts'
import { includesScope } from '../../src/schemas/define/access.ts'
import { issueText } from '../../src/schemas/define/issueText.ts'
import { checkedDuration, monitorTypes, service, serviceCover, targetProblem } from '../../src/schemas/service.ts'
import type { EntityHooks } from '../api/entityHooks.ts'
import type { History } from '../db/history/openHistory.ts'
import type { Store } from '../db/store.ts'
import type { Form, ResponseRow } from '../entities/entityTable.ts'
import type { Log } from '../log.ts'
import { refuseCircle } from '../machines/dependencies.ts'
import { serversOfService } from '../machines/serversOfService.ts'
import { may, owns, type Person } from '../person.ts'
import { ApiError } from '../wire/apiCall.ts'
import { registerCheckTry, registerPush } from './checkRoutes.ts'
import { newPushPath } from './checks/push/pushes.ts'
import { registerServices } from './routes.ts'
import { type ServiceRow, validateCheck } from './serviceRow.ts'
import { createServices, type Services } from './services.ts'

declare module 'fastify' {
  interface FastifyInstance {
    services: Services
  }
}

interface ServicesPluginOptions {
  store: Store
  log: Log
  /** The clock, in milliseconds since 1970. */
  now: () => number
  /** The time by which history is too old, in milliseconds since 1970. */
  retentionNow: () => number
  /** Where metrics over time are kept. Default: in memory. */
  history?: History
}

/** Milliseconds for which answers of agents may wait here before no further checks are begun. */
const lateMs = 1000

/** Checks services while the server listens; their status, and metrics over time. */
export const servicesPlugin = fp(
  async (app: FastifyInstance, { store, log, now, retentionNow, history }: ServicesPluginOptions) => {
    const { machines, roleOf, mayCallPrivateTargets, incidentMessages, tasks, alerts, silences, load } = app
    const services = createServices({
      store,
      machines,
      roleOf,
      mayCallPrivateTargets,
      notifications: incidentMessages,
      silences,
      log,
      now,
      retentionNow,
      history,
      trigger: tasks.trigger,
      isLate: () => load.agentWork.waitedMs() > lateMs,
    })
    app.decorate('services', services)
    silences.mutes.addTroubleSource(({ service_id }) => service_id > 0 && services.checker.stateOf(service_id) !== 'up')
    app.entityHooks.set('service', serviceHooks)
    const { stateOf } = services.checker
    registerCheckTry(app, { store, machines, mayCallPrivateTargets, stateOf })
    registerPush(app, { store, services, now })
    registerServices(app, {
      store,
      access: app.serverAccess,
      roleOf,
      now,
      services,
      cycleTransferStats: alerts.cycleTransferStats,
    })
  },
  { name: 'services', dependencies: ['entity-hooks', 'outbound', 'incidents', 'tasks', 'alerts', 'maintenance'] },
)

/** Seconds between two checks where a form names none. */
const defaultInterval = 30

/** The code of `http`. */
const pageType = 1

/** What only this server has is judged as its schema says. @throws ApiError */
function checkNumbers(form: Form<typeof service>, row: Form<typeof service> | undefined): void {
  for (const name of ['retries', 'retry_pause', 'quorum'] as const) {
    const issue = service.form.shape[name].safeParse(form[name]).error?.issues[0]
    if (issue) throw new ApiError(issueText({ ...issue, path: [name] }, form))
  }
  const { min, max } = checkedDuration
  const { duration } = form
  if (!form.check || duration === row?.duration || duration === 0) return
  if (duration < min || duration > max)
    throw new ApiError(`duration must be from ${min} to ${max} seconds with a check`)
}

/** What a role shows of a service: its address may hold a secret, and is for those who act. */
function ofOthers(record: ResponseRow, row: ServiceRow, person: Person | undefined): ResponseRow {
  const { id, created_at, updated_at, name, type, target, duration, display_index } = record
  const { cover, skip_servers, hide_for_guest, paused } = record
  const known = { id, created_at, updated_at, name, type, duration, display_index, cover, skip_servers, paused }
  const mayAct = may(person, 'act', row, serversOfService(row))
  return {
    ...known,
    ...(hide_for_guest === true && { hide_for_guest }),
    target: mayAct ? target : '',
    read_only: true,
    rights: mayAct ? ['see', 'act'] : ['see'],
  }
}

/**
 * What servers ask for at intervals (docs/contract/CONTRACT.md#511-services). The interval may be shorter than the
 * console lets people type.
 */
const serviceHooks: EntityHooks<typeof service> = {
  validation: 'contract',
  serversOf: serversOfService,
  rights: { see: 'see' },
  narrowed: (row, servers) => {
    const listed = row.skip_servers ?? {}
    // Servers that are named need not be there: one of somebody else may get the id later.
    const covered = [...servers].filter((id) => (listed[id] === true) === (row.cover !== 0))
    return { cover: 1, skip_servers: Object.fromEntries(covered.map((id) => [id, true])) }
  },
  present(record, row, { person }) {
    if (!owns(person, row, serversOfService(row))) return ofOthers(record, row, person)
    // Its address is for those who may edit it, as a token for reading may not.
    const isReader = person?.token && !includesScope(person.token.scopes, 'nezha:service:write')
    return record.push_path && isReader ? { ...record, push_path: '' } : record
  },
  notFoundError: (id) => `service id ${id} does not exist`,
  // Exceptions from all servers have to exist; servers that are chosen one by one do not.
  unknownReference: (field, _, { cover }) =>
    field === 'skip_servers' && cover === 0 ? 'permission denied' : undefined,
  validate(given, { store }, row) {
    if (row) refuseCircle(store, `service ${row.id}`, given)
    const isLabel = checkKindOf(given.check)?.target === 'label'
    const label = given.target.trim() || given.name
    const check = given.check && validateCheck(given.check, isLabel ? label : given.target)
    if (check && 'services' in check && row && check.services.includes(Number(row.id))) {
      throw new ApiError('check.services: a group cannot have itself in it')
    }
    // Clients that do not know checks see what comes closest.
    const form = {
      ...given,
      check,
      type: checkKindOf(check)?.type ?? given.type,
      target: isLabel ? label : given.target,
      push_path: check?.kind === 'push' ? String(row?.push_path || newPushPath()) : '',
      quorum: given.quorum ?? '',
      retry_pause: given.retry_pause || service.form.shape.retry_pause.parse(undefined),
    }
    checkNumbers(form, row)
    if (!(form.type in monitorTypes)) {
      throw new ApiError(
        `invalid service monitor type ${form.type}: allowed types are 1 (HTTP GET), 2 (ICMP ping), and 3 (TCP ping)`,
      )
    }
    if (!(form.cover in serviceCover)) throw new ApiError('permission denied')
    const target = form.target.trim()
    const key = check ? undefined : targetProblem(form.type, target)
    // Real servers take any page, and the contract's own samples have some that are none.
    if (key && form.type !== pageType && (target !== row?.target || form.type !== row.type)) {
      throw new ApiError(issueText({ code: 'custom', message: '', path: ['target'], params: { key } }, form))
    }
    return { ...form, target, duration: form.duration || defaultInterval }
  },
}
