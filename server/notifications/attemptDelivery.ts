import { errorMessage } from '../../src/domain/errors.ts'
import { isPushUrl } from '../../src/schemas/formats/pushUrl.ts'
import { LostBodyError } from '../outbound/guardedRequest.ts'
import type { MayCallPrivateTargets } from '../outbound/privateTargets.ts'
import { TargetNotAllowedError } from '../outbound/resolveTarget.ts'
import { retryAfterMs } from '../outbound/retryAfter.ts'
import type { SendLimit } from '../outbound/untilDurable.ts'
import type { PushKeys } from '../outbound/webPush.ts'
import { notifierSecrets, replyExcerpt } from './excerpts.ts'
import { type MessageLimit, measure, messageLimitOf, shortenMessage } from './messageLimit.ts'
import {
  type DeviceFrame,
  type MessageKind,
  type Notifier,
  type Placeholders,
  prepareNotification,
} from './notifierRequest.ts'

/** A notifier in the database. */
export type NotifierRow = Notifier & {
  id: number
  user_id: number
  has_member_rights?: boolean
  name: string
  format_metric_units?: boolean | null
  /** When its receiver answered that it wants no more events. */
  stopped_at?: string | null
}

/** What is sent: the values of all placeholders, the message among them. */
export interface Outgoing {
  placeholders: Placeholders
  kind?: MessageKind
  /** Sent as `Idempotency-Key`. */
  key?: string
  keepsEnd?: boolean
  /** What it is about, for devices. */
  frame?: DeviceFrame
  /** Whether the message is made as short as every receiver takes it, because this one has refused it. */
  isShort?: boolean
}

export interface AttemptServices {
  mayCallPrivateTargets: MayCallPrivateTargets
  pushKeys: PushKeys
  concurrency: SendLimit
  /** Aborts a running request. */
  signal: AbortSignal
  /** Milliseconds since 1970. */
  now: () => number
}

export interface AttemptResult {
  isSent: boolean
  /** Whether a retry is useless. */
  isFinal: boolean
  /** Whether the receiver may take the message if it is shorter. */
  isTooLong: boolean
  /** Whether the receiver, a device, will never be there again. */
  isGone: boolean
  /** Whether the receiver is called too often, or asks to be tried later. */
  isThrottled: boolean
  /** Milliseconds for which the receiver asks to be left alone. */
  retryAfterMs?: number
  /** HTTP status, or code of a mail server; 0 without a reply. */
  code: number
  /** The beginning of the reply or an error message: shortened, printable and without secrets. */
  reply: string
}

/** More of a reply than is shown, because secrets are removed. */
const maxBodyBytes = 2048
const tooManyRequests = 429
/** Replies to a message that the receiver does not take as it is: it will not take it the next time either. */
const refusedStatuses: readonly number[] = [400, 413]
/** Every messenger takes so much, and every push service: of some scripts, a letter is four bytes. */
const shortLimitOf = ({ url }: Pick<Notifier, 'url'>): MessageLimit =>
  isPushUrl(url) ? { unit: 'json_bytes', max: 1000 } : { unit: 'characters', max: 1000 }

/** Sends a message to a notifier once. Never rejects. */
export async function attemptDelivery(
  notifier: NotifierRow,
  { placeholders, kind, key, keepsEnd, frame, isShort = false }: Outgoing,
  { mayCallPrivateTargets, pushKeys, concurrency, signal, now }: AttemptServices,
): Promise<AttemptResult> {
  const secrets = notifierSecrets(notifier)
  const { NEZHA = '' } = placeholders
  const shortLimit = shortLimitOf(notifier)
  const limit = isShort ? shortLimit : messageLimitOf(notifier)
  const fitting = { ...placeholders, NEZHA: limit ? shortenMessage(NEZHA, limit, { keepsEnd }) : NEZHA }
  let send: ReturnType<typeof prepareNotification> | undefined
  try {
    const prepared = prepareNotification(notifier, fitting, { kind, key, frame, pushKeys })
    send = prepared
    const allowPrivate = mayCallPrivateTargets(notifier)
    const reply = await concurrency.run(() => prepared({ allowPrivate, signal, maxBodyBytes }), signal)
    const { code, body, text, isSent } = reply
    const isRefused = refusedStatuses.includes(code)
    return {
      code,
      isSent,
      isFinal: reply.isFinal || isRefused,
      isTooLong: isRefused && !isShort && measure(fitting.NEZHA, shortLimit) > shortLimit.max,
      isGone: reply.isGone === true,
      isThrottled: code === tooManyRequests || reply.isThrottled === true,
      retryAfterMs: retryAfterMs(reply, now()),
      reply: replyExcerpt(body || text, secrets),
    }
  } catch (error) {
    // Whoever was led to a web page may have been heard before: another try might bring the message twice.
    const isFinal = error instanceof TargetNotAllowedError || error instanceof LostBodyError || send === undefined
    const reply = replyExcerpt(errorMessage(error), secrets)
    return { code: 0, reply, isSent: false, isFinal, isTooLong: false, isGone: false, isThrottled: false }
  }
}
