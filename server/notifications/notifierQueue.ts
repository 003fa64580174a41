import { deliveryState } from '../../src/schemas/delivery.ts'
import { type AttemptResult, type AttemptServices, attemptDelivery, type NotifierRow } from './attemptDelivery.ts'
import type { Delivery } from './deliveries.ts'
import type { DeviceFrame } from './deviceMessage.ts'
import type { Outbox, WaitingMessage } from './outbox.ts'

/** The queue of one notifier. Each has its own, so that a slow one does not block the others. */
export interface NotifierQueue {
  add(message: WaitingMessage): void
  /** How many wait, without the one that is being sent. */
  length(): number
  /** Resolves when nothing is running. What was not sent is sent after the next start. */
  stop(): Promise<void>
}

export interface NotifierQueueServices extends AttemptServices {
  /** Reads the notifier; `undefined` when it was deleted. */
  notifier: () => NotifierRow | undefined
  outbox: Outbox
  log: (delivery: Delivery) => void
  /** What a message is about, for devices. */
  frameOf: (message: WaitingMessage) => DeviceFrame
  /** The text of a message that is sent long after it was written. */
  lateText: (message: WaitingMessage) => string
  /** Called when a message will never be delivered, or has been tried for long. @param result of the last try */
  onLost: (message: WaitingMessage, notifier: NotifierRow, result: Pick<AttemptResult, 'code' | 'reply'>) => void
  /** Called when the notifier is a device that will never be there again. */
  onGone: () => void
  /** Called when a message was delivered. */
  onSent: (message: WaitingMessage) => void
  /** Called for unexpected errors. */
  onError: (error: unknown) => void
  /** Called when the queue is empty. */
  onIdle: () => void
  /** Resolves after `ms` milliseconds; rejects when `signal` is aborted. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Milliseconds before the second and the third try. */
const retryPauses = [2000, 10_000] as const
/** Milliseconds before the next try at a receiver that is called too often and does not say when; then twice as long. */
const throttledPauses = { first: 5000, longest: 300_000 } as const
/** Queued notifications of one notifier; beyond that, the oldest is dropped. */
export const maxQueued = 200
/** Milliseconds after which a notification is not sent any more. */
export const maxAgeMs = 86_400_000
/** Milliseconds after which a notification says when it was written. */
export const lateMs = 600_000

export function createNotifierQueue(services: NotifierQueueServices): NotifierQueue {
  const { outbox, log, signal, now, pause } = services
  const queue: WaitingMessage[] = []
  let lastNotifier: NotifierRow | undefined
  let isStopping = false
  let running: Promise<void> | undefined

  /** Reads the notifier each time, so that changes apply immediately. */
  const readNotifier = () => {
    const notifier = services.notifier()
    lastNotifier = notifier ?? lastNotifier
    return notifier
  }

  /** Writes down what became of a message, which is done with then. */
  function settle(message: WaitingMessage, result: Partial<Delivery> & Pick<Delivery, 'state'>): void {
    outbox.remove(message)
    if (!lastNotifier) return
    const { code = 0, reply = '' } = result
    log({
      at: now(),
      notifierId: lastNotifier.id,
      notifierName: lastNotifier.name,
      ownerId: lastNotifier.user_id,
      groupId: message.group_id,
      groupName: message.group_name,
      serviceId: message.service_id ?? undefined,
      incidentId: message.incident_id ?? undefined,
      message: message.message,
      code: 0,
      reply: '',
      tries: 0,
      durationMs: 0,
      count: 1,
      ...result,
    })
    if (result.state === deliveryState.sent) services.onSent(message)
    else services.onLost(message, lastNotifier, { code, reply })
  }

  const isTooOld = ({ created_at }: WaitingMessage, at: number) => at - created_at > maxAgeMs

  /** Resolves after `ms` milliseconds. @returns whether this server ends meanwhile */
  const isInterruptedIn = (ms: number): Promise<boolean> =>
    pause(ms, signal).then(
      () => isStopping,
      () => true,
    )

  async function deliver(message: WaitingMessage): Promise<void> {
    const started = now()
    const pauseAfter = pauses()
    let isShort = false
    let isTold = false
    for (let tries = 1; ; tries++) {
      const notifier = readNotifier()
      if (!notifier) return outbox.remove(message)
      const isLate = now() - message.created_at > lateMs
      const NEZHA = isLate ? services.lateText(message) : message.message
      const { key, keeps_end: keepsEnd } = message
      const frame = services.frameOf(message)
      const outgoing = { placeholders: { ...message.placeholders, NEZHA }, key, keepsEnd, frame, isShort }
      const result = await attemptDelivery(notifier, outgoing, services)
      const { code, reply } = result
      const attempted = { code, reply, tries, durationMs: Math.max(0, now() - started) }
      if (result.isSent) return settle(message, { state: deliveryState.sent, ...attempted })
      // Whether it has arrived is not known: it is sent again after the next start.
      if (signal.aborted) return
      if (result.isTooLong) {
        isShort = true
        continue
      }
      const wait = pauseAfter(result)
      if (wait === undefined || isTooOld(message, now() + wait)) {
        settle(message, { state: deliveryState.failed, ...attempted })
        return result.isGone ? services.onGone() : undefined
      }
      // A refusal for now may last, as of a mail server that cannot look something up: people must not wait for it.
      if (!isTold && attempted.durationMs > lateMs) {
        services.onLost(message, notifier, { code, reply })
        isTold = true
      }
      if (result.retryAfterMs !== undefined) outbox.postpone(message, now() + wait)
      if (await isInterruptedIn(wait)) return
    }
  }

  async function process(message: WaitingMessage): Promise<void> {
    await outbox.written()
    // The clock may have been set back since its receiver asked for time.
    const wait = Math.min(message.due_at - now(), throttledPauses.longest)
    if (isStopping || (wait > 0 && (await isInterruptedIn(wait)))) return
    if (isTooOld(message, now())) settle(message, { state: deliveryState.dropped })
    else await deliver(message)
  }

  async function processQueue(): Promise<void> {
    for (let message = queue.shift(); message; message = queue.shift()) {
      // An unexpected error must not stop the queue.
      await process(message).catch(services.onError)
    }
    running = undefined
    services.onIdle()
  }

  return {
    add(message) {
      if (!readNotifier()) {
        outbox.remove(message)
        if (!running) services.onIdle()
        return
      }
      queue.push(message)
      const oldest = queue.length > maxQueued ? queue.shift() : undefined
      if (oldest) settle(oldest, { state: deliveryState.dropped })
      running ??= processQueue()
    },
    length: () => queue.length,
    async stop() {
      isStopping = true
      await running
    },
  }
}

/**
 * The pause before the next try of one message, in milliseconds; `undefined` after the last one. A receiver that asks for
 * time has not failed: it is tried again for as long as the message is of use.
 */
function pauses(): (result: AttemptResult) => number | undefined {
  let failures = 0
  let throttled = 0
  return ({ isFinal, isThrottled, retryAfterMs }) => {
    if (isFinal) return undefined
    const own = Math.min(throttledPauses.first * 2 ** throttled, throttledPauses.longest)
    if (retryAfterMs !== undefined || isThrottled) throttled++
    // An answer of no time at all would be one call after the other.
    if (retryAfterMs !== undefined) return Math.max(retryAfterMs, 1000)
    return isThrottled ? own : retryPauses[failures++]
  }
}
