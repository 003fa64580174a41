import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { checkKindOf, isOwnCheck, type OwnCheck } from '../../src/schemas/checks/checks.ts'
import type { BodyOf } from '../../src/schemas/define/endpoint.ts'
import { type CheckTry, checkEndpoints } from '../../src/schemas/endpoints/checkEndpoints.ts'
import { server } from '../../src/schemas/server.ts'
import { service } from '../../src/schemas/service.ts'
import { addressGroup } from '../auth/addresses/clientAddress.ts'
import { createTokenBuckets } from '../concurrency/tokenBucket.ts'
import type { Store } from '../db/store.ts'
import { compileEntity } from '../entities/compileEntity.ts'
import { entityTable } from '../entities/entityTable.ts'
import { addAuditDetails, auditNames, route } from '../http/routes/route.ts'
import type { Host } from '../machines/hosts/host.ts'
import type { Machines } from '../machines/machines.ts'
import { serversOfService } from '../machines/serversOfService.ts'
import { createConcurrencyLimit } from '../outbound/concurrencyLimit.ts'
import type { MayCallPrivateTargets } from '../outbound/privateTargets.ts'
import { owns, type Person } from '../person.ts'
import { readSite } from '../site/site.ts'
import { ApiError, bodyReader, timestamp } from '../wire/apiCall.ts'
import { groupState, type StateOf } from './checks/probeResult.ts'
import { newPushPath, type PushEvent, pushLimits, pushPathOf } from './checks/push/pushes.ts'
import { type CheckResult, type RunOptions, runCheck } from './checks/runCheck.ts'
import { probeOf, type ServiceRow, validateCheck } from './serviceRow.ts'
import type { Services } from './services.ts'

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

type PushRequest = FastifyRequest<{
  Params: { token: string; suffix?: string }
  Querystring: Record<string, string | string[] | undefined>
}>

/** Calls of one job, and of one address with a wrong token. */
const rates = { job: { burst: 30, perSecond: 1 }, wrong: { burst: 10, perSecond: 0.1 } } as const
/** Bytes of a body: the end of a log is in it. */
const bodyLimit = 16 * 1024
/** Milliseconds: a year. */
const maxPing = 366 * 86_400_000

/**
 * The address that jobs call when they have run. Words of the query are those that scripts for Uptime Kuma have, and
 * suffixes those of Healthchecks: `start`, `log`, `fail`, or the exit code.
 */
export function registerPush(
  app: FastifyInstance,
  { store, services, now }: { store: Store; services: Pick<Services, 'pushes' | 'checker'>; now: () => number },
): void {
  const table = entityTable(store, service)
  const byJob = createTokenBuckets(rates.job)
  const byAddress = createTokenBuckets(rates.wrong)
  let read: readonly ServiceRow[] | undefined
  let byPath = new Map<string, ServiceRow>()

  function serviceAt(path: string): ServiceRow | undefined {
    const rows = table.all()
    if (rows !== read) {
      byPath = new Map(rows.flatMap((row) => (row.push_path ? [[row.push_path, row] as const] : [])))
      read = rows
    }
    return byPath.get(path)
  }

  route(app, { name: 'renewPush', audit: 'service.renew-push' }, checkEndpoints.renewPush, (request) => {
    const { id } = request.params
    const row = table.get(id)
    if (!row) throw new ApiError(`service id ${id} does not exist`)
    if (!owns(request.person, row, serversOfService(row))) throw new ApiError('permission denied')
    if (!row.push_path) throw new ApiError('no job reports to this service')
    const push_path = newPushPath()
    table.update(id, { push_path })
    addAuditDetails(request, { target: `service ${id}`, detail: auditNames([row.name]) })
    return { push_path }
  })

  async function receive(request: PushRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.header('cache-control', 'no-store')
    const { token, suffix = '' } = request.params
    const row = serviceAt(pushPathOf(token))
    if (row?.check?.kind !== 'push') {
      const isPatient = byAddress.take(addressGroup(request.address))
      return reply.code(isPatient ? 404 : 429).send({ ok: false, msg: isPatient ? 'there is no such address' : slower })
    }
    if (!byJob.take(String(row.id))) return reply.code(429).send({ ok: false, msg: slower })
    const asked = (name: string) => [request.query[name] ?? ''].flat()[0] ?? ''
    const event = eventOf(suffix, asked('status'))
    if (!event)
      return reply.code(400).send({ ok: false, msg: 'the end of the address must be start, log, fail or an exit code' })
    const body = typeof request.body === 'string' ? request.body.trim() : ''
    const ping = Number.parseFloat(asked('ping'))
    services.pushes.add(row.id, event, {
      at: now(),
      // The end of a log says most.
      message: asked('msg') || body.slice(-pushLimits.message),
      ...(ping >= 0 && ping <= maxPing && { ms: ping }),
    })
    services.checker.lookAgain(row.id)
    return reply.send({ ok: true })
  }

  for (const url of ['/api/push/:token', '/api/push/:token/:suffix']) {
    app.route({ method: ['GET', 'POST'], url, bodyLimit, handler: receive })
  }
}

const slower = 'too many calls: wait a few seconds'

function eventOf(suffix: string, status: string): PushEvent | undefined {
  if (suffix === 'start' || suffix === 'log' || suffix === 'fail') return suffix
  if (/^\d{1,3}$/.test(suffix)) return Number(suffix) === 0 ? 'success' : 'fail'
  if (suffix !== '') return undefined
  return status === '' || status === 'up' ? 'success' : 'fail'
}
