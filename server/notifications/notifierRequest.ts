import { readTextPairs } from '../../src/schemas/formats/textPairs.ts'
import { guardedRequest } from '../outbound/guardedRequest.ts'
import type { OutboundRequest } from '../outbound/sendRequest.ts'
import { ApiError } from '../wire/apiError.ts'
import { parseJson } from '../wire/parseJson.ts'
import { readTyped } from '../wire/readTyped.ts'

/** A notifier as it is kept. */
export interface Notifier {
  url: string
  request_method: number
  request_type: number
  request_header: string
  request_body: string
  verify_tls: boolean
}

/** What a notice says: `NEZHA` is the message; `SERVER.NAME` and the like are there when it is about a server. */
export type Placeholders = Readonly<Record<string, string>>

/**
 * Tells a notifier something (docs/contract/CONTRACT.md#56-notifiers,
 * docs/contract/CONTRACT.md#9-placeholders-notes-install-commands).
 * @param allowPrivate whether it may lie behind this server
 * @throws ApiError in the words of real servers: not sent, or not taken
 */
export async function sendNotice(notifier: Notifier, placeholders: Placeholders, allowPrivate: boolean): Promise<void> {
  const { code, text } = await guardedRequest(callOf(notifier, placeholders), { allowPrivate })
  if (code < 200 || code > 299) throw new ApiError(`${code}@${text}`)
}

/** The message with the moment it is sent at. @param now milliseconds since 1970 */
export const placeholdersOf = (message: string, now = Date.now()): Placeholders => ({
  NEZHA: message,
  DATETIME: `${new Date(now).toISOString().replace('T', ' ').replace('Z', '')} +0000 UTC`,
})

/** The call that a notice comes to. @throws ApiError for what cannot be sent */
export function callOf(notifier: Notifier, placeholders: Placeholders): OutboundRequest {
  const method = methods[notifier.request_method]
  // These texts are Chinese on real servers too, whatever the language.
  if (!method) throw new ApiError('不支持的请求方式')
  const content = method === 'POST' ? contentOf(notifier, placeholders) : undefined
  return {
    method,
    url: fill(notifier.url, placeholders, (value) => new URLSearchParams({ v: value }).toString().slice('v='.length)),
    headers: () => ({ ...(content && { 'content-type': content.type }), ...headersOf(notifier) }),
    body: content?.body,
    verifyTls: notifier.verify_tls,
  }
}

const methods: Readonly<Record<number, OutboundRequest['method'] | undefined>> = { 1: 'GET', 2: 'POST' }

function contentOf({ request_type, request_body }: Notifier, placeholders: Placeholders) {
  if (request_type === 1) {
    const escaped = (value: string) => JSON.stringify(value).slice(1, -1)
    return { type: 'application/json', body: fill(request_body, placeholders, escaped) }
  }
  if (request_type !== 2) throw new ApiError('不支持的请求类型')
  const pairs = request_body.trim() === '' ? undefined : readTextPairs(request_body)
  if (!pairs) throw new ApiError('wrong type')
  const filled = Object.entries(pairs).map(([name, value]) => [name, fill(value, placeholders, (text) => text)])
  filled.sort(([one = ''], [other = '']) => (one < other ? -1 : 1))
  return { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(filled).toString() }
}

function headersOf({ request_header }: Notifier): Record<string, string> {
  if (request_header === '') return {}
  const type = { kind: 'map', key: 'string', of: { kind: 'string' } } as const
  return (readTyped(parseJson(request_header), type, 'Go value') as Record<string, string> | null) ?? {}
}

function fill(text: string, placeholders: Placeholders, write: (value: string) => string): string {
  return text.replaceAll(/#([A-Z][A-Z0-9.]*)#/g, (whole, name) => {
    const value = placeholders[name]
    return value === undefined ? whole : write(value)
  })
}
