import { createHmac } from 'node:crypto'
import { isMailUrl } from '../../src/schemas/formats/mailUrl.ts'
import { signingKey } from '../../src/schemas/webhooks/signingSecret.ts'
import type { OutboundRequest } from '../outbound/sendRequest.ts'
import { ApiError } from '../wire/apiCall.ts'
import type { EventBody } from './newEvent.ts'

/** What a request with an event needs of its notifier. */
export interface WebhookReceiver {
  url: string
  verify_tls: boolean
  signing_secret?: string | null
}

/**
 * The request with an event, signed at this moment.
 * @param headers those that its author wants besides @param now milliseconds since 1970
 * @throws ApiError when the notifier cannot get events
 */
export function webhookRequest(
  receiver: WebhookReceiver,
  { id, body }: EventBody,
  { headers, now }: { headers: Readonly<Record<string, string>>; now: number },
): OutboundRequest {
  const key = checkReceiver(receiver)
  const timestamp = Math.floor(now / 1000)
  return {
    method: 'POST',
    url: receiver.url,
    headers: () => ({
      ...headers,
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': webhookSignature(key, id, timestamp, body),
    }),
    body,
    verifyTls: receiver.verify_tls,
  }
}

/** @returns the key of its signatures @throws ApiError with what to do where a notifier cannot get events */
export function checkReceiver({ url, signing_secret }: Omit<WebhookReceiver, 'verify_tls'>): Uint8Array {
  if (isMailUrl(url)) throw new ApiError('send_events: events are not sent by mail: use a web address')
  const key = signingKey(signing_secret ?? '')
  if (key) return key
  throw new ApiError('signing_secret: events are signed: enter whsec_ and 24 to 64 random bytes in base64')
}

/**
 * The signature of a request as Standard Webhooks has it: HMAC-SHA256 over id, time and body with dots between them.
 * @param timestamp seconds since 1970 @returns `v1,` and the signature in base64
 */
export function webhookSignature(key: Uint8Array, id: string, timestamp: number, body: string): string {
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}
