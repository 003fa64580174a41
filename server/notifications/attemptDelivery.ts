import { errorMessage } from '../../src/domain/errors.ts'
import { isPushUrl } from '../../src/schemas/formats/pushUrl.ts'
import { notification } from '../../src/schemas/notification.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { TargetNotAllowedError } from '../outbound/dial.ts'
import { LostBodyError } from '../outbound/guardedRequest.ts'
import type { MayCallPrivateTargets } from '../outbound/privateTargets.ts'
import { retryAfterMs } from '../outbound/reply.ts'
import type { SendLimit } from '../outbound/untilDurable.ts'
import type { PushKeys } from '../outbound/webPush.ts'
import type { Messages } from '../site/messages.ts'
import { isoTime } from '../webhooks/newEvent.ts'
import { messageExcerpt, notifierSecrets, replyExcerpt } from './excerpts.ts'
import { type MessageLimit, measure, messageLimitOf, shortenMessage } from './messageLimit.ts'
import {
  type DeviceFrame,
  type MessageKind,
  messagePlaceholders,
  type Notifier,
  type Placeholders,
  prepareNotification,
} from './notifierRequest.ts'
import type { WaitingMessage } from './outbox.ts'
import type { RepeatThrottle } from './repeatThrottle.ts'

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

/** A message that a notifier will never deliver, or what an event was about. */
export type LostMessage = Pick<WaitingMessage, 'group_id' | 'group_name' | 'service_id' | 'message'> &
  Partial<Pick<WaitingMessage, 'incident_id' | 'of_loss' | 'placeholders'>>

/** What happens when something was given up: people must not wait for it. */
export interface Losses {
  /**
   * Its notifier says so, and another one of the group tells people, with growing pauses.
   * @param result of the last try; `undefined` where there was none
   * @param mayKnow whether the owner of another notifier may know what it was about. Default: everybody in the group may
   */
  lost(
    message: LostMessage,
    notifier: NotifierRow,
    result?: Pick<AttemptResult, 'code' | 'reply'>,
    mayKnow?: (other: NotifierRow) => boolean,
  ): void
  /** A notifier has delivered something: the next loss is told at once. */
  arrived(notifierId: number): void
}

interface LossServices {
  undelivered: Undelivered
  throttle: Pick<RepeatThrottle, 'allows' | 'reset'>
  /** The notifiers of a group that send messages. */
  sendersOf: (groupId: number) => NotifierRow[]
  /** Sends to one of them. */
  send: (notifier: NotifierRow, message: LostMessage & Pick<WaitingMessage, 'placeholders'>) => void
  messages: Messages
  /** Milliseconds since 1970. */
  now: () => number
}

export function createLosses({ undelivered, throttle, sendersOf, send, messages, now }: LossServices): Losses {
  return {
    lost(lost, notifier, result, mayKnow = () => true) {
      undelivered.lost(notifier.id, result)
      if (lost.of_loss) return
      const other = sendersOf(lost.group_id).find((one) => one.id !== notifier.id && mayKnow(one))
      if (!other || !throttle.allows(keyOf(notifier.id))) return
      const message = messages('not_delivered', { notifier: notifier.name, message: messageExcerpt(lost.message) })
      const placeholders = { ...lost.placeholders, ...messagePlaceholders(message, now()) }
      const { group_id, group_name, service_id, incident_id } = lost
      send(other, { group_id, group_name, service_id, incident_id, message, placeholders, of_loss: true })
    },
    arrived(notifierId) {
      throttle.reset(keyOf(notifierId))
      undelivered.clear(notifierId)
    },
  }
}

/** The pauses between notices that a notifier does not deliver. */
const keyOf = (notifierId: number) => `loss of ${notifierId}`

/** Notifiers that did not deliver something: they say so until they deliver again, or somebody has seen it. */
export interface Undelivered {
  /** Something was given up. @param result of the last try; `undefined` where there was none */
  lost(notifierId: number, result?: Pick<AttemptResult, 'code' | 'reply'>): void
  /** Something was delivered, or somebody has seen that it was not. */
  clear(notifierId: number): void
}

/** The fields of a notifier of which nothing is known to be lost. */
export const nothingUndelivered = { undelivered_at: '', undelivered_cause: '' }

/** @param now milliseconds since 1970 */
export function createUndelivered(store: Store, now: () => number): Undelivered {
  const notifiers = entityTable(store, notification)
  return {
    lost(id, { code, reply } = { code: 0, reply: '' }) {
      const row = notifiers.get(id)
      if (!row) return
      const undelivered_cause = !code || reply.startsWith(String(code)) ? reply : `${code} ${reply}`.trim()
      if (row.undelivered_at && row.undelivered_cause === undelivered_cause) return
      const undelivered_at = row.undelivered_at || isoTime(now())
      store.eventually(() => void notifiers.update(id, { undelivered_at, undelivered_cause }))
    },
    clear(id) {
      if (notifiers.get(id)?.undelivered_at) store.eventually(() => void notifiers.update(id, nothingUndelivered))
    },
  }
}
