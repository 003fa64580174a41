import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import {
  type BacktestResult,
  backtestProblem,
  createBacktest,
  serversWhereTrue,
} from '../../src/domain/alerts/backtest.ts'
import { type AlertRulePart, coveredBy } from '../../src/domain/alerts/compileAlert.ts'
import type { MetricReport } from '../../src/domain/alerts/metricValue.ts'
import { type RecordedMetric, recordedMetricsOf, reportOfRecorded } from '../../src/domain/alerts/recordedMetrics.ts'
import { alertRule } from '../../src/schemas/alertRule.ts'
import { roles } from '../../src/schemas/define/access.ts'
import { historyEndpoints } from '../../src/schemas/endpoints/historyEndpoints.ts'
import { server } from '../../src/schemas/server.ts'
import { takeTurns } from '../concurrency/takeTurns.ts'
import type { Store } from '../db/store.ts'
import { entityTable, type ServerRow } from '../entities/entityTable.ts'
import { route } from '../http/routes/route.ts'
import type { Log } from '../log.ts'
import { addressFormatter, formatAddresses } from '../notifications/serverText.ts'
import { owns, type Person, personOf } from '../person.ts'
import type { ServerHistory } from '../services/history/serverHistory.ts'
import type { Settings } from '../settings.ts'
import { ownTimezone } from '../site/timeZone.ts'
import { ApiError, bodyReader } from '../wire/apiCall.ts'
import { alarmHooks, openAlarms } from './alarms.ts'
import { alertRuleHooks, readAlertRules } from './alertRuleHooks.ts'
import { type Alerts, type AlertTimes, createAlerts } from './alerts.ts'

declare module 'fastify' {
  interface FastifyInstance {
    alerts: Alerts
  }
}

interface AlertsOptions {
  store: Store
  log: Log
  settings: Pick<Settings, 'publicUrl'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
  /** The time by which history is too old, in milliseconds since 1970. */
  retentionNow: () => number
  /** When alert rules are checked. Default: as the contract has it. */
  alertTimes?: AlertTimes
}

/** Checks alert rules while the server listens, and keeps the alarms. */
export const alertsPlugin = fp(
  async (app: FastifyInstance, options: AlertsOptions) => {
    const { store, log, settings, now, retentionNow, alertTimes: times } = options
    const { publicUrl } = settings
    const { machines, roleOf, tasks, incidentMessages, silences, snapshots, conditions } = app
    const alarms = openAlarms(store, (error) => log.error('An alarm could not be saved:', error))
    const addressOf = (row: ServerRow) => formatAddresses(machines.wireReport(row).geoip.ip, addressFormatter(store))
    const alerts = createAlerts({
      store,
      machines,
      conditions,
      roleOf,
      notifications: incidentMessages,
      alarms,
      addressOf,
      publicUrl,
      log,
      now,
      retentionNow,
      times,
      silenceOf: silences.ofAlarm,
      onBegin: snapshots.take,
      trigger: tasks.trigger,
      zone: ownTimezone(),
    })
    silences.mutes.addTroubleSource(({ server_id, rule_id }) =>
      [...alarms.running()].some(
        (alarm) =>
          (server_id > 0 || rule_id > 0) &&
          (server_id === 0 || alarm.server_id === server_id) &&
          (rule_id === 0 || alarm.rule_id === rule_id),
      ),
    )
    app.decorate('alerts', alerts)
    app.entityHooks.set('alert-rule', alertRuleHooks())
    app.entityHooks.set('alarm', alarmHooks(alarms, snapshots))
    app.addHook('onListen', async () => alerts.start())
    app.addHook('onClose', () => alerts.stop())
  },
  { name: 'alerts', dependencies: ['entity-hooks', 'incidents', 'tasks', 'maintenance', 'snapshots'] },
)

