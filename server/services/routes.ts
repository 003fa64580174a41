import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { ReplyDataOf } from '../../src/schemas/define/endpoint.ts'
import { historyEndpoints as endpoints } from '../../src/schemas/endpoints/historyEndpoints.ts'
import { type HistoryPeriod, historyPeriods, leastHistoryDays } from '../../src/schemas/endpoints/serviceHistory.ts'
import { server } from '../../src/schemas/server.ts'
import { service } from '../../src/schemas/service.ts'
import type { Store } from '../db/store.ts'
import { entityTable, type ServerRow } from '../entities/entityTable.ts'
import { jsonType, listReply, objectReply } from '../http/routes/replyInTurns.ts'
import { route } from '../http/routes/route.ts'
import { byDisplayIndex, type ServerAccess } from '../machines/serverHooks.ts'
import { serversOfService } from '../machines/serversOfService.ts'
import { may, mayReach, type Person } from '../person.ts'
import { ApiError, timestamp, withoutEmpty } from '../wire/apiCall.ts'
import { bucketCount } from './history/periods.ts'
import { isMetric } from './history/serverHistory.ts'
import type { ServiceOnServer } from './history/serviceHistory.ts'
import { isCovered, type ServiceRow } from './serviceRow.ts'
import type { Services } from './services.ts'

type Overview = ReplyDataOf<typeof endpoints.serviceOverview>

export interface ServiceRoutes {
  store: Store
  access: ServerAccess
  services: Services
  roleOf: (id: number) => number | undefined
  /** Traffic of cycle rules by alert id, on the visible servers. */
  cycleTransferStats: (isShown: (server: ServerRow) => boolean) => Overview['cycle_transfer_stats']
  /** Milliseconds since 1970. */
  now: () => number
}

/**
 * Routes for services, their history and the metrics of servers (docs/contract/CONTRACT.md#511-services). Guests may
 * use them too, except for services and servers that are hidden from them. Checks run while the server listens.
 */
export function registerServices(app: FastifyInstance, routes: ServiceRoutes): void {
  const { store, access, roleOf, cycleTransferStats, now } = routes
  const { checker, overview, histories, historyDays, metrics, pushes, start, stop } = routes.services
  const services = entityTable(store, service)
  const servers = entityTable(store, server)

  const visibleServices = (person: Person | undefined) => services.all().filter((row) => isVisible(row, person))

  function visibleServer(id: number, person: Person | undefined): ServerRow {
    const row = servers.get(id)
    if (!row || !access.canSee(person, row)) throw new ApiError('server not found')
    return row
  }

  route(app, 'serviceOverview', endpoints.serviceOverview, async ({ person }, reply) => {
    const overviewOf = await overview.read(now())
    function* shown() {
      for (const row of visibleServices(person)) {
        yield [row.id, overviewOf(row, isExplained(row, person))] as const
      }
    }
    const cycles = cycleTransferStats((row) => access.canSee(person, row))
    return reply
      .type(jsonType)
      .send(await objectReply('services', shown(), cycles ? { cycle_transfer_stats: cycles } : {}))
  })

  route(app, 'checkingServers', endpoints.checkingServers, ({ person }) => {
    const shown = visibleServices(person)
    return servers
      .all()
      .filter((row) => access.canSee(person, row) && shown.some((service) => isCovered(service, row, roleOf)))
      .map(({ id }) => id)
  })

  route(app, 'serviceHistory', endpoints.serviceHistory, async (request) => {
    const row = services.get(request.params.id)
    if (!row || !isVisible(row, request.person)) throw new ApiError('service not found')
    const shown = new Map<number, ServerRow>()
    for (const each of servers.all()) if (access.canSee(request.person, each)) shown.set(each.id, each)
    const period = periodOf(request.query.period, request.person, historyDays)
    const isOwn = isExplained(row, request.person)
    const results = await histories.ofService(row.id, period, now(), (id) => shown.has(id))
    return {
      service_id: row.id,
      service_name: row.name,
      servers: results.servers
        .map((result) => serverHistory(result, shown.get(result.server) as ServerRow, isOwn))
        .sort((one, other) => one.server_id - other.server_id),
      ...(results.total > results.servers.length && { servers_total: results.total }),
    }
  })

  route(app, 'serviceOutages', endpoints.serviceOutages, ({ params, person }) => {
    const row = services.get(params.id)
    if (!row || !isVisible(row, person)) throw new ApiError('service not found')
    return checker.outagesOf(row.id).map(({ id, started_at, ended_at, problem, server_name, failure }) => ({
      id,
      started_at: timestamp(started_at),
      ...(ended_at !== null && { ended_at: timestamp(ended_at) }),
      ...(isExplained(row, person) &&
        withoutEmpty({
          problem,
          server_name,
          reason: failure?.reason.key,
          reason_values: failure?.reason.values,
          code: failure?.code,
          answer: failure?.answer,
        })),
    }))
  })

  route(app, 'serviceDetails', endpoints.serviceDetails, ({ params, person }) => {
    const row = services.get(params.id)
    if (!row || !isVisible(row, person)) throw new ApiError('service not found')
    if (!isExplained(row, person)) return { chain: [], calls: [] }
    return {
      chain: checker.chainOf(row.id).map(({ expiresAt, ...link }) => ({ ...link, expires_at: timestamp(expiresAt) })),
      calls: pushes.of(row.id).calls.map(({ at, ...call }) => ({ at: timestamp(at), ...call })),
    }
  })

  route(app, 'serverServices', endpoints.serverServices, async (request, reply) => {
    const row = visibleServer(request.params.id, request.person)
    const isMany = services.count() > manyServices
    const period = periodOf(request.query.period, request.person, historyDays)
    const count = services.all().filter((each) => isCovered(each, row, roleOf)).length
    // Without their number: whoever asks may not see all of them.
    if (count * bucketCount(period) > mostBuckets)
      throw new ApiError(`${period} of all services of this server is too much for one reply: ask for each service`)
    const visible = visibleServices(request.person).toSorted(byDisplayIndex)
    const ids = visible.map(({ id }) => id)
    const results = await histories.ofServer(row.id, period, now(), { isMany, services: ids })
    const byService = new Map(results.map((result) => [result.service, result.points]))
    function* shown() {
      for (const each of visible) {
        const points = byService.get(each.id)
        if (points && points.length > 0) yield delayHistory(each, row, points)
      }
    }
    return reply.type(jsonType).send(await listReply(shown()))
  })

  route(app, 'serverMetric', endpoints.serverMetric, async (request) => {
    const row = visibleServer(request.params.id, request.person)
    const { metric } = request.query
    if (!isMetric(metric)) throw new ApiError('invalid metric name')
    const data_points = await metrics.dataPoints(
      row.id,
      metric,
      periodOf(request.query.period, request.person, historyDays),
      now(),
    )
    return { server_id: row.id, server_name: row.name, metric, data_points }
  })

  route(app, 'lastHour', endpoints.lastHour, async ({ person, query: { metric, ids } }) => {
    if (!isMetric(metric)) throw new ApiError('invalid metric name')
    const asked = [...new Set(ids.split(',').filter((id) => /^\d{1,15}$/.test(id)))].slice(0, maxServers)
    const rows = asked.flatMap((id) => servers.get(Number(id)) ?? []).filter((row) => access.canSee(person, row))
    const at = now()
    const lastHours: [string, (number | null)[]][] = []
    for (const { id } of rows) {
      lastHours.push([String(id), await metrics.lastHour(id, metric, at)])
      await nextTurn()
    }
    return Object.fromEntries(lastHours)
  })

  app.addHook('onListen', async () => start())
  app.addHook('onClose', () => stop())
}

