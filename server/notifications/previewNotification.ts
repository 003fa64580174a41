import type { ReplyDataOf } from '../../src/schemas/define/endpoint.ts'
import type { notifierPreviewEndpoints } from '../../src/schemas/endpoints/notifierPreviewEndpoints.ts'
import { isMailUrl } from '../../src/schemas/formats/mailUrl.ts'
import { readPushUrl } from '../../src/schemas/formats/pushUrl.ts'
import { newSigningSecret } from '../../src/schemas/webhooks/signingSecret.ts'
import type { OutboundRequest } from '../outbound/sendRequest.ts'
import { isTokenLike, notifierSecrets } from './excerpts.ts'
import { type Notifier, notifierRequest, type Placeholders } from './notifierRequest.ts'
import { type MessageKind, mailOf, messageEvent } from './prepareNotification.ts'

type NotifierPreview = ReplyDataOf<typeof notifierPreviewEndpoints.previewNotifier>

/**
 * The message that a notifier would send, made by the code that sends it, with `…` in the place of everything that may
 * be a secret: passwords, tokens, and the values of headers. Nothing is sent.
 * @throws ApiError when the notifier's fields are invalid
 */
export function previewNotification(
  notifier: Notifier,
  placeholders: Placeholders,
  kind: MessageKind = 'message',
): NotifierPreview {
  const names = URL.canParse(notifier.url) ? [...new URL(notifier.url).searchParams.keys()] : []
  const isPlain = (text: string) => text in placeholders || (names.includes(text) && !isTokenLike(text))
  const secrets = notifierSecrets(notifier).filter((text) => !isPlain(text))
  const url = withoutSecrets(notifier.url, secrets)
  if (notifier.send_events) {
    // Any key will do: the signature is not shown.
    const signed = { ...notifier, url, signing_secret: newSigningSecret() }
    const shown = ['content-type', 'webhook-id', 'webhook-timestamp']
    return shownRequest(messageEvent(signed, placeholders, kind), (name) => !shown.includes(name))
  }
  if (isMailUrl(notifier.url)) {
    const { url: mail, subject, text } = mailOf(notifier, placeholders)
    return {
      method: 'MAIL',
      url: `${mail.host}:${mail.port}`,
      headers: [
        { name: 'From', value: mail.from },
        { name: 'To', value: mail.to.join(', ') },
        { name: 'Subject', value: subject },
      ],
      body: text,
    }
  }
  const device = readPushUrl(notifier.url)
  if (device) return { method: 'PUSH', url: new URL(device.endpoint).host, headers: [], body: placeholders.NEZHA ?? '' }
  // Before the placeholders are filled in: what they bring is the message.
  const request = notifierRequest(
    {
      ...notifier,
      url,
      request_body: withoutSecrets(notifier.request_body, secrets.filter(isTokenLike)),
    },
    placeholders,
  )
  return shownRequest(request, (name) => name !== 'content-type')
}

/** @param isHidden whether the value of a header may be a secret */
const shownRequest = (request: OutboundRequest, isHidden: (name: string) => boolean): NotifierPreview => ({
  method: request.method,
  url: request.url,
  headers: Object.entries(request.headers()).map(([name, value]) => ({ name, value: isHidden(name) ? '…' : value })),
  ...(request.body !== undefined && { body: String(request.body) }),
})

const withoutSecrets = (text: string, secrets: readonly string[]) =>
  secrets.reduce((masked, secret) => masked.replaceAll(secret, '…'), text)