interface BacktestOptions {
  store: Store
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** Says what alert rules would have done in the last days, by the metrics that are kept. */
export const backtestPlugin = fp(
  async (app: FastifyInstance, { store, now }: BacktestOptions) => {
    const { machines, roleOf, services } = app
    const alertRules = entityTable(store, alertRule)
    const servers = entityTable(store, server)
    const endpoint = historyEndpoints.backtestAlertRule
    /** The newest test of each person, by their id: it ends those before. */
    const newest = new Map<number, symbol>()

    /** Whose servers the rules cover. @throws ApiError for somebody else's rule */
    function ownerOf(ruleId: number | undefined, person: Person): number {
      if (ruleId === undefined) return person.id
      const row = alertRules.get(ruleId)
      if (!row) throw new ApiError(`alert id ${ruleId} does not exist`)
      if (!owns(person, row)) throw new ApiError('permission denied')
      return row.user_id
    }

    function serversOf(ownerId: number): Map<number, TestedServer> {
      const coversAll = roleOf(ownerId) === roles.admin
      const rows = servers.all().filter((row) => coversAll || row.user_id === ownerId)
      return new Map(
        rows.map((row) => {
          const report = machines.wireReport(row)
          return [row.id, { id: row.id, online: machines.connected(row) !== undefined, report }]
        }),
      )
    }

    route(app, 'backtestAlertRule', endpoint, bodyReader(endpoint), async (request) => {
      const person = personOf(request)
      const rules = readAlertRules(request.body.rules)
      if (backtestProblem(rules)) throw new ApiError('the past says nothing about rules of these types')
      const candidates = serversOf(ownerOf(request.body.id, person))
      const covered = coveredBy(
        rules,
        [...candidates.keys()].sort((one, other) => one - other),
      )
      const test = Symbol('test')
      newest.set(person.id, test)
      const isAwaited = () => newest.get(person.id) === test
      try {
        return await testAlertRules({
          metrics: services.metrics,
          rules,
          now: now(),
          isAwaited,
          servers: covered.map((id) => candidates.get(id) as TestedServer),
        })
      } finally {
        if (isAwaited()) newest.delete(person.id)
      }
    })
  },
  { name: 'alert-backtest', dependencies: ['alerts', 'services', 'machines'] },
)

interface TestedServer {
  id: number
  /** Whether it reports now. */
  online: boolean
  /** Its last report, for the sizes of memory and disks too. */
  report: MetricReport
}

export interface BacktestReply extends BacktestResult {
  step: number
  covered: number
  tested: number
  now: number[]
}

/** With more servers, steps of hours are looked at instead of five minutes. */
const manyServers = 1_000
/** Servers whose past is read together: each step of them takes a millisecond or two. */
const serversAtOnce = 250
/** Milliseconds. The reply says how many servers were looked at until then. */
const timeLimit = 2_500

interface TestOptions {
  metrics: Pick<ServerHistory, 'lastWeek'>
  rules: readonly AlertRulePart[]
  /** Those that the rules cover, by id. */
  servers: readonly TestedServer[]
  /** Milliseconds since 1970. */
  now: number
  /** Whether somebody still waits for the answer. */
  isAwaited: () => boolean
}

/**
 * What rules would have done in the last 7 days, in short steps between which other work gets its turn.
 * @throws ApiError when the rules cannot be tested, or when nobody waits any more
 */
export async function testAlertRules({ metrics, rules, servers, now, isAwaited }: TestOptions): Promise<BacktestReply> {
  const turn = takeTurns()
  const deadline = performance.now() + timeLimit
  const isMany = servers.length > manyServers
  const asked = recordedMetricsOf(rules.map(({ type }) => type))
  let backtest: ReturnType<typeof createBacktest>
  let stepSeconds = 0
  let tested = 0
  for (let first = 0; first < servers.length && performance.now() < deadline; first += serversAtOnce) {
    const group = servers.slice(first, first + serversAtOnce)
    const ids = group.map(({ id }) => id)
    const hosts = new Map(group.map(({ id, report }) => [id, report.host]))
    const { step, steps } = metrics.lastWeek([Math.min(...ids), Math.max(...ids)], asked, now, isMany)
    stepSeconds = step
    backtest ??= createBacktest(rules, step * 1000)
    for await (const { at, length, servers: measured } of steps) {
      const reports = new Map<number, MetricReport>()
      for (const [id, averages] of measured) {
        const host = hosts.get(id)
        if (host) reports.set(id, reportOfRecorded(valuesOf(asked, averages), host))
      }
      backtest?.add({ at, length }, ids, reports)
      await turn()
      if (!isAwaited()) throw new ApiError('a newer test has taken the place of this one')
    }
    tested += group.length
  }
  const latest = new Map(servers.map(({ id, online, report }) => [id, online ? report : undefined]))
  const result = backtest?.result() ?? { samples: 0, failed: 0, alarms: [], alarms_total: 0 }
  return { ...result, step: stepSeconds, covered: servers.length, tested, now: serversWhereTrue(rules, latest) }
}

function valuesOf(asked: readonly RecordedMetric[], averages: readonly (number | null)[]) {
  const values: Partial<Record<RecordedMetric, number>> = {}
  for (const [index, metric] of asked.entries()) {
    const value = averages[index]
    if (value !== null && value !== undefined) values[metric] = value
  }
  return values
}
