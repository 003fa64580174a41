import type { FastifyInstance } from 'fastify'
import { type Alarms, openAlarms } from './alerts/alarms.ts'
import { type Alerts, type AlertTimes, createAlerts } from './alerts/alerts.ts'
import type { Store } from './db/store.ts'
import type { Row } from './entities/row.ts'
import type { Log } from './log.ts'
import type { Machines } from './machines/machines.ts'
import { watchAddressChanges } from './notifications/addressChanges.ts'
import { type Deliveries, openDeliveries } from './notifications/deliveries.ts'
import { addressFormatter, formatAddresses } from './notifications/maskAddress.ts'
import { createNotifications, type Notifications } from './notifications/notifications.ts'
import type { MayCallPrivateTargets } from './outbound/privateTargets.ts'
import { ownTimezone } from './site/timeZone.ts'
import type { Tasks } from './tasks/tasks.ts'

interface WatchServices {
  store: Store
  machines: Machines
  mayCallPrivateTargets: MayCallPrivateTargets
  log: Log
  /** Milliseconds since 1970. */
  now: () => number
}

export interface Watching {
  notifications: Notifications
  deliveries: Deliveries
  alarms: Alarms
}

/** What watches and tells by itself, while the server runs: it starts and ends with `app`. */
export function watch(app: FastifyInstance, services: WatchServices): Watching {
  const { store, now, log } = services
  const deliveries = openDeliveries({
    store,
    now,
    onFailure: (error) => log.error('Deliveries could not be saved:', error),
  })
  const notifications = createNotifications({ ...services, deliveries })
  // The first to be registered is the last to end: what the others say at their end is still taken.
  app.addHook('onClose', () => notifications.stop())
  const addresses = watchAddressChanges({ ...services, notifications })
  app.addHook('onReady', async () => addresses.start())
  app.addHook('onClose', async () => addresses.stop())
  const alarms = openAlarms(store, (error) => log.error('An alarm could not be saved:', error))
  return { notifications, deliveries, alarms }
}

interface AlertWatchServices extends WatchServices, Watching {
  roleOf: (id: number) => number | undefined
  trigger: Tasks['trigger']
  times: AlertTimes | undefined
}

/** Watches what alert rules look at, while the server listens. */
export function watchAlerts(app: FastifyInstance, services: AlertWatchServices): Alerts {
  const { store, machines } = services
  const addressOf = (row: Row) => formatAddresses(machines.wireReport(row).geoip.ip, addressFormatter(store))
  const alerts = createAlerts({ ...services, addressOf, zone: ownTimezone() })
  app.addHook('onListen', async () => alerts.start())
  app.addHook('onClose', () => alerts.stop())
  return alerts
}
