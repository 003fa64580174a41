import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { zoneOffset } from '../../src/domain/cron/timeZone.ts'
import { roles } from '../../src/schemas/define/access.ts'
import { isPushUrl } from '../../src/schemas/formats/pushUrl.ts'
import { notification } from '../../src/schemas/notification.ts'
import { notificationGroup } from '../../src/schemas/notificationGroup.ts'
import { server } from '../../src/schemas/server.ts'
import { usersIn } from '../auth/users/users.ts'
import type { Store } from '../db/store.ts'
import type { ResidentTable } from '../db/table.ts'
import { entityTable, type Row } from '../entities/entityTable.ts'
import type { Log } from '../log.ts'
import type { Machines } from '../machines/machines.ts'
import type { MayCallPrivateTargets } from '../outbound/privateTargets.ts'
import { createSendLimit } from '../outbound/untilDurable.ts'
import type { PushKeys } from '../outbound/webPush.ts'
import { mayAct, mayUse } from '../person.ts'
import { messagesOf } from '../site/messages.ts'
import { ownTimezone } from '../site/timeZone.ts'
import {
  type AttemptResult,
  attemptDelivery,
  createLosses,
  createUndelivered,
  type Losses,
  type NotifierRow,
} from './attemptDelivery.ts'
import type { Deliveries } from './deliveries.ts'
import { createNotifierQueue, type NotifierQueue } from './notifierQueue.ts'
import { deviceFrame, messagePlaceholders, type Placeholders } from './notifierRequest.ts'
import { removeNotifier } from './notifiers.ts'
import { openOutbox, type WaitingMessage } from './outbox.ts'
import { openRepeatThrottle } from './repeatThrottle.ts'
import { serverPlaceholders } from './serverText.ts'

/** What has become of something that is part of an incident. */
export interface PartNews {
  kind: 'alarm' | 'outage' | 'ddns'
  /** Of the alarm or the DDNS profile; 0 for an outage, of which a service has one at a time. */
  id: number
  server_id: number
  service_id: number
  /** The DNS record, such as `www.example.org (A)`; absent for anything else. */
  record?: string
  /** What begins and ends again: the same for all alarms of a rule on a server. */
  subject: string
  change: 'began' | 'lasts' | 'ended'
}

/** A notification to send to a group of notifiers. */
export interface OutgoingNotification {
  /** The notifier group; 0 is none. */
  groupId: number
  /** Whose record names the group: it may be one that they may not use (`mayUse`). Absent: the settings of the site. */
  ownerId?: number
  /** Those that get it in place of the group's: of a person, by whose name the delivery log has them. */
  receivers?: { name: string; notifications: readonly number[] }
  /** The text, for the placeholder `#NEZHA#`. */
  message: string
  /** How the owner of a notifier acknowledges it; not for those that get events. Absent where it cannot be. */
  acknowledge?: (notifierId: number) => AcknowledgeWays
  /** The server that it is about: its name and metrics fill the other placeholders. */
  serverId?: number
  /** The service that it is about, for the delivery log. */
  serviceId?: number
  /** The incident that it tells of, for the delivery log and for devices. */
  incidentId?: number
  /** Notifications with the same key are repeated with growing pauses, up to a day. Without a key, each is sent. */
  repeatKey?: string
  /** Called when it is sent: not when a repetition comes too soon, or nobody would get it. */
  onSent?: () => void
  /** The problem with this key is over: its next notification is sent immediately. */
  resolvesKey?: string
  /** What it tells of, where that is no incident and no service: those with the same stay in their order. Default: its key. */
  subject?: string
  /** Whether a receiver with little room gets the end of the text: of the output of a command, it says most. */
  keepsEnd?: boolean
  /** The part of an incident that it is about. Such notifications go to the incidents, which decide what is sent. */
  about?: PartNews
}

/** How whoever gets a message says that they are on it. */
export interface AcknowledgeWays {
  /** Of this server, for devices. */
  path: string
  /** What stands below the message, with a link; '' where the address of this server is not known. */
  line: string
}

/** A message for the notifiers of a group that get events. */
export interface EventMessage extends Pick<OutgoingNotification, 'groupId' | 'message' | 'serviceId'> {
  notifiers: readonly NotifierRow[]
}

