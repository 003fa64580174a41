import { errorMessage } from '../../src/domain/errors.ts'
import { deliveryState } from '../../src/schemas/delivery.ts'
import type { Losses, NotifierRow } from '../notifications/attemptDelivery.ts'
import type { Delivery } from '../notifications/deliveries.ts'
import { notifierSecrets, replyExcerpt } from '../notifications/excerpts.ts'
import { headersOf } from '../notifications/notifierRequest.ts'
import { TargetNotAllowedError } from '../outbound/dial.ts'
import { guardedRequest } from '../outbound/guardedRequest.ts'
import type { MayCallPrivateTargets } from '../outbound/privateTargets.ts'
import { retryAfterMs } from '../outbound/reply.ts'
import type { SendLimit } from '../outbound/untilDurable.ts'
import { webhookRequest } from '../webhooks/webhookRequest.ts'
import type { EventMessage, EventMessages } from './eventMessages.ts'

/** Sends events in the background: to each notifier one after the other, and again later where it fails. */
export interface EventQueue {
  add(message: EventMessage): void
  /** Sends what is due. The timer calls it every second. */
  tick(): void
  /** Resolves when nothing is being sent. */
  idle(): Promise<void>
  /** Aborts running requests; what was not sent is sent after the next start. */
  stop(): Promise<void>
}

interface EventQueueServices extends Omit<EventAttemptServices, 'signal'> {
  messages: EventMessages
  /** Reads a notifier; `undefined` when it was deleted, or may not be used any more. */
  notifierOf: (id: number) => NotifierRow | undefined
  /** Its receiver has answered that it wants no more events. */
  stopNotifier: (id: number) => void
  log: (delivery: Delivery) => void
  losses: Losses
  /** Whether the owner of a notifier may know what happened to anybody. */
  seesAll: (notifier: NotifierRow) => boolean
  /** Called for unexpected errors. */
  onError: (error: unknown) => void
}

/** Milliseconds before each further try: 10 s, 1, 5, 15 and 40 minutes, an hour in all. */
export const retryPauses = [10_000, 60_000, 300_000, 900_000, 2_400_000] as const
/** Milliseconds after which an event is of no use any more, as after a long stop of this server. */
export const maxAgeMs = 86_400_000

const stoppedReply = 'the receiver has answered 410: save the notifier to send to it again'

