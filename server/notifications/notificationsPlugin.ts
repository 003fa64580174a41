import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Store } from '../db/store.ts'
import type { Log } from '../log.ts'
import { messagesOf } from '../site/messages.ts'
import { watchAddressChanges } from './addressChanges.ts'
import { type Deliveries, openDeliveries } from './deliveries.ts'
import { deliveryHooks } from './deliveryHooks.ts'
import { notificationGroupHooks, notificationHooks } from './notificationHooks.ts'
import {
  createNotifications,
  type NotificationQueues,
  type NotificationServices,
  type Notifications,
} from './notifications.ts'
import { registerNotifierPreview } from './notifierPreviewRoute.ts'
import { registerNotifierRoutes } from './notifierRoutes.ts'

declare module 'fastify' {
  interface FastifyInstance {
    notifications: Notifications & NotificationQueues
    deliveries: Deliveries
  }
}

interface NotificationsOptions {
  store: Store
  log: Log
  /** The clock, in milliseconds since 1970. */
  now: () => number
  /** The pause between two tries. */
  pause?: NotificationServices['pause']
  /** Milliseconds between two comparisons of addresses. Default: 5000. */
  addressCheckMs?: number
}

/** Sends notifications, logs what became of them, and sends one when the address of a machine changes. */
export const notificationsPlugin = fp(
  async (app: FastifyInstance, { store, log, now, pause, addressCheckMs: checkMs }: NotificationsOptions) => {
    const { machines, mayCallPrivateTargets, roleOf } = app
    const deliveries = openDeliveries({
      store,
      now,
      onFailure: (error) => log.error('Deliveries could not be saved:', error),
    })
    const notifications = createNotifications({
      ...{ store, machines, mayCallPrivateTargets, roleOf, deliveries, log, now, pause },
    })
    app.decorate('deliveries', deliveries)
    app.decorate('notifications', notifications)
    registerNotifierRoutes(app, { store, notifications })
    registerNotifierPreview(app, { store, machines, now })
    app.entityHooks.set('notification', notificationHooks(mayCallPrivateTargets, messagesOf(store)))
    app.entityHooks.set('notification-group', notificationGroupHooks)
    app.entityHooks.set('delivery', deliveryHooks(deliveries))
    // Hooks of `onClose` run in reverse order: what rooms that depend on this one send at their end is still taken.
    app.addHook('onClose', () => notifications.stop())
    const addresses = watchAddressChanges({
      ...{ store, machines, log, notifications, checkMs },
      silences: app.silences,
    })
    app.addHook('onReady', async () => addresses.start())
    app.addHook('onClose', async () => addresses.stop())
  },
  { name: 'notifications', dependencies: ['entity-hooks', 'machines', 'outbound', 'security', 'maintenance'] },
)
