import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { checkEndpoints } from '../../src/schemas/endpoints/checkEndpoints.ts'
import { service } from '../../src/schemas/service.ts'
import { addressGroup } from '../auth/addresses/canonicalAddress.ts'
import { createTokenBuckets } from '../concurrency/tokenBucket.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { addAuditDetails, auditNames, route } from '../http/routes/route.ts'
import { serversOfService } from '../machines/serversOfService.ts'
import { owns } from '../person.ts'
import { ApiError } from '../wire/apiError.ts'
import { newPushPath, pushLimits, pushPathOf } from './checks/push/pushes.ts'
import type { PushEvent } from './checks/push/pushState.ts'
import type { ServiceRow } from './serviceRow.ts'
import type { Services } from './services.ts'

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
