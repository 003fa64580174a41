import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import { notification } from '../../src/schemas/notification.ts'
import type { EventType } from '../../src/schemas/webhooks/eventTypes.ts'
import { type ChangeRow, changeLogOf } from '../changes/changeLog.ts'
import { repeat } from '../concurrency/repeat.ts'
import type { Store } from '../db/store.ts'
import { entityTable, type ServerRow } from '../entities/entityTable.ts'
import { addAuditDetails, auditNames, route } from '../http/routes/route.ts'
import type { Log } from '../log.ts'
import { reachesAll } from '../maintenance/coveredRecords.ts'
import type { Deliveries } from '../notifications/deliveries.ts'
import { createSendLimit } from '../outbound/untilDurable.ts'
import { messagesOf } from '../site/messages.ts'
import { isoTime, newEvent, startOf } from '../webhooks/newEvent.ts'
import { ApiError } from '../wire/apiCall.ts'
import { type EventMessages, openEventMessages } from './eventMessages.ts'
import { createEventQueue, type EventQueue } from './eventQueue.ts'
import { listenToFeatures, watchPresence } from './eventSources.ts'
import { createRecipients, type Emit, type NewEvent, type Recipient, type Recipients } from './recipients.ts'

declare module 'fastify' {
  interface FastifyInstance {
    events: EventDelivery
  }
}

/** Events on their way to notifiers. */
interface EventDelivery {
  /** Looks for what has changed, and sends what is due. The timer calls it every second. */
  tick(): void
  /** Resolves when nothing is being sent. */
  idle(): Promise<void>
  /** How many wait to be sent, or to be tried again. */
  waitingCount(): number
  /** Calls `listener` when a server has gone offline, or is online again after that. */
  onPresence(listener: (server: ServerRow, isOnline: boolean) => void): void
}

interface EventsOptions {
  store: Store
  log: Pick<Log, 'error'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
  /** The time by which history is too old, in milliseconds since 1970. */
  retentionNow: () => number
  /** Present when the server before this one did not end by its will. */
  cutOff?: { traceFile?: string }
}

/** Requests at the same time, to all notifiers together. */
const maxConcurrentRequests = 64
/** Milliseconds. */
const tickMs = 1000
const failure = 'An event could not be processed:'

/** What happens on this server, as events to the notifiers of groups (docs/decisions/webhooks.md). */
export const eventsPlugin = fp(
  async (app: FastifyInstance, { store, log, now, retentionNow, cutOff }: EventsOptions) => {
    const { roleOf, deliveries, mayCallPrivateTargets, machines, silences } = app
    const onError = (error: unknown) => log.error(failure, error)
    const notifiers = entityTable(store, notification)
    const recipients = createRecipients(store, roleOf)
    const messages = openEventMessages(store, {
      now: retentionNow,
      onFailure: onError,
      withEvents: app.incidents.flush,
    })
    const queue = createEventQueue({
      messages,
      mayCallPrivateTargets,
      now,
      onError,
      notifierOf: recipients.notifierOf,
      log: deliveries.add,
      losses: app.notifications.losses,
      seesAll: (notifier) => reachesAll(notifier, roleOf),
      concurrency: createSendLimit(maxConcurrentRequests, store),
      stopNotifier: (id) => void notifiers.update(id, { stopped_at: isoTime(now()) }),
    })

    function send<Type extends EventType>(
      { type, data, about, serviceId }: Omit<NewEvent<Type>, 'isVisibleTo'>,
      to: readonly Recipient[],
    ): void {
      if (to.length === 0) return
      const { id, body } = newEvent(type, data, now())
      for (const { notifier, group } of to) {
        queue.add({
          webhook_id: id,
          body,
          event: type,
          about,
          service_id: serviceId ?? null,
          notification_id: notifier.id,
          user_id: notifier.user_id,
          group_id: group.id,
          group_name: String(group.name),
          created_at: now(),
          due_at: now(),
          waiting: true,
          tries: 0,
        })
      }
      queue.tick()
    }

    /** An event that cannot be emitted must not stop the work that it is about. */
    function guarded<Argument>(work: (argument: Argument) => void): (argument: Argument) => void {
      return (argument) => {
        try {
          work(argument)
        } catch (error) {
          onError(error)
        }
      }
    }

    const emit: Emit = guarded((event) => send(event, recipients.of(event.type, event.isVisibleTo)))
    const sources = listenToFeatures(app, { store, emit })
    app.notifications.onEventMessage(
      guarded(({ groupId, message, serviceId, notifiers: members }) =>
        send(
          { type: 'message', data: { text: startOf(message) }, about: message, serviceId },
          recipients.ofMessage(groupId, members),
        ),
      ),
      messages.flush,
    )
    /** Tells administrators by all notifiers of the groups that ask for it, those that send messages as well. */
    const tellOfRestart = guarded(({ traceFile }: { traceFile?: string }) => {
      const type = 'wheelhouse.restarted'
      emit({ type, data: { trace_file: traceFile ?? null }, about: 'Wheelhouse', isVisibleTo: () => false })
      const messages = messagesOf(store)
      const message = traceFile
        ? messages('restarted_after_error', { file: traceFile })
        : messages('restarted_after_kill')
      for (const { id } of recipients.groupsOfAdmins(type)) app.notifications.send({ groupId: id, message })
    })
    const presenceListeners = new Set<(server: ServerRow, isOnline: boolean) => void>([sources.presence])
    const onPresence = (row: ServerRow, isOnline: boolean) => {
      for (const listener of presenceListeners) listener(row, isOnline)
    }
    const checks = [
      watchPresence({ store, machines, silences, now, onChange: onPresence }),
      watchChanges(store, { onChange: sources.change, isWanted: () => recipients.isAskedFor('record.changed') }),
      queue.tick,
    ].map((check) => guarded<void>(check))
    const tick = () => {
      for (const check of checks) check()
    }
    app.decorate('events', {
      tick,
      idle: queue.idle,
      waitingCount: messages.waitingCount,
      onPresence: (listener) => void presenceListeners.add(listener),
    })
    registerSendAgain(app, { deliveries, messages, queue, recipients, now })

    const ticks = repeat(tick, { intervalMs: tickMs, log, failure })
    app.addHook('onListen', async () => ticks.start())
    if (cutOff) app.addHook('onListen', async () => tellOfRestart(cutOff))
    app.addHook('onClose', async () => {
      ticks.stop()
      await queue.stop()
    })
  },
  {
    name: 'events',
    dependencies: [
      'machines',
      'maintenance',
      'notifications',
      'outbound',
      'proofs',
      'alerts',
      'services',
      'tasks',
      'incidents',
    ],
  },
)

