import { randomUUID } from 'node:crypto'
import { eventVersion, type WebhookEvent } from '../../src/schemas/webhooks/webhookEvent.ts'

/** An event as it is sent, the same at every try. */
export interface EventBody {
  /** Without a dot, which separates it from what follows where it is signed. */
  id: string
  /** The JSON. */
  body: string
}

export type DataOf<Type extends WebhookEvent['type']> = Extract<WebhookEvent, { type: Type }>['data']

/** @param at when it happened, in milliseconds since 1970 */
export function newEvent<Type extends WebhookEvent['type']>(type: Type, data: DataOf<Type>, at: number): EventBody {
  const id = `evt_${randomUUID().replaceAll('-', '')}`
  return { id, body: JSON.stringify({ version: eventVersion, id, type, timestamp: isoTime(at), data }) }
}

/** A time in an event. @param at milliseconds since 1970 */
export const isoTime = (at: number): string => new Date(at).toISOString()

/** Characters of a text in an event; messages and output may be long. */
const maxTextLength = 1000

/** The beginning of a text that is too long. */
export function startOf(text: string): string {
  const characters = [...text]
  return characters.length <= maxTextLength ? text : `${characters.slice(0, maxTextLength - 1).join('')}…`
}

/** The end of a text that is too long: of an output, it says most. */
export function endOf(text: string): { text: string; isCut: boolean } {
  const characters = [...text]
  const isCut = characters.length > maxTextLength
  return { text: isCut ? characters.slice(-maxTextLength).join('') : text, isCut }
}
