import { isMailUrl, readMailUrl } from '../../src/schemas/formats/mailUrl.ts'
import { type GuardedRequestOptions, guardedRequest } from '../outbound/guardedRequest.ts'
import { type MailReply, sendMail } from '../outbound/sendMail.ts'
import { ApiError } from '../wire/apiError.ts'
import { messageExcerpt } from './excerpts.ts'
import { fillPlaceholders, type Notifier, notifierRequest, type Placeholders } from './notifierRequest.ts'

/** What a receiver answered. */
export interface NotifierReply extends MailReply {
  /** The beginning of the body, as far as it was requested. */
  body: string
}

export type SendOptions = Pick<GuardedRequestOptions, 'allowPrivate' | 'signal' | 'maxBodyBytes'>

/**
 * A notification as its notifier sends it: an HTTP request, or a mail.
 * @returns sends it once @throws ApiError when the notifier's fields are invalid
 */
export function prepareNotification(
  notifier: Notifier,
  placeholders: Placeholders,
): (options: SendOptions) => Promise<NotifierReply> {
  if (isMailUrl(notifier.url)) return prepareMail(notifier, placeholders)
  const request = notifierRequest(notifier, placeholders)
  return async (options) => {
    const { code, text, body } = await guardedRequest(request, options)
    const isSent = code >= 200 && code <= 299
    return { isSent, isFinal: isSent, code, text, body }
  }
}

/** A notification as a mail. @throws ApiError when the address is none of a mail */
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
