import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Store } from '../db/store.ts'
import type { Row } from '../entities/row.ts'
import type { Log } from '../log.ts'
import { addressFormatter, formatAddresses } from '../notifications/maskAddress.ts'
import { ownTimezone } from '../site/timeZone.ts'
import { alarmHooks } from './alarmHooks.ts'
import { openAlarms } from './alarms.ts'
import { alertRuleHooks } from './alertRuleHooks.ts'
import { type Alerts, type AlertTimes, createAlerts } from './alerts.ts'

declare module 'fastify' {
  interface FastifyInstance {
    alerts: Alerts
  }
}

interface AlertsOptions {
  store: Store
  log: Log
  /** The clock, in milliseconds since 1970. */
  now: () => number
  /** When alert rules are checked. Default: as the contract has it. */
  alertTimes?: AlertTimes
}

/** Checks alert rules while the server listens, and keeps the alarms. */
export const alertsPlugin = fp(
  async (app: FastifyInstance, { store, log, now, alertTimes: times }: AlertsOptions) => {
    const { machines, roleOf, tasks, notifications } = app
    const alarms = openAlarms(store, (error) => log.error('An alarm could not be saved:', error))
    const addressOf = (row: Row) => formatAddresses(machines.wireReport(row).geoip.ip, addressFormatter(store))
    const alerts = createAlerts({
      ...{ store, machines, roleOf, notifications, alarms, addressOf, log, now, times },
      trigger: tasks.trigger,
      zone: ownTimezone(),
    })
    app.decorate('alerts', alerts)
    app.entityHooks.set('alert-rule', alertRuleHooks())
    app.entityHooks.set('alarm', alarmHooks(alarms))
    app.addHook('onListen', async () => alerts.start())
    app.addHook('onClose', () => alerts.stop())
  },
  { name: 'alerts', dependencies: ['entity-hooks', 'notifications', 'tasks'] },
)
