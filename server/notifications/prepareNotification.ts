import { isMailUrl, readMailUrl } from '../../src/schemas/formats/mailUrl.ts'
import { type GuardedRequestOptions, guardedRequest } from '../outbound/guardedRequest.ts'
import { type MailReply, sendMail } from '../outbound/sendMail.ts'
import type { OutboundRequest } from '../outbound/sendRequest.ts'
import { newEvent, startOf } from '../webhooks/newEvent.ts'
import { webhookRequest } from '../webhooks/webhookRequest.ts'
import { ApiError } from '../wire/apiError.ts'
import { messageExcerpt } from './excerpts.ts'
import { fillPlaceholders, headersOf, type Notifier, notifierRequest, type Placeholders } from './notifierRequest.ts'

/** What a receiver answered. */
export interface NotifierReply extends MailReply {
  /** The beginning of the body, as far as it was requested. */
  body: string
  /** The header `Retry-After`, as it was sent. */
  retryAfter?: string
}

export type SendOptions = Pick<GuardedRequestOptions, 'allowPrivate' | 'signal' | 'maxBodyBytes'>

/** What is sent: a message of a group, or that of a test. */
export type MessageKind = 'message' | 'test'

/**
 * A notification as its notifier sends it: an HTTP request, a mail, or an event.
 * @param kind the type of the event, for notifiers that get events
 * @param key what tells this message from others, the same at each try; for requests that are no events
 * @returns a function that sends it once @throws ApiError when the notifier's fields are invalid
 */
export function prepareNotification(
  notifier: Notifier,
  placeholders: Placeholders,
  kind: MessageKind = 'message',
  key?: string,
): (options: SendOptions) => Promise<NotifierReply> {
  if (notifier.send_events) return sender(messageEvent(notifier, placeholders, kind), { maxRedirects: 0 })
  if (isMailUrl(notifier.url)) return prepareMail(notifier, placeholders)
  return sender(notifierRequest(notifier, placeholders, key), {})
}

/** A message as the request of a notifier that gets events. @throws ApiError when the notifier's fields are invalid */
export function messageEvent(notifier: Notifier, { NEZHA = '' }: Placeholders, kind: MessageKind): OutboundRequest {
  const now = Date.now()
  const event = newEvent(kind, { text: startOf(NEZHA) }, now)
  return webhookRequest(notifier, event, { headers: headersOf(notifier), now })
}

function sender(request: OutboundRequest, rules: Pick<GuardedRequestOptions, 'maxRedirects'>) {
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