/** As many as a page of the list has. */
const maxServers = 100

/** With more services, a reply for `1d` with short buckets would be many megabytes. */
const manyServices = 200

/**
 * Buckets of one reply: a year of 800 services, a month of 2,400, 7 days of 1,700 or a day of 12,000. A million need all
 * memory there is.
 */
const mostBuckets = 292_000

const isVisible = (row: ServiceRow, person: Person | undefined) =>
  mayReach(person, serversOfService(row)) && (!row.hide_for_guest || may(person, 'see', row, serversOfService(row)))

/** Whether somebody is told why checks fail: that quotes what a machine of somebody's network has answered. */
const isExplained = (row: ServiceRow, person: Person | undefined) => may(person, 'act', row, serversOfService(row))

/**
 * @param days how far back the history reaches
 * @throws ApiError in the contract's words
 */
function periodOf(text: string, person: Person | undefined, days: number): HistoryPeriod {
  const given = text || '1d'
  const allowed = historyPeriods.filter((one) => one !== '365d' || days > leastHistoryDays)
  const period = allowed.find((one) => one === given)
  if (!period)
    throw new ApiError(`invalid period: ${given}, expected ${allowed.slice(0, -1).join(', ')}, or ${allowed.at(-1)}`)
  if (period !== '1d' && !person) throw new ApiError('unauthorized: only 1d data available for guests')
  return period
}

function serverHistory({ points, totals }: ServiceOnServer, server: ServerRow, isOwn: boolean) {
  const { up, down, notPermitted, delay } = totals
  return {
    server_id: server.id,
    server_name: server.name,
    stats: {
      avg_delay: up > 0 ? delay / up : 0,
      up_percent: up + down > 0 ? (up / (up + down)) * 100 : 0,
      total_up: up,
      total_down: down,
      ...(notPermitted > 0 && { not_permitted: notPermitted }),
      // Beside its status a failed check has the delay 0, as the contract has it.
      data_points: points.map(({ phases, ...point }) => ({
        ...point,
        delay: point.delay ?? 0,
        ...(isOwn && phases && { phases }),
      })),
    },
  }
}

function delayHistory(service: ServiceRow, server: ServerRow, points: ServiceOnServer['points']) {
  return {
    monitor_id: service.id,
    server_id: server.id,
    monitor_name: service.name,
    server_name: server.name,
    display_index: service.display_index,
    created_at: points.map(({ ts }) => ts),
    avg_delay: points.map(({ delay }) => delay),
  }
}
