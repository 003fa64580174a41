import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Store } from '../db/store.ts'
import type { ServerRow } from '../entities/entityTable.ts'
import type { Log } from '../log.ts'
import { addressFormatter, formatAddresses } from '../notifications/serverText.ts'
import type { Settings } from '../settings.ts'
import { ownTimezone } from '../site/timeZone.ts'
import { alarmHooks, openAlarms } from './alarms.ts'
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
  settings: Pick<Settings, 'publicUrl'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
  /** When alert rules are checked. Default: as the contract has it. */
  alertTimes?: AlertTimes
}

/** Checks alert rules while the server listens, and keeps the alarms. */
export const alertsPlugin = fp(
  async (app: FastifyInstance, { store, log, settings: { publicUrl }, now, alertTimes: times }: AlertsOptions) => {
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
