import { deliveryState } from '../../src/schemas/delivery.ts'
import { type AttemptServices, attemptDelivery, type NotifierRow, type QueuedNotification } from './attemptDelivery.ts'
import type { Delivery } from './deliveries.ts'

/** The queue of one notifier. Each has its own, so that a slow one does not block the others. */
export interface NotifierQueue {
  add(queued: QueuedNotification): void
  /** How many wait, without the one that is being sent. */
  length(): number
  /** Logs queued notifications as not sent; resolves when nothing is running. */
  stop(): Promise<void>
}

export interface NotifierQueueServices extends AttemptServices {
  /** Reads the notifier; `undefined` when it was deleted. */
  notifier: () => NotifierRow | undefined
  log: (delivery: Delivery) => void
  /** Called for unexpected errors. */
  onError: (error: unknown) => void
  /** Called when the queue is empty. */
  onIdle: () => void
  now: () => number
  /** Resolves after `ms` milliseconds; rejects when `signal` is aborted. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Milliseconds before the second and the third try. */
const retryPauses = [2000, 10_000] as const
/** Queued notifications of one notifier; beyond that, the oldest is dropped. */
export const maxQueued = 200
/** Milliseconds after which a queued notification is outdated. */
export const maxAgeMs = 3_600_000

export function createNotifierQueue(services: NotifierQueueServices): NotifierQueue {
  const { log, signal, now, pause } = services
  const queue: QueuedNotification[] = []
  let lastNotifier: NotifierRow | undefined
  let isStopping = false
  let running: Promise<void> | undefined

  /** Reads the notifier each time, so that changes apply immediately. */
  const readNotifier = () => {
    const notifier = services.notifier()
    lastNotifier = notifier ?? lastNotifier
    return notifier
  }

  function logDelivery(queued: QueuedNotification, result: Partial<Delivery> & Pick<Delivery, 'state'>): void {
    if (!lastNotifier) return
    log({
      at: now(),
      notifierId: lastNotifier.id,
      notifierName: lastNotifier.name,
      ownerId: lastNotifier.user_id,
      groupId: queued.groupId,
      groupName: queued.groupName,
      serviceId: queued.serviceId,
      message: queued.message,
      code: 0,
      reply: '',
      tries: 0,
      durationMs: 0,
      count: 1,
      ...result,
    })
  }

  async function deliver(queued: QueuedNotification): Promise<void> {
    const started = now()
    for (let tries = 1; ; tries++) {
      const notifier = readNotifier()
      if (!notifier) return
      const { isSent, isFinal, code, reply } = await attemptDelivery(notifier, queued, services)
      const attempted = { code, reply, tries, durationMs: Math.max(0, now() - started) }
      if (isSent) return logDelivery(queued, { state: deliveryState.sent, ...attempted })
      if (signal.aborted) return logDelivery(queued, { state: deliveryState.stopped, ...attempted, reply: '' })
      const wait = retryPauses[tries - 1]
      if (isFinal || wait === undefined) return logDelivery(queued, { state: deliveryState.failed, ...attempted })
      const isInterrupted = await pause(wait, signal).then(
        () => isStopping,
        () => true,
      )
      if (isInterrupted) return logDelivery(queued, { state: deliveryState.stopped, ...attempted })
    }
  }

  async function process(queued: QueuedNotification): Promise<void> {
    if (isStopping) logDelivery(queued, { state: deliveryState.stopped })
    else if (now() - queued.createdAt > maxAgeMs) logDelivery(queued, { state: deliveryState.dropped })
    else await deliver(queued)
  }

  async function processQueue(): Promise<void> {
    for (let queued = queue.shift(); queued; queued = queue.shift()) {
      // An unexpected error must not stop the queue.
      await process(queued).catch(services.onError)
    }
    running = undefined
    services.onIdle()
  }

  return {
    add(queued) {
      if (!readNotifier()) {
        if (!running) services.onIdle()
        return
      }
      queue.push(queued)
      const oldest = queue.length > maxQueued ? queue.shift() : undefined
      if (oldest) logDelivery(oldest, { state: deliveryState.dropped })
      running ??= processQueue()
    },
    length: () => queue.length,
    async stop() {
      isStopping = true
      await running
    },
  }
}
