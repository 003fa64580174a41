import { createHmac } from 'node:crypto'

/**
 * The signature of a request as Standard Webhooks has it: HMAC-SHA256 over id, time and body with dots between them.
 * @param timestamp seconds since 1970 @returns `v1,` and the signature in base64
 */
export function webhookSignature(key: Uint8Array, id: string, timestamp: number, body: string): string {
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}