interface SendAgainServices {
  deliveries: Pick<Deliveries, 'get'>
  messages: Pick<EventMessages, 'find'>
  queue: Pick<EventQueue, 'add' | 'tick'>
  recipients: Pick<Recipients, 'notifierOf'>
  /** Milliseconds since 1970. */
  now: () => number
}

/** Sends an event again that was sent before, with its id and its body, and with all the tries of a new one. */
function registerSendAgain(
  app: FastifyInstance,
  { deliveries, messages, queue, recipients, now }: SendAgainServices,
): void {
  route(app, { name: 'sendAgain', audit: 'delivery.send-again' }, endpoints.sendAgain, (request) => {
    const { id } = request.params
    const delivery = deliveries.get(id)
    if (!delivery) throw new ApiError(`delivery id ${id} does not exist`)
    if (!delivery.webhook_id) throw new ApiError('only events can be sent again')
    const notifierId = delivery.notification_id as number
    const notifier = recipients.notifierOf(notifierId)
    if (!notifier) throw new ApiError('the notifier was deleted: there is nobody to send the event to')
    if (!notifier.send_events) throw new ApiError('the notifier gets no events any more: change it, or choose another')
    if (notifier.stopped_at) throw new ApiError('the receiver wants no more events: save the notifier, then send again')
    const message = messages.find(delivery.webhook_id as string, notifierId)
    if (!message) throw new ApiError('the event is not stored any more')
    addAuditDetails(request, { target: `notification ${notifierId}`, detail: auditNames([notifier.name]) })
    queue.add(Object.assign(message, { tries: 0, due_at: now(), created_at: now() }))
    queue.tick()
  })
}

/** The name of the value that holds the id of the latest change that was sent. */
const lastSentKey = 'told change'

/** Changes at one time: thousands of one bulk edit take some seconds, and not all memory at once. */
const changesPerCheck = 1000

/**
 * Watches for changes of records: each is reported once, after it is on the disk, across restarts too.
 * @param onChange called with each, the oldest first @param isWanted whether somebody gets events of changes
 * @returns a function that looks for new ones; to be called every second
 */
function watchChanges(
  store: Store,
  { onChange, isWanted }: { onChange: (change: ChangeRow) => void; isWanted: () => boolean },
): () => void {
  const log = changeLogOf(store)
  let lastSentId = store.value<number>(lastSentKey) ?? log.latestId()
  return () => {
    const next = isWanted() ? log.after(lastSentId, changesPerCheck) : []
    const latest = next.at(-1)?.id ?? (isWanted() ? lastSentId : log.latestId())
    if (latest === lastSentId) return
    // What cannot be written, as on a full disk, is tried again with the next look, and the changes are sent then.
    store.setValue(lastSentKey, latest)
    lastSentId = latest
    for (const change of next) onChange(change)
  }
}
