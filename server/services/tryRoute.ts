import type { FastifyInstance } from 'fastify'
import { checkKindOf, isOwnCheck, type OwnCheck } from '../../src/schemas/checks/checks.ts'
import type { BodyOf } from '../../src/schemas/define/endpoint.ts'
import { type CheckTry, checkEndpoints } from '../../src/schemas/endpoints/checkEndpoints.ts'
import { server } from '../../src/schemas/server.ts'
import { service } from '../../src/schemas/service.ts'
import { createTokenBuckets } from '../concurrency/tokenBucket.ts'
import type { Store } from '../db/store.ts'
import { compileEntity } from '../entities/compileEntity.ts'
import { entityTable } from '../entities/entityTable.ts'
import { addAuditDetails, route } from '../http/routes/route.ts'
import type { Host } from '../machines/hosts/host.ts'
import type { Machines } from '../machines/machines.ts'
import { serversOfService } from '../machines/serversOfService.ts'
import { createConcurrencyLimit } from '../outbound/concurrencyLimit.ts'
import type { MayCallPrivateTargets } from '../outbound/privateTargets.ts'
import { owns, type Person } from '../person.ts'
import { readSite } from '../site/site.ts'
import { ApiError } from '../wire/apiError.ts'
import { bodyReader } from '../wire/readJson.ts'
import { timestamp } from '../wire/timestamp.ts'
import { groupState, type StateOf } from './checks/group/groupState.ts'
import { type CheckResult, type RunOptions, runCheck } from './checks/runCheck.ts'
import { validateCheck } from './checks/validateCheck.ts'
import { probeOf, type ServiceRow } from './serviceRow.ts'

export interface TryServices {
  store: Store
  machines: Pick<Machines, 'connected'>
  mayCallPrivateTargets: MayCallPrivateTargets
  /** What is known of a service. */
  stateOf: StateOf
}

type Tried = BodyOf<typeof checkEndpoints.tryCheck>

const timeoutMs = 10_000
/** Characters of an answer: a value in JSON is picked from it. */
const maxAnswer = 65_536
/** Checks that one person has running, and how often they may begin one. */
const maxRunning = 50
const rate = { burst: 300, perSecond: 5 }
/** Checks of all people that run at the same time; the others wait. */
const maxConcurrent = 100