export function createEventQueue(services: EventQueueServices): EventQueue {
  const { messages, notifierOf, stopNotifier, log, losses, seesAll, onError, now } = services
  const shutdown = new AbortController()
  const running = new Map<number, Promise<void>>()

  function logDelivery(
    { user_id, name }: Pick<NotifierRow, 'user_id' | 'name'>,
    message: EventMessage,
    result: Partial<Delivery> & Pick<Delivery, 'state'>,
  ): void {
    log({
      at: now(),
      notifierId: message.notification_id,
      notifierName: name,
      ownerId: user_id,
      groupId: message.group_id,
      groupName: message.group_name,
      serviceId: message.service_id ?? undefined,
      event: message.event,
      message: message.about,
      code: 0,
      reply: '',
      tries: 0,
      durationMs: 0,
      count: 1,
      ...result,
    })
  }

  function logDropped(notifier: NotifierRow | undefined, dropped: readonly EventMessage[], reply = ''): void {
    // Those of a notifier that was deleted are not logged.
    for (const message of notifier ? dropped : []) {
      logDelivery(notifier as NotifierRow, message, { state: deliveryState.dropped, reply })
    }
  }

  /** @param result of the last try; `undefined` where there was none */
  function reportLoss(
    notifier: NotifierRow | undefined,
    { group_id, group_name, service_id, event, about }: EventMessage,
    result?: EventAttempt,
  ): void {
    if (!notifier) return
    // The whole group is told the text of a message. Anything else may be about what others own.
    const isMessage = event === 'message'
    const message = isMessage ? about : `${event}: ${about}`
    const mayKnow = (other: NotifierRow) => isMessage || other.user_id === notifier.user_id || seesAll(other)
    losses.lost({ group_id, group_name, service_id, message }, notifier, result, mayKnow)
  }

  async function attempt(notifier: NotifierRow, message: EventMessage): Promise<void> {
    const started = now()
    const result = await attemptEvent(notifier, message, { ...services, signal: shutdown.signal })
    if (shutdown.signal.aborted && !result.isSent) return messages.putBack(message)
    const tries = message.tries + 1
    // A receiver that asks for time has not failed: that is no try, and the event is sent for as long as it is of use.
    const isAsked = result.retryAfterMs !== undefined
    const pause = result.retryAfterMs ?? (result.isFinal ? undefined : retryPauses[tries - 1])
    const { sent, retrying, failed } = deliveryState
    logDelivery(notifier, message, {
      state: result.isSent ? sent : pause === undefined ? failed : retrying,
      webhookId: message.webhook_id,
      code: result.code,
      reply: result.reply,
      tries,
      durationMs: Math.max(0, now() - started),
    })
    if (result.isSent) losses.arrived(notifier.id)
    else if (pause === undefined) reportLoss(notifier, message, result)
    messages.settle(message, isAsked ? message.tries : tries, pause === undefined ? undefined : now() + pause)
    if (!result.isGone) return
    stopNotifier(notifier.id)
    logDropped(notifier, messages.drop(notifier.id), stoppedReply)
  }

  async function process(id: number): Promise<void> {
    for (;;) {
      // It is a row before it is sent.
      await messages.written()
      if (shutdown.signal.aborted) return
      // Read each time, so that changes apply immediately.
      const notifier = notifierOf(id)
      if (!notifier?.send_events) return logDropped(notifier, messages.drop(id), 'the notifier gets no events any more')
      const message = messages.take(id, now())
      if (!message) return
      if (now() - message.created_at <= maxAgeMs) await attempt(notifier, message)
      else {
        messages.settle(message, message.tries)
        logDropped(notifier, [message], 'too old')
        reportLoss(notifier, message)
      }
    }
  }

  function tick(): void {
    if (shutdown.signal.aborted) return
    for (const id of messages.notifiers()) {
      if (running.has(id)) continue
      const done = process(id)
        .catch(onError)
        .finally(() => running.delete(id))
      running.set(id, done)
    }
  }

  const idle = async () => void (await Promise.all(running.values()))

  return {
    tick,
    idle,
    add(message) {
      for (const dropped of messages.add(message)) {
        const notifier = notifierOf(dropped.notification_id)
        logDropped(notifier, [dropped])
        reportLoss(notifier, dropped)
      }
    },
    async stop() {
      shutdown.abort()
      await idle()
      messages.flush()
    },
  }
}

interface EventAttemptServices {
  mayCallPrivateTargets: MayCallPrivateTargets
  concurrency: SendLimit
  /** Aborts a running request. */
  signal: AbortSignal
  /** Milliseconds since 1970. */
  now: () => number
}

interface EventAttempt {
  isSent: boolean
  /** Whether a retry is useless. */
  isFinal: boolean
  /** Whether the receiver wants no more events. */
  isGone: boolean
  /** Milliseconds for which the receiver asks to be left alone. */
  retryAfterMs?: number
  /** HTTP status; 0 without a reply. */
  code: number
  /** The beginning of the reply or an error message: shortened, printable and without secrets. */
  reply: string
}

/** More of a reply than is shown, because secrets are removed. */
const maxBodyBytes = 2048
const goneStatus = 410

/** Sends an event to a notifier once. Redirects are not followed: what is signed is for one address. Never rejects. */
async function attemptEvent(
  notifier: NotifierRow,
  { webhook_id: id, body }: EventMessage,
  { mayCallPrivateTargets, concurrency, signal, now }: EventAttemptServices,
): Promise<EventAttempt> {
  const secrets = notifierSecrets(notifier)
  let isRequest = false
  try {
    const request = webhookRequest(notifier, { id, body }, { headers: headersOf(notifier), now: now() })
    isRequest = true
    const allowPrivate = mayCallPrivateTargets(notifier)
    const reply = await concurrency.run(
      () => guardedRequest(request, { allowPrivate, signal, maxBodyBytes, maxRedirects: 0 }),
      signal,
    )
    const isSent = reply.code >= 200 && reply.code <= 299
    const isGone = reply.code === goneStatus
    return {
      isSent,
      isGone,
      isFinal: isSent || isGone,
      code: reply.code,
      retryAfterMs: retryAfterMs(reply, now()),
      reply: replyExcerpt(reply.body || reply.text, secrets),
    }
  } catch (error) {
    const isFinal = error instanceof TargetNotAllowedError || !isRequest
    return {
      isSent: false,
      isGone: false,
      isFinal,
      code: 0,
      reply: replyExcerpt(errorMessage(error), secrets),
    }
  }
}
