import { setTimeout as wait } from 'node:timers/promises'
import { roles } from '../../src/schemas/define/access.ts'
import { notification } from '../../src/schemas/notification.ts'
import { notificationGroup } from '../../src/schemas/notificationGroup.ts'
import { server } from '../../src/schemas/server.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Log } from '../log.ts'
import type { Machines } from '../machines/machines.ts'
import { createConcurrencyLimit } from '../outbound/concurrencyLimit.ts'
import type { MayCallPrivateTargets } from '../outbound/privateTargets.ts'
import { mayAct } from '../person.ts'
import { messagesOf } from '../site/messages.ts'
import { type AttemptResult, attemptDelivery, type NotifierRow, type QueuedNotification } from './attemptDelivery.ts'
import type { Deliveries } from './deliveries.ts'
import { createNotifierQueue, type NotifierQueue } from './notifierQueue.ts'
import { messagePlaceholders, type Placeholders } from './notifierRequest.ts'
import { openRepeatThrottle } from './repeatThrottle.ts'
import { serverPlaceholders } from './serverPlaceholders.ts'

/** A notification to send to a group of notifiers. */
export interface OutgoingNotification {
  /** The notifier group; 0 is none. */
  groupId: number
  /** The text, for the placeholder `#NEZHA#`. */
  message: string
  /** The server that it is about: its name and metrics fill the other placeholders. */
  serverId?: number
  /** The service that it is about, for the delivery log. */
  serviceId?: number
  /** Notifications with the same key are repeated with growing pauses, up to a day. Without a key, each is sent. */
  repeatKey?: string
  /** The problem with this key is over: its next notification is sent immediately. */
  resolvesKey?: string
}

/** A message for the notifiers of a group that get events. */
export interface EventMessage extends Pick<OutgoingNotification, 'groupId' | 'message' | 'serviceId'> {
  notifiers: readonly NotifierRow[]
}

/** Sends notifications in the background. The result is in the delivery log. */
export interface Notifications {
  send(notification: OutgoingNotification): void
  /** Calls `listener` with messages for notifiers that get events, which are not sent here. */
  onEventMessage(listener: (message: EventMessage) => void): void
  /** Aborts running deliveries after a short grace period. */
  stop(): Promise<void>
}

/** What has not been sent yet. */
export interface NotificationQueues {
  /** How many wait in the queues of all notifiers, without those that are being sent. */
  queuedCount(): number
}

/** Shows whether a stored notifier works. */
export interface NotifierTests {
  /** Sends a test message once, with the rights of the notifier's owner, and waits for the result. Never rejects. */
  sendTest(notifier: NotifierRow): Promise<AttemptResult>
}

export interface NotificationServices {
  store: Store
  machines: Pick<Machines, 'connected' | 'wireReport'>
  mayCallPrivateTargets: MayCallPrivateTargets
  /** A user's role; `undefined` when the user no longer exists. Default: everybody is there. */
  roleOf?: (id: number) => number | undefined
  deliveries: Deliveries
  log: Pick<Log, 'error'>
  /** Milliseconds since 1970. */
  now?: () => number
  /** Resolves after `ms` milliseconds; rejects when `signal` is aborted. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Requests at the same time, for all notifiers together. */
const maxConcurrentRequests = 256
/** How long `stop` waits for running requests. */
const shutdownGraceMs = 400

const defaultPause = (ms: number, signal: AbortSignal) => wait(ms, undefined, { signal, ref: false })

export function createNotifications(
  services: NotificationServices,
): Notifications & NotificationQueues & NotifierTests {
  const { store, machines, mayCallPrivateTargets, deliveries, now = Date.now, pause = defaultPause } = services
  const { roleOf = () => roles.admin } = services
  const onError = (error: unknown) => services.log.error('A notification could not be processed:', error)
  const repeatThrottle = openRepeatThrottle({ store, now, onFailure: onError })
  const notifiers = entityTable(store, notification)
  const groups = entityTable(store, notificationGroup)
  const servers = entityTable(store, server)
  const queues = new Map<number, NotifierQueue>()
  const concurrency = createConcurrencyLimit(maxConcurrentRequests)
  const shutdown = new AbortController()
  const eventListeners = new Set<(message: EventMessage) => void>()
  let isStopped = false

  /** The row has every column of the entity. @returns `undefined` when it was deleted, or may not be used any more */
  function notifierOf(id: number): NotifierRow | undefined {
    const row = notifiers.get(id)
    return row && mayAct(row.user_id, roleOf) ? (row as unknown as NotifierRow) : undefined
  }

  function queueOf(id: number): NotifierQueue {
    const existing = queues.get(id)
    if (existing) return existing
    const created = createNotifierQueue({
      notifier: () => notifierOf(id),
      log: deliveries.add,
      onIdle: () => queues.delete(id),
      signal: shutdown.signal,
      mayCallPrivateTargets,
      concurrency,
      now,
      pause,
      onError,
    })
    queues.set(id, created)
    return created
  }

  function queuedNotification(
    { groupId, message, serverId, serviceId }: OutgoingNotification,
    groupName: string,
  ): QueuedNotification {
    const at = now()
    const row = serverId === undefined ? undefined : servers.get(serverId)
    // The metrics of this moment, however long the notification is queued.
    const report = row && machines.connected(row) ? machines.wireReport(row) : undefined
    const placeholdersByUnits = new Map<boolean, Placeholders>()
    return {
      message,
      groupId,
      groupName,
      serviceId,
      createdAt: at,
      placeholders(withUnits) {
        const existing = placeholdersByUnits.get(withUnits)
        if (existing) return existing
        const filled = { ...messagePlaceholders(message, at), ...(row && serverPlaceholders(row, report, withUnits)) }
        placeholdersByUnits.set(withUnits, filled)
        return filled
      },
    }
  }

  return {
    send(notification) {
      if (notification.resolvesKey !== undefined) repeatThrottle.reset(notification.resolvesKey)
      if (isStopped || notification.groupId === 0) return
      const group = groups.get(notification.groupId)
      const members = group?.notifications as number[] | null | undefined
      if (!members?.length) return
      if (notification.repeatKey !== undefined && !repeatThrottle.allows(notification.repeatKey)) return
      const queued = queuedNotification(notification, group?.name as string)
      const receivers = [...new Set(members)].flatMap((id) => notifierOf(id) ?? [])
      for (const { id } of receivers.filter(({ send_events }) => !send_events)) queueOf(id).add(queued)
      const withEvents = receivers.filter(({ send_events }) => send_events)
      if (withEvents.length === 0) return
      for (const listener of eventListeners) listener({ ...notification, notifiers: withEvents })
    },
    queuedCount: () => [...queues.values()].reduce((sum, queue) => sum + queue.length(), 0),
    onEventMessage: (listener) => void eventListeners.add(listener),
    sendTest: (notifier) =>
      attemptDelivery(
        notifier,
        { ...queuedNotification({ groupId: 0, message: messagesOf(store)('test') }, ''), isTest: true },
        { mayCallPrivateTargets, concurrency, signal: shutdown.signal },
      ),
    async stop() {
      isStopped = true
      const deadline = setTimeout(() => shutdown.abort(), shutdownGraceMs)
      await Promise.all([...queues.values()].map((queue) => queue.stop()))
      clearTimeout(deadline)
      shutdown.abort()
      deliveries.flush()
      repeatThrottle.flush()
    },
  }
}
