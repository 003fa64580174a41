import { isMailUrl, readMailUrl } from '../../src/schemas/formats/mailUrl.ts'
import { isPushUrl } from '../../src/schemas/formats/pushUrl.ts'
import { type GuardedRequestOptions, guardedRequest } from '../outbound/guardedRequest.ts'
import { type MailReply, sendMail } from '../outbound/sendMail.ts'
import type { OutboundRequest } from '../outbound/sendRequest.ts'
import type { PushKeys } from '../outbound/webPush.ts'
import { newEvent, startOf } from '../webhooks/newEvent.ts'
import { webhookRequest } from '../webhooks/webhookRequest.ts'
import { ApiError } from '../wire/apiError.ts'
import { type DeviceFrame, deviceMessage } from './deviceMessage.ts'
import { messageExcerpt } from './excerpts.ts'
import { fillPlaceholders, headersOf, type Notifier, notifierRequest, type Placeholders } from './notifierRequest.ts'
import { refusalInBody } from './refusalInBody.ts'

/** What a receiver answered. */
export interface NotifierReply extends MailReply {
  /** The beginning of the body, as far as it was requested. */
  body: string
  /** The header `Retry-After`, as it was sent. */
  retryAfter?: string
  /** Whether the receiver, a device, will never be there again. */
  isGone?: boolean
}

export type SendOptions = Pick<GuardedRequestOptions, 'allowPrivate' | 'signal' | 'maxBodyBytes'>

/** What is sent: a message of a group, or that of a test. */
export type MessageKind = 'message' | 'test'

interface MessageOptions {
  /** The type of the event, for notifiers that get events. Default: a message. */
  kind?: MessageKind
  /** What tells this message from others, the same at each try; for requests that are no events. */
  key?: string
  /** What it is about, for devices. Default: nothing that can be opened. */
  frame?: DeviceFrame
  pushKeys: PushKeys
}

/**
 * A notification as its notifier sends it: an HTTP request, a mail, an event, or a message to a device.
 * @returns a function that sends it once @throws ApiError when the notifier's fields are invalid
 */
export function prepareNotification(
  notifier: Notifier,
  placeholders: Placeholders,
  { kind = 'message', key, frame, pushKeys }: MessageOptions,
): (options: SendOptions) => Promise<NotifierReply> {
  if (isPushUrl(notifier.url)) {
    const send = sender(deviceMessage(notifier, placeholders, { frame, pushKeys }), { maxRedirects: 0 })
    return async (options) => withoutDevice(await send(options))
  }
  if (notifier.send_events) return sender(messageEvent(notifier, placeholders, kind), { maxRedirects: 0 })
  if (isMailUrl(notifier.url)) return prepareMail(notifier, placeholders)
  const request = notifierRequest(notifier, placeholders, key)
  const send = sender(request, { mustArrive: true })
  return async (options) => judged(request, await send({ maxBodyBytes: answerBytes, ...options }))
}

/** Bytes of an answer in which a receiver may say that it has not taken the message. */
const answerBytes = 2048

function judged({ url }: OutboundRequest, reply: NotifierReply): NotifierReply {
  const refusal = reply.isSent ? refusalInBody(url, reply.body) : undefined
  return refusal ? { ...reply, ...refusal, isSent: false, isFinal: false, text: reply.body } : reply
}

/** With these, a push service says that somebody has switched messages off on the device, or that it is not known. */
const goneStatuses: readonly number[] = [404, 410]

function withoutDevice(reply: NotifierReply): NotifierReply {
  const isGone = goneStatuses.includes(reply.code)
  return { ...reply, isGone, isFinal: reply.isFinal || isGone }
}

/** A message as the request of a notifier that gets events. @throws ApiError when the notifier's fields are invalid */
export function messageEvent(notifier: Notifier, { NEZHA = '' }: Placeholders, kind: MessageKind): OutboundRequest {
  const now = Date.now()
  const event = newEvent(kind, { text: startOf(NEZHA) }, now)
  return webhookRequest(notifier, event, { headers: headersOf(notifier), now })
}

function sender(request: OutboundRequest, rules: Pick<GuardedRequestOptions, 'maxRedirects' | 'mustArrive'>) {
  return async (options: SendOptions): Promise<NotifierReply> => {
    const { code, text, body, retryAfter } = await guardedRequest(request, { ...options, ...rules })
    const isSent = code >= 200 && code <= 299
    return { isSent, isFinal: isSent, code, text, body, retryAfter }
  }
}

/** A notification as a mail. @throws ApiError when it is not a mail address */
export function mailOf({ url: address }: Pick<Notifier, 'url'>, placeholders: Placeholders) {
  const url = readMailUrl(address)
  if (!url) throw new ApiError('the mail address needs the form smtps://user:password@host:465/?from=…&to=…')
  const text = placeholders.NEZHA ?? ''
  const subject = messageExcerpt(fillPlaceholders(url.subject || text, placeholders, (value) => value))
  return { url, subject, text }
}

function prepareMail(notifier: Notifier, placeholders: Placeholders) {
  const mail = { ...mailOf(notifier, placeholders), verifyTls: notifier.verify_tls }
  return async ({ allowPrivate, signal }: SendOptions): Promise<NotifierReply> => ({
    ...(await sendMail(mail, { allowPrivate, signal })),
    body: '',
  })
}
