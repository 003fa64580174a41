import { deliveryState } from '../../src/schemas/delivery.ts'
import { type AttemptResult, type AttemptServices, attemptDelivery, type NotifierRow } from './attemptDelivery.ts'
import type { Delivery } from './deliveries.ts'
import type { DeviceFrame } from './notifierRequest.ts'
import { nextMessage, type Outbox, type QueuedMessage, type WaitingMessage } from './outbox.ts'

/** The queue of one notifier. Each has its own, so that a slow one does not block the others. */
export interface NotifierQueue {
  add(message: WaitingMessage): void
  /** An incident has become part of another one: what waits stays in its order with what tells of that. */
  mergeIncident(from: number, into: number): void
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
/**
 * Milliseconds before the next try at a receiver that is called too often, and of a message that it refuses for now, where
 * it does not say when; then twice as long.
 */
const throttledPauses = { first: 5000, longest: 300_000 } as const
/** Queued notifications of one notifier; beyond that, the oldest is dropped. */
export const maxQueued = 200
/** Milliseconds after which a notification is not sent any more. */
export const maxAgeMs = 86_400_000
/** Milliseconds after which a notification says when it was written. */
export const lateMs = 600_000

/** A message, and what became of its tries. */
interface Entry extends QueuedMessage {
  failures: number
  tries: number
  /** When it was tried first, milliseconds since 1970. */
  started?: number
  isShort: boolean
  /** Whether people know that it has been tried for long. */
  isTold: boolean
  /** The result of the last try. */
  last?: Pick<Delivery, 'code' | 'reply' | 'tries' | 'durationMs'>
}

export function createNotifierQueue(services: NotifierQueueServices): NotifierQueue {
  const { outbox, log, signal, now, pause } = services
  /** In the order in which they were written, the one that is being sent among them. */
  const queue = new Set<Entry>()
  let current: Entry | undefined
  /** Milliseconds since 1970, until which the receiver has asked for time, and how often in a row. */
  const held = { until: 0, times: 0 }
  /** When the clock was read last, milliseconds since 1970. */
  let readAt = now()
  let wake = new AbortController()
  let lastNotifier: NotifierRow | undefined
  let isStopping = false
  let running: Promise<void> | undefined

  /** Reads the notifier each time, so that changes apply immediately. */
  const readNotifier = () => {
    const notifier = services.notifier()
    lastNotifier = notifier ?? lastNotifier
    return notifier
  }

  /** Reads the clock. Where it was set back, so is what is due: otherwise it would wait for as long. */
  function readClock(): number {
    const at = now()
    const back = Math.max(0, readAt - at)
    for (const entry of back > 0 ? queue : []) entry.dueAt -= back
    held.until -= back
    readAt = at
    return at
  }

  function forget(entry: Entry): void {
    queue.delete(entry)
    outbox.remove(entry.message)
  }

  /** Writes down what became of a message, which is done with then. */
  function settle(entry: Entry, result: Partial<Delivery> & Pick<Delivery, 'state'>): void {
    const { message } = entry
    forget(entry)
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

  const giveUp = (entry: Entry) =>
    settle(entry, entry.last ? { state: deliveryState.failed, ...entry.last } : { state: deliveryState.dropped })

  const isTooOld = ({ message }: Entry, at: number) => at - message.created_at > maxAgeMs

  /** Resolves after `ms` milliseconds. @returns whether this server ends meanwhile */
  const isInterruptedIn = (ms: number): Promise<boolean> =>
    pause(ms, signal).then(
      () => isStopping,
      () => true,
    )

  /** Tries a message until it is sent, given up, or refused for now. @returns when that was, by the clock */
  async function deliver(entry: Entry): Promise<number> {
    const { message } = entry
    entry.started ??= now()
    for (;;) {
      const notifier = readNotifier()
      if (!notifier) {
        forget(entry)
        return readClock()
      }
      const isLate = now() - message.created_at > lateMs
      const NEZHA = isLate ? services.lateText(message) : message.message
      const { key, keeps_end: keepsEnd } = message
      const frame = services.frameOf(message)
      const outgoing = {
        placeholders: { ...message.placeholders, NEZHA },
        key,
        keepsEnd,
        frame,
        isShort: entry.isShort,
      }
      const result = await attemptDelivery(notifier, outgoing, services)
      const at = readClock()
      const { code, reply } = result
      const attempted = { code, reply, tries: ++entry.tries, durationMs: Math.max(0, at - entry.started) }
      entry.last = attempted
      if (result.isSent) {
        held.times = 0
        settle(entry, { state: deliveryState.sent, ...attempted })
        return at
      }
      // Whether it has arrived is not known: it is sent again after the next start.
      if (signal.aborted) return at
      if (result.isTooLong) {
        entry.isShort = true
        continue
      }
      const wait = pauseAfter(entry, result)
      if (wait === undefined || isTooOld(entry, at + wait)) {
        giveUp(entry)
        if (result.isGone) services.onGone()
        return at
      }
      tellOfLate(notifier, at)
      if (asksForTime(result)) {
        hold(entry, result, at, wait)
        return at
      }
      if (await isInterruptedIn(wait)) return readClock()
    }
  }

  /**
   * A refusal for now may last, as of a mail server that cannot look something up: people must not wait for it. Nor for the
   * next try of those that were put back, which may be far off where the receiver refuses every message.
   */
  function tellOfLate(notifier: NotifierRow, at: number): void {
    for (const entry of queue) {
      const { message, started = at, last } = entry
      if (isTooOld(entry, at)) giveUp(entry)
      else if (last && !entry.isTold && at - started > lateMs) {
        services.onLost(message, notifier, last)
        entry.isTold = true
      }
    }
  }

  /** Leaves the receiver alone for as long as it asks, and this message for as long as it is refused. */
  function hold(entry: Entry, { retryAfterMs }: AttemptResult, at: number, wait: number): void {
    entry.refusals++
    entry.dueAt = at + wait
    held.until = at + (retryAfterMs === undefined ? throttledPause(held.times) : wait)
    held.times++
    if (retryAfterMs !== undefined) outbox.postpone(entry.message, entry.dueAt)
  }

  /** Waits until a message is due. @returns whether it is: not where another was added, or this server ends */
  async function isDueIn(ms: number): Promise<boolean> {
    wake = new AbortController()
    return pause(ms, AbortSignal.any([signal, wake.signal])).then(
      () => !isStopping,
      () => false,
    )
  }

  async function processQueue(): Promise<void> {
    let at = readClock()
    while (!isStopping && !signal.aborted) {
      const next = nextMessage(queue, at, held.until)
      if (!next) break
      const { entry, readyAt } = next
      if (readyAt > at && !(await isDueIn(readyAt - at))) {
        at = readClock()
        continue
      }
      // It may have been dropped meanwhile.
      if (!queue.has(entry)) continue
      held.until = 0
      current = entry
      try {
        await outbox.written()
        if (isStopping) break
        at = readClock()
        if (isTooOld(entry, at)) giveUp(entry)
        else at = await deliver(entry)
      } catch (error) {
        // An unexpected error must not stop the queue. The message is in the outbox until the next start.
        queue.delete(entry)
        services.onError(error)
      } finally {
        current = undefined
      }
    }
    running = undefined
    services.onIdle()
  }

  const length = () => queue.size - (current ? 1 : 0)

  return {
    add(message) {
      if (!readNotifier()) {
        outbox.remove(message)
        if (!running) services.onIdle()
        return
      }
      // The clock may have been set back since its receiver asked for time.
      const at = readClock()
      const dueAt = Math.min(message.due_at, at + throttledPauses.longest)
      queue.add({ message, dueAt, refusals: 0, failures: 0, tries: 0, isShort: false, isTold: false })
      if (dueAt > at) held.until = Math.max(held.until, dueAt)
      const oldest = length() > maxQueued ? [...queue].find((entry) => entry !== current) : undefined
      if (oldest) giveUp(oldest)
      wake.abort()
      running ??= processQueue()
    },
    mergeIncident(from, into) {
      for (const { message } of queue) if (message.incident_id === from) outbox.moveToIncident(message, into)
      // Another one may be the next.
      wake.abort()
    },
    length,
    async stop() {
      isStopping = true
      await running
    },
  }
}

/** Whether it has not failed: it is tried again for as long as the message is of use. */
const asksForTime = ({ isThrottled, retryAfterMs }: AttemptResult) => retryAfterMs !== undefined || isThrottled

const throttledPause = (times: number) => Math.min(throttledPauses.first * 2 ** times, throttledPauses.longest)

/** The pause before the next try of a message, in milliseconds; `undefined` after the last one. */
function pauseAfter(entry: Entry, result: AttemptResult): number | undefined {
  const { isFinal, retryAfterMs } = result
  if (isFinal) return undefined
  // An answer of no time at all would be one call after the other.
  if (retryAfterMs !== undefined) return Math.max(retryAfterMs, 1000)
  return asksForTime(result) ? throttledPause(entry.refusals) : retryPauses[entry.failures++]
}
