import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { delivery as entity } from '../../src/schemas/delivery.ts'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import { pushEndpoints } from '../../src/schemas/endpoints/pushEndpoints.ts'
import { isPushUrl, pushUrlOf, readPushUrl } from '../../src/schemas/formats/pushUrl.ts'
import { notification } from '../../src/schemas/notification.ts'
import type { EntityHooks } from '../api/entityHooks.ts'
import { usersIn } from '../auth/users/users.ts'
import type { Store } from '../db/store.ts'
import { compileEntity } from '../entities/compileEntity.ts'
import { entityTable, type Row } from '../entities/entityTable.ts'
import { addAuditDetails, auditNames, route } from '../http/routes/route.ts'
import type { Log } from '../log.ts'
import { type PushKeys, pushKeysIn } from '../outbound/webPush.ts'
import { isAdmin, isOwner, ownersOf, owns } from '../person.ts'
import type { Settings } from '../settings.ts'
import { messagesOf } from '../site/messages.ts'
import { ApiError, bodyReader, withoutEmpty } from '../wire/apiCall.ts'
import { watchAddressChanges } from './addressChanges.ts'
import { createUndelivered, type NotifierRow, type Undelivered } from './attemptDelivery.ts'
import { type Deliveries, openDeliveries } from './deliveries.ts'
import {
  createNotifications,
  type NotificationQueues,
  type NotificationServices,
  type Notifications,
  type NotifierTests,
} from './notifications.ts'
import { notificationGroupHooks, notificationHooks, registerNotifierPreview, removeNotifier } from './notifiers.ts'

/** The delivery log: administrators see all entries, members those of their own notifiers. */
const deliveryHooks = (deliveries: Deliveries): EntityHooks => ({
  pagedRows: {
    async page(offset, limit, { person }, filter) {
      const owners = isAdmin(person) ? undefined : ownersOf(person)
      const { rows, total } = deliveries.page(offset, Math.min(limit, maxPageSize), owners, filter?.matches)
      return { rows: rows.map((row) => withoutEmpty(compileEntity(entity).encodeRow(row))), total }
    },
  },
})

const maxPageSize = 1000

/** Push services ask for an address of who sends; some refuse one that nobody else could open, such as `localhost`. */
export const pushContact = (publicUrl: URL | undefined): string =>
  publicUrl?.protocol === 'https:' && /\.[a-z][a-z\d-]*$/i.test(publicUrl.hostname)
    ? publicUrl.origin
    : 'mailto:wheelhouse@example.org'

declare module 'fastify' {
  interface FastifyInstance {
    notifications: Notifications & NotificationQueues
    deliveries: Deliveries
  }
}

interface NotificationsOptions {
  store: Store
  log: Log
  settings: Pick<Settings, 'publicUrl'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
  /** The time by which history is too old, in milliseconds since 1970. */
  retentionNow: () => number
  /** The pause between two tries. */
  pause?: NotificationServices['pause']
  /** Milliseconds between two comparisons of addresses. Default: 5000. */
  addressCheckMs?: number
}

/** Sends notifications, logs what became of them, and sends one when the address of a machine changes. */
export const notificationsPlugin = fp(
  async (app: FastifyInstance, options: NotificationsOptions) => {
    const { store, log, settings, now, retentionNow, pause, addressCheckMs: checkMs } = options
    const { machines, mayCallPrivateTargets, roleOf } = app
    const deliveries = openDeliveries({
      store,
      now: retentionNow,
      onFailure: (error) => log.error('Deliveries could not be saved:', error),
    })
    const pushKeys = pushKeysIn(store, pushContact(settings.publicUrl), now)
    const notifications = createNotifications({
      store,
      machines,
      mayCallPrivateTargets,
      roleOf,
      deliveries,
      pushKeys,
      log,
      now,
      pause,
    })
    app.decorate('deliveries', deliveries)
    app.decorate('notifications', notifications)
    registerNotifierRoutes(app, { store, notifications, undelivered: createUndelivered(store, now) })
    registerDeviceRoutes(app, { store, deliveries, pushKeys })
    registerNotifierPreview(app, { store, machines, now })
    app.entityHooks.set('notification', notificationHooks(mayCallPrivateTargets, pushKeys, messagesOf(store)))
    app.entityHooks.set('notification-group', notificationGroupHooks)
    app.entityHooks.set('delivery', deliveryHooks(deliveries))
    // Hooks of `onClose` run in reverse order: what plug-ins that depend on this one send at their end is still taken.
    app.addHook('onClose', () => notifications.stop())
    const addresses = watchAddressChanges({
      store,
      machines,
      log,
      notifications,
      checkMs,
      silences: app.silences,
    })
    app.addHook('onReady', async () => addresses.start())
    app.addHook('onListen', async () => notifications.start())
    app.addHook('onClose', async () => addresses.stop())
  },
  { name: 'notifications', dependencies: ['entity-hooks', 'machines', 'outbound', 'security', 'maintenance'] },
)

/** Tests of one person at the same time: they share the places of notifications that are sent. */
const maxTestsPerPerson = 10