/** The group of a notification; `undefined` where it is none, or one of others than whose record names it. */
export function groupOf(
  { groupId, ownerId }: Pick<OutgoingNotification, 'groupId' | 'ownerId'>,
  groups: Pick<ResidentTable<GroupRow>, 'get'>,
  roleOf: (ownerId: number) => number | undefined,
): GroupRow | undefined {
  const group = groups.get(groupId)
  return group && (ownerId === undefined || mayUse(ownerId, group, roleOf)) ? group : undefined
}

type GroupRow = Row<typeof notificationGroup>

/** Sends notifications in the background. The result is in the delivery log. */
export interface Notifications {
  /** It is on the disk before it is sent, and sent after the next start if this server ends before that. */
  send(notification: OutgoingNotification): void
  /** An incident has become part of another one, of which its messages tell from now on. */
  mergeIncident(from: number, into: number): void
  /** Whether what is sent to a group is for anybody: not where it was deleted or is empty, and not once this is stopped. */
  reaches(groupId: number): boolean
  /** Writes what was sent so far to the disk, in the transaction that is open, if there is one. */
  save(): void
  /** Sends what was left at the last end of this server. */
  start(): void
  /**
   * Calls `listener` with messages for notifiers that get events, which are not sent here.
   * @param save writes what the listener was given to the disk
   */
  onEventMessage(listener: (message: EventMessage) => void, save: () => void): void
  /** Aborts running deliveries after a short grace period. */
  stop(): Promise<void>
}

/** What has not been sent yet. */
export interface NotificationQueues {
  /** How many wait in the queues of all notifiers, without those that are being sent. */
  queuedCount(): number
  /** What other features could not send to notifiers is reported here, too. */
  losses: Losses
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
  pushKeys: PushKeys
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
  const { store, machines, mayCallPrivateTargets, deliveries, pushKeys } = services
  const { now = Date.now, pause = defaultPause } = services
  const { roleOf = () => roles.admin } = services
  const onError = (error: unknown) => services.log.error('A notification could not be processed:', error)
  const repeatThrottle = openRepeatThrottle({ store, now, onFailure: onError })
  const notifiers = entityTable(store, notification)
  const groups = entityTable(store, notificationGroup)
  const servers = entityTable(store, server)
  const users = usersIn(store)
  const queues = new Map<number, NotifierQueue>()
  const outbox = openOutbox(store, onError)
  const messages = messagesOf(store)
  const losses = createLosses({
    undelivered: createUndelivered(store, now),
    throttle: repeatThrottle,
    sendersOf: (groupId) => (isStopped ? [] : receiversIn(groups.get(groupId)).filter(isSender)),
    send: queueMessage,
    messages,
    now,
  })
  const concurrency = createSendLimit(maxConcurrentRequests, store)
  const shutdown = new AbortController()
  /** What writes their messages, by listener. */
  const eventListeners = new Map<(message: EventMessage) => void, () => void>()
  let isStopped = false

  /** The row has every column of the entity. @returns `undefined` when it was deleted, or may not be used any more */
  function notifierOf(id: number): NotifierRow | undefined {
    const row = notifiers.get(id)
    if (!row || !mayAct(row.user_id, roleOf)) return undefined
    // What goes to a person, and not to a service, ends with their access.
    if (isPushUrl(row.url) && users.get(row.user_id)?.disabled) return undefined
    return row as unknown as NotifierRow
  }

  function queueOf(id: number): NotifierQueue {
    const existing = queues.get(id)
    if (existing) return existing
    const created = createNotifierQueue({
      notifier: () => notifierOf(id),
      outbox,
      log: deliveries.add,
      lateText,
      frameOf: (message) => deviceFrame(message, messages),
      onGone: () => removeNotifier(store, id),
      onLost: losses.lost,
      onSent: () => losses.arrived(id),
      onIdle: () => queues.delete(id),
      signal: shutdown.signal,
      mayCallPrivateTargets,
      pushKeys,
      concurrency,
      now,
      pause,
      onError,
    })
    queues.set(id, created)
    return created
  }

  /** The metrics are those of this moment, however long the notification is queued. */
  function placeholdersOf(message: string, serverId: number | undefined): (withUnits: boolean) => Placeholders {
    const at = now()
    const row = serverId === undefined ? undefined : servers.get(serverId)
    const report = row && machines.connected(row) ? machines.wireReport(row) : undefined
    const byUnits = new Map<boolean, Placeholders>()
    return (withUnits) => {
      const filled = byUnits.get(withUnits) ?? {
        ...messagePlaceholders(message, at),
        ...(row && serverPlaceholders(row, report, withUnits)),
      }
      byUnits.set(withUnits, filled)
      return filled
    }
  }

