import { createHmac, timingSafeEqual } from 'node:crypto'
import { type WebhookEvent, webhookEvent } from '../../../src/schemas/webhooks/webhookEvent.ts'
import type { ReceivedRequest } from './receiver.ts'

/** A signing secret for tests. */
export const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`

/** The event of a request, as a careful receiver reads it. @throws when its signature or its shape is wrong */
export function verifiedEvent({ headers, body }: ReceivedRequest, key = secret): WebhookEvent {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers
  const expected = createHmac('sha256', Buffer.from(key.slice('whsec_'.length), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')
  const given = Buffer.from(String(signature).replace(/^v1,/, ''))
  if (given.length !== expected.length || !timingSafeEqual(given, Buffer.from(expected))) {
    throw new Error(`wrong signature: ${signature}`)
  }
  const event = webhookEvent.parse(JSON.parse(body))
  if (event.id !== id) throw new Error(`the header has the id ${id}, the event ${event.id}`)
  return event
}
