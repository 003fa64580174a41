import type { ReplyDataOf } from '../../src/schemas/define/endpoint.ts'
import type { endpoints } from '../../src/schemas/endpoints/index.ts'
import { isMailUrl } from '../../src/schemas/formats/mailUrl.ts'
import { isTokenLike, notifierSecrets } from './excerpts.ts'
import { type Notifier, notifierRequest, type Placeholders } from './notifierRequest.ts'
import { mailOf } from './prepareNotification.ts'

type NotifierPreview = ReplyDataOf<typeof endpoints.previewNotifier>

/**
 * The message that a notifier would send, made by the code that sends it, with `…` in the place of everything that may
 * be a secret: passwords, tokens, and the values of headers. Nothing is sent.
 * @throws ApiError when the notifier's fields are invalid
 */
export function previewNotification(notifier: Notifier, placeholders: Placeholders): NotifierPreview {
  const names = URL.canParse(notifier.url) ? [...new URL(notifier.url).searchParams.keys()] : []
  const isPlain = (text: string) => text in placeholders || (names.includes(text) && !isTokenLike(text))
  const secrets = notifierSecrets(notifier).filter((text) => !isPlain(text))
  if (isMailUrl(notifier.url)) {
    const { url, subject, text } = mailOf(notifier, placeholders)
    return {
      method: 'MAIL',
      url: `${url.host}:${url.port}`,
      headers: [
        { name: 'From', value: url.from },
        { name: 'To', value: url.to.join(', ') },
        { name: 'Subject', value: subject },
      ],
      body: text,
    }
  }
  // Before the placeholders are filled in: what they bring is the message.
  const request = notifierRequest(
    {
      ...notifier,
      url: withoutSecrets(notifier.url, secrets),
      request_body: withoutSecrets(notifier.request_body, secrets.filter(isTokenLike)),
    },
    placeholders,
  )
  const own = new Set(Object.keys(request.headers()).filter((name) => name !== 'content-type'))
  return {
    method: request.method,
    url: request.url,
    headers: Object.entries(request.headers()).map(([name, value]) => ({ name, value: own.has(name) ? '…' : value })),
    ...(request.body !== undefined && { body: String(request.body) }),
  }
}

const withoutSecrets = (text: string, secrets: readonly string[]) =>
  secrets.reduce((masked, secret) => masked.replaceAll(secret, '…'), text)
