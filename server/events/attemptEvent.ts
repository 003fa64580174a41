import { errorMessage } from '../../src/domain/errors.ts'
import type { NotifierRow } from '../notifications/attemptDelivery.ts'
import { notifierSecrets, replyExcerpt } from '../notifications/excerpts.ts'
import { headersOf } from '../notifications/notifierRequest.ts'
import { guardedRequest } from '../outbound/guardedRequest.ts'
import type { MayCallPrivateTargets } from '../outbound/privateTargets.ts'
import { TargetNotAllowedError } from '../outbound/resolveTarget.ts'
import { retryAfterMs } from '../outbound/retryAfter.ts'
import type { SendLimit } from '../outbound/untilDurable.ts'
import { webhookRequest } from '../webhooks/webhookRequest.ts'
import type { EventMessage } from './eventMessages.ts'

export interface EventAttemptServices {
  mayCallPrivateTargets: MayCallPrivateTargets
  concurrency: SendLimit
  /** Aborts a running request. */
  signal: AbortSignal
  /** Milliseconds since 1970. */
  now: () => number
}

export interface EventAttempt {
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
export async function attemptEvent(
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