/** What people do with a stored notifier: test it, look up its address, and put aside what it did not deliver. */
function registerNotifierRoutes(
  app: FastifyInstance,
  { store, notifications, undelivered }: { store: Store; notifications: NotifierTests; undelivered: Undelivered },
): void {
  const notifiers = entityTable(store, notification)
  const running = new Map<number, number>()

  function notifierOf(id: number): NotifierRow {
    const row = notifiers.get(id)
    if (!row) throw new ApiError(`notification id ${id} does not exist`)
    // The row has every column of the entity.
    return row as unknown as NotifierRow
  }

  async function limited<T>(personId: number, work: () => Promise<T>): Promise<T> {
    const count = running.get(personId) ?? 0
    if (count >= maxTestsPerPerson) throw new ApiError(`${count} of your tests are under way: wait until one has ended`)
    running.set(personId, count + 1)
    try {
      return await work()
    } finally {
      const left = (running.get(personId) ?? 1) - 1
      if (left > 0) running.set(personId, left)
      else running.delete(personId)
    }
  }

  route(app, { name: 'testNotifier', audit: 'notification.test' }, endpoints.testNotifier, async (request) => {
    const notifier = notifierOf(request.params.id)
    if (!owns(request.person, notifier)) throw new ApiError('permission denied')
    const { isSent, code, reply } = await limited(request.person?.id ?? 0, () => notifications.sendTest(notifier))
    addAuditDetails(request, {
      target: `notification ${notifier.id}`,
      detail: { ...auditNames([notifier.name]), sent: isSent },
    })
    return { sent: isSent, code, reply }
  })
  route(app, { name: 'dismissUndelivered', audit: 'notification.dismiss' }, endpoints.dismissUndelivered, (request) => {
    const notifier = notifierOf(request.params.id)
    if (!owns(request.person, notifier)) throw new ApiError('permission denied')
    undelivered.clear(notifier.id)
    addAuditDetails(request, { target: `notification ${notifier.id}`, detail: auditNames([notifier.name]) })
  })
  route(app, { name: 'revealNotifier', audit: 'notification.reveal' }, endpoints.revealNotifier, (request) => {
    const notifier = notifierOf(request.params.id)
    // Administrators may replace the address of somebody else's notifier, but not read the secret in it.
    if (!isOwner(request.person, notifier.user_id))
      throw new ApiError('only the owner of a notifier may see its address')
    addAuditDetails(request, { target: `notification ${notifier.id}`, detail: auditNames([notifier.name]) })
    return { url: notifier.url }
  })
}

interface Services {
  store: Store
  deliveries: Pick<Deliveries, 'lastSentAt'>
  pushKeys: PushKeys
}

/** The devices on which a person has switched messages on. Each is a notifier of theirs. */
function registerDeviceRoutes(app: FastifyInstance, { store, deliveries, pushKeys }: Services): void {
  const notifiers = entityTable(store, notification)
  const users = usersIn(store)
  const devicesOf = (userId: number) =>
    notifiers.all().filter(({ user_id, url }) => user_id === userId && isPushUrl(url))

  function deviceOnWire({ id, name, url, created_at }: Row<typeof notification>) {
    const last = deliveries.lastSentAt(id)
    const endpoint = readPushUrl(url)?.endpoint ?? ''
    const fingerprint = createHash('sha256').update(endpoint).digest('base64url')
    return { id, name, created_at, fingerprint, ...(last && { last_message_at: last }) }
  }

  route(app, 'pushDevices', pushEndpoints.pushDevices, ({ person }) => ({
    key: pushKeys.publicKey(),
    devices: devicesOf(person?.id ?? 0).map(deviceOnWire),
  }))

  route(
    app,
    { name: 'addPushDevice', audit: 'notification.create' },
    pushEndpoints.addPushDevice,
    bodyReader(pushEndpoints.addPushDevice),
    async (request) => {
      const { person, body } = request
      const userId = person?.id ?? 0
      const { name, ...device } = body
      const url = pushUrlOf(device)
      const records = app.recordsOf('notification')
      const form = {
        name,
        url,
        request_method: 2,
        request_type: 1,
        request_header: '',
        request_body: '',
        verify_tls: true,
      }
      const personNow = () => {
        request.judgeAgain?.()
        return request.person
      }
      const known = devicesOf(userId).find((row) => readPushUrl(row.url)?.endpoint === device.endpoint)
      if (known) await records.update?.(person, known.id, form, personNow)
      const id = known?.id ?? (await records.create(person, form, personNow))
      const removed = leaveOthers(url, id)
      const { notifiers: chosen = [] } = users.get(userId) ?? {}
      if (!chosen.includes(id)) users.update(userId, { notifiers: [...chosen, id] })
      addAuditDetails(request, {
        target: `notification ${id}`,
        detail: { ...auditNames([name]), ...(removed && { removed }) },
      })
      return { id }
    },
  )

  /**
   * Somebody else has used this browser before: it belongs to who switched it on last.
   * @returns what was removed of whom, for the audit log
   */
  function leaveOthers(url: string, id: number): string {
    const others = notifiers.all().filter((other) => other.id !== id && other.url === url)
    for (const other of others) removeNotifier(store, other.id)
    return others.map((other) => `notification ${other.id} of user ${other.user_id}`).join(', ')
  }

  route(app, { name: 'removePushDevice', audit: 'notification.delete' }, pushEndpoints.removePushDevice, (request) => {
    const row = devicesOf(request.person?.id ?? 0).find(({ id }) => id === request.params.id)
    if (!row) throw new ApiError(`device id ${request.params.id} does not exist`)
    removeNotifier(store, row.id)
    addAuditDetails(request, { target: `notification ${row.id}`, detail: auditNames([row.name]) })
  })
}