  function queueMessage(
    { id }: NotifierRow,
    message: Pick<WaitingMessage, 'group_id' | 'group_name' | 'message' | 'placeholders'> & Partial<WaitingMessage>,
  ): void {
    const queued: WaitingMessage = {
      key: randomUUID(),
      service_id: null,
      incident_id: null,
      subject: '',
      acknowledge_path: '',
      keeps_end: false,
      of_loss: false,
      created_at: now(),
      due_at: now(),
      ...message,
      notification_id: id,
    }
    outbox.add(queued)
    queueOf(id).add(queued)
  }

  const isSender = ({ send_events }: NotifierRow) => !send_events
  /** Those of a group that its owner may use; all of them for a group that stands for a person. */
  const receiversIn = (group: { notifications?: readonly number[] | null; user_id?: number } | undefined) =>
    [...new Set(group?.notifications ?? [])]
      .flatMap((id) => notifierOf(id) ?? [])
      .filter((row) => group?.user_id === undefined || mayUse(group.user_id, row, roleOf))

  /** With the time at which it was written below the first line, by the clock of this server: a receiver has none. */
  function lateText({ message, created_at }: WaitingMessage): string {
    const zone = ownTimezone()
    const local = new Date(created_at + zoneOffset(zone, created_at)).toISOString()
    const time = `${local.slice(0, 16).replace('T', ' ')} (${zone})`
    const [first = '', ...rest] = message.split('\n')
    return [first, messages('written_at', { time }), ...rest].join('\n')
  }

  return {
    send(notification) {
      if (notification.resolvesKey !== undefined) repeatThrottle.reset(notification.resolvesKey)
      const group = notification.receivers ?? groupOf(notification, groups, roleOf)
      if (isStopped) return
      if (!group?.notifications?.length) return
      if (notification.repeatKey !== undefined && !repeatThrottle.allows(notification.repeatKey)) return
      const { groupId, message, serviceId, incidentId, keepsEnd, acknowledge } = notification
      const placeholders = placeholdersOf(message, notification.serverId)
      notification.onSent?.()
      const receivers = receiversIn(group)
      for (const receiver of receivers.filter(isSender)) {
        const { path = '', line } = acknowledge?.(receiver.id) ?? {}
        // Devices have a button in its place.
        const last = isPushUrl(receiver.url) ? '' : line
        queueMessage(receiver, {
          group_id: groupId,
          group_name: group.name,
          service_id: serviceId ?? null,
          incident_id: incidentId ?? null,
          subject: notification.subject ?? notification.resolvesKey ?? notification.repeatKey ?? '',
          acknowledge_path: path,
          message: last ? `${message}\n${last}` : message,
          keeps_end: keepsEnd ?? false,
          placeholders: placeholders(receiver.format_metric_units === true),
        })
      }
      const withEvents = receivers.filter((receiver) => !isSender(receiver))
      if (withEvents.length === 0) return
      for (const listener of eventListeners.keys()) listener({ ...notification, notifiers: withEvents })
    },
    mergeIncident(from, into) {
      for (const queue of queues.values()) queue.mergeIncident(from, into)
    },
    reaches: (groupId) => !isStopped && receiversIn(groups.get(groupId)).length > 0,
    save() {
      outbox.flush()
      for (const save of eventListeners.values()) save()
    },
    losses,
    queuedCount: () => [...queues.values()].reduce((sum, queue) => sum + queue.length(), 0),
    onEventMessage: (listener, save) => void eventListeners.set(listener, save),
    async sendTest(notifier) {
      const message = messages('test')
      const placeholders = placeholdersOf(message, undefined)(notifier.format_metric_units === true)
      const outgoing = { placeholders, kind: 'test' } as const
      const services = { mayCallPrivateTargets, pushKeys, concurrency, signal: shutdown.signal, now }
      const result = await attemptDelivery(notifier, outgoing, services)
      if (result.isSent) losses.arrived(notifier.id)
      if (result.isGone) removeNotifier(store, notifier.id)
      return result
    },
    start() {
      for (const message of outbox.left()) queueOf(message.notification_id).add(message)
    },
    async stop() {
      isStopped = true
      const deadline = setTimeout(() => shutdown.abort(), shutdownGraceMs)
      await Promise.all([...queues.values()].map((queue) => queue.stop()))
      clearTimeout(deadline)
      shutdown.abort()
      outbox.flush()
      deliveries.flush()
      repeatThrottle.flush()
    },
  }
}
