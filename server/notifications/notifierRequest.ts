import { parseStringMap } from '../../src/schemas/formats/stringMap.ts'
import type { OutboundRequest } from '../outbound/sendRequest.ts'
import { ApiError } from '../wire/apiError.ts'
import { parseJson } from '../wire/parseJson.ts'
import { readTyped } from '../wire/readTyped.ts'

/** The fields of a notifier that make its request. */
export interface Notifier {
  url: string
  request_method: number
  request_type: number
  request_header: string
  request_body: string
  verify_tls: boolean
  /** Whether it gets events as JSON in place of messages. */
  send_events?: boolean | null
  signing_secret?: string | null
}

/** Values by placeholder: `NEZHA` is the message; `SERVER.NAME` etc. exist when it is about a server. */
export type Placeholders = Readonly<Record<string, string>>

/** The message and the time. @param now milliseconds since 1970 */
export const messagePlaceholders = (message: string, now = Date.now()): Placeholders => ({
  NEZHA: message,
  DATETIME: `${new Date(now).toISOString().replace('T', ' ').replace('Z', '')} +0000 UTC`,
})

/**
 * The HTTP request for a notification.
 * @param key sent as `Idempotency-Key`, unless the notifier has such a header itself
 * @throws ApiError when the notifier's fields are invalid
 */
export function notifierRequest(notifier: Notifier, placeholders: Placeholders, key = ''): OutboundRequest {
  const method = methods[notifier.request_method]
  // Real servers have these texts in Chinese, whatever the language.
  if (!method) throw new ApiError('不支持的请求方式')
  const content = method === 'POST' ? contentOf(notifier, placeholders) : undefined
  return {
    method,
    url: fillPlaceholders(notifier.url, placeholders, (value) =>
      new URLSearchParams({ v: value }).toString().slice('v='.length),
    ),
    headers: () => ({
      ...(content && { 'content-type': content.type }),
      ...(key && { 'idempotency-key': key }),
      ...headersOf(notifier),
    }),
    body: content?.body,
    verifyTls: notifier.verify_tls,
  }
}

const methods: Readonly<Record<number, OutboundRequest['method'] | undefined>> = { 1: 'GET', 2: 'POST' }

function contentOf({ request_type, request_body }: Notifier, placeholders: Placeholders) {
  if (request_type === 1) {
    const escaped = (value: string) => JSON.stringify(value).slice(1, -1)
    return { type: 'application/json', body: fillPlaceholders(request_body, placeholders, escaped) }
  }
  if (request_type !== 2) throw new ApiError('不支持的请求类型')
  const pairs = request_body.trim() === '' ? undefined : parseStringMap(request_body)
  if (!pairs) throw new ApiError('wrong type')
  const filled = Object.entries(pairs).map(([name, value]) => [
    name,
    fillPlaceholders(value, placeholders, (text) => text),
  ])
  filled.sort(([one = ''], [other = '']) => (one < other ? -1 : 1))
  return { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(filled).toString() }
}

/** The headers that its author wants. @throws ApiError when they are no JSON object of texts */
export function headersOf({ request_header }: Pick<Notifier, 'request_header'>): Record<string, string> {
  if (request_header === '') return {}
  const type = { kind: 'map', key: 'string', of: { kind: 'string' } } as const
  return (readTyped(parseJson(request_header), type, 'Go value') as Record<string, string> | null) ?? {}
}

/** @param encode makes a value fit the text that it is put into */
export function fillPlaceholders(text: string, placeholders: Placeholders, encode: (value: string) => string): string {
  return text.replaceAll(/#([A-Z][A-Z0-9.]*)#/g, (whole, name) => {
    const value = placeholders[name]
    return value === undefined ? whole : encode(value)
  })
}
