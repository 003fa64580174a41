import { alertRule } from '../../src/schemas/alertRule.ts'
import { service } from '../../src/schemas/service.ts'
import type { Alerts } from '../alerts/alerts.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Row } from '../entities/row.ts'
import type { ServiceChecker } from '../services/serviceChecker.ts'
import { labelText, type Metric } from './exposition.ts'

interface Sources {
  store: Store
  checker: ServiceChecker
  alerts: Pick<Alerts, 'firing'>
  /** Milliseconds since 1970. */
  now: () => number
}

/** The metrics of services and of alert rules. */
export function recordMetrics({ store, checker, alerts, now }: Sources): Metric[] {
  const at = now()
  const firing = alerts.firing()
  const ofServices = gauges('wheelhouse_service_', entityTable(store, service).all())
  const ofRules = gauges('wheelhouse_alert_rule_', entityTable(store, alertRule).all())
  const up = { up: 1, down: 0 }
  const secondsOf = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1000)
  return [
    ofServices('up', 'Whether the service is up (1) or down (0); missing before its first check', ({ id }) => {
      const status = checker.statusOf(id)
      return status && up[status]
    }),
    ofServices(
      'latency_seconds',
      'Mean of the good checks in the latest half minute with any; missing after 15 minutes without',
      ({ id }) => secondsOf(checker.recentResultsOf(id)?.latency(at)),
    ),
    ofServices(
      'certificate_expiry_timestamp_seconds',
      'When the first certificate of the service expires; missing without TLS',
      ({ id }) => secondsOf(checker.certificateEndOf(id)),
    ),
    ofRules('enabled', 'Whether the alert rule is on (1) or off (0)', ({ enable }) => (enable ? 1 : 0)),
    ofRules('firing', 'Servers on which the alert rule fires now', ({ id }) => firing.get(id) ?? 0),
  ]
}

/** Makes gauges with the id and the name of a record as labels. */
function gauges<R extends Pick<Row, 'id'> & { name: string }>(prefix: string, rows: readonly R[]) {
  const labelled = rows.map((row) => ({ row, labels: labelText({ id: row.id, name: row.name }) }))
  return (name: string, help: string, read: (row: R) => number | undefined): Metric => ({
    name: `${prefix}${name}`,
    type: 'gauge',
    help,
    *samples() {
      for (const { row, labels } of labelled) {
        const value = read(row)
        if (value !== undefined) yield [labels, value]
      }
    },
  })
}
