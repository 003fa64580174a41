import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { backtestProblem } from '../../src/domain/alerts/backtest.ts'
import { coveredBy } from '../../src/domain/alerts/compileAlert.ts'
import { alertRule } from '../../src/schemas/alertRule.ts'
import { roles } from '../../src/schemas/define/access.ts'
import { historyEndpoints } from '../../src/schemas/endpoints/historyEndpoints.ts'
import { server } from '../../src/schemas/server.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { route } from '../http/routes/route.ts'
import { owns, type Person, personOf } from '../person.ts'
import { ApiError } from '../wire/apiError.ts'
import { bodyReader } from '../wire/readJson.ts'
import { readAlertRules } from './readAlertRules.ts'
import { type TestedServer, testAlertRules } from './testAlertRules.ts'

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