/** Runs the check of a service once, before it is saved. */
export function registerCheckTry(app: FastifyInstance, services: TryServices): void {
  const { store, machines, mayCallPrivateTargets } = services
  const servers = entityTable(store, server)
  const stored = entityTable(store, service)
  const { keepConcealed } = compileEntity(service)
  const buckets = createTokenBuckets(rate)
  const running = new Map<number, number>()
  const concurrency = createConcurrencyLimit(maxConcurrent)

  function storedOf(id: number, person: Person | undefined): ServiceRow {
    const row = stored.get(id)
    if (!row) throw new ApiError(`service id ${id} does not exist`)
    if (!owns(person, row, serversOfService(row))) throw new ApiError('permission denied')
    return row
  }

  function hostOf(id: number | undefined, person: Person | undefined): Host {
    if (id === undefined) throw new ApiError('server_id is missing: choose the server that checks')
    const row = servers.get(id)
    if (!row || !owns(person, row, [id])) throw new ApiError(`server id ${id} does not exist`)
    const host = machines.connected(row)
    if (!host) throw new ApiError('the server is not connected: choose another one')
    return host
  }

  async function limited<T>(id: number, work: () => Promise<T>): Promise<T> {
    const count = running.get(id) ?? 0
    if (count >= maxRunning) throw new ApiError(`${count} of your checks are running: wait until one has ended`)
    if (!buckets.take(String(id))) throw new ApiError('too many checks at once: wait a few seconds')
    running.set(id, count + 1)
    try {
      return await concurrency.run(work)
    } finally {
      const left = (running.get(id) ?? 1) - 1
      if (left > 0) running.set(id, left)
      else running.delete(id)
    }
  }

  /** What this server knows by itself: of services that the person may see. */
  function tryHere(check: OwnCheck, person: Person | undefined): CheckResult {
    if (check.kind === 'push')
      throw new ApiError('nothing goes out for a push: save it, and have the job call its address')
    const own = new Set(check.services.filter((id) => isOwn(stored.get(id), person)))
    const found = groupState(check, (id) => (own.has(id) ? services.stateOf(id) : undefined))
    const reason = found ? (found.state === 'down' ? found.reason : undefined) : { key: 'group_unknown', values: {} }
    return {
      state: found?.state ?? 'not_permitted',
      ...(reason && { reason }),
      phases: { whole: 0 },
      rules: [],
    }
  }

  const isOwn = (row: ServiceRow | undefined, person: Person | undefined) =>
    row !== undefined && owns(person, row, serversOfService(row))

  const endpoint = checkEndpoints.tryCheck
  route(app, { name: 'tryCheck', audit: 'service.try' }, endpoint, bodyReader(endpoint), async (request) => {
    const { body, person } = request
    const row = body.id === undefined ? undefined : storedOf(body.id, person)
    // The form with the secrets of the stored service, which its client was not shown.
    const { check } = row ? keepConcealed({ check: body.check, target: body.target }, row) : body
    const isLabel = checkKindOf(check)?.target === 'label'
    const validated = check ? validateCheck(check, isLabel ? body.target || 'label' : body.target) : undefined
    if (validated && isOwnCheck(validated)) return toReply(tryHere(validated, person), body)
    const host = hostOf(body.server_id, person)
    const options = {
      timeoutMs,
      allowPrivate: mayCallPrivateTargets(row ?? { user_id: person?.id ?? 0 }),
      maxAnswer,
      userAgent: readSite(store).check_user_agent,
    }
    const result = await limited(person?.id ?? 0, () =>
      validated ? runCheck(validated, body.target.trim(), host, options) : probePlain(body, host, options),
    )
    if (!result) throw new ApiError('the server is not connected: choose another one')
    addAuditDetails(request, { target: `server ${body.server_id}`, detail: { state: result.state } })
    return toReply(result, body)
  })
}

/** A service without a check of its own is asked for by its type. */
async function probePlain({ type, target }: Tried, host: Host, options: RunOptions): Promise<CheckResult | undefined> {
  const probe = probeOf({ type, target })
  if (!probe) throw new ApiError(`invalid service monitor type ${type}`)
  const result = await host.probe(probe, options)
  if (!result) return undefined
  if (result.outcome === 'up') {
    const { delay, certificate } = result
    return { state: 'up', phases: { whole: delay }, rules: [], ...(certificate && { certificate }) }
  }
  return {
    state: result.outcome === 'down' ? 'down' : 'not_permitted',
    reason: { key: 'said', values: { said: result.problem } },
    phases: { whole: 0 },
    rules: [],
  }
}

function toReply(result: CheckResult, { min_latency, max_latency }: Tried): CheckTry {
  const { state, reason, phases, code, request, answer, certificate, rules } = result
  const ms = Math.round(phases.whole)
  const isSlow = state === 'up' && ((max_latency > 0 && ms > max_latency) || (min_latency > 0 && ms < min_latency))
  const said = isSlow
    ? { key: ms > max_latency ? 'slow' : 'fast', values: { ms, min: min_latency, max: max_latency } }
    : reason
  return {
    state: isSlow ? 'degraded' : state,
    reason: said?.key ?? '',
    reason_values: { ...said?.values },
    phases,
    rules: [...rules],
    ...(code !== undefined && { code }),
    ...(request !== undefined && { request }),
    ...(answer !== undefined && { answer }),
    ...(certificate && {
      certificate: { issuer: certificate.issuer, expires_at: timestamp(certificate.expiresAt) },
    }),
  }
}
