import { webhookMethods } from '../../../src/schemas/ddns.ts'
import { requestTypes } from '../../../src/schemas/formats/requestTypes.ts'
import { parseStringMap } from '../../../src/schemas/formats/stringMap.ts'
import type { OutboundRequest } from '../../outbound/sendRequest.ts'
import { type FillTemplate, templateFiller } from '../../webhooks/templateFiller.ts'
import { jsonObject } from '../../wire/jsonObject.ts'
import { DdnsError, finalResults, type Provider, type Update } from './provider.ts'

/**
 * Tells a web address that the profile names (docs/contract/CONTRACT.md#9-placeholders-notes-install-commands, "DDNS
 * webhook"). Any status from 200 to 299 is fine, unless the reply is one of those with which DNS services refuse.
 */
export const webhook: Provider = async (update, call) => {
  const { code, text, body } = await call(webhookRequest(update))
  const said = body.trim()
  if (code < 200 || code > 299) throw new DdnsError(said === '' ? text : `${text}: ${said}`)
  const [result = ''] = said.split(/\s/)
  if (finalResults.has(result)) throw new DdnsError(said, { isFinal: true })
  if (passingResults.has(result) || isRefusal(said)) throw new DdnsError(said)
}

/** Results of the DynDNS update protocol for which a retry is of use, and that of DuckDNS, which gives no reason. */
const passingResults: ReadonlySet<string> = new Set(['dnserr', '911', 'KO'])

/** Whether a reply with a good status says in JSON, or as Namecheap does, that nothing was updated. */
function isRefusal(said: string): boolean {
  if (/<ErrCount>[1-9]/.test(said)) return true
  const { success, ok } = jsonObject(said) ?? {}
  return success === false || ok === false
}

const methods: Readonly<Record<number, string | undefined>> = webhookMethods
const types: Readonly<Record<number, string | undefined>> = requestTypes

/** The HTTP request for an update. @throws DdnsError when the profile's settings are invalid */
export function webhookRequest(update: Update): Omit<OutboundRequest, 'verifyTls'> {
  const { settings } = update
  const method = methods[settings.webhook_method]?.toUpperCase() as OutboundRequest['method'] | undefined
  if (!method) throw unknownSetting('webhook method', settings.webhook_method)
  const fill = templateFiller(/#([a-z_]+)#/g, placeholdersOf(update))
  // Real servers send no body with these methods.
  const content = method === 'GET' || method === 'DELETE' ? undefined : contentOf(update, fill)
  const customHeaders = parseStringMap(settings.webhook_headers)
  if (!customHeaders) throw new DdnsError('The webhook headers are no JSON object of texts.', { isFinal: true })
  const headers = Object.entries(customHeaders).map(([name, value]) => [name, fill(value, (text) => text)])
  return {
    method,
    // Encoded so that it is safe in the path and in the query.
    url: fill(settings.webhook_url, encodeURIComponent),
    headers: () => ({ ...(content && { 'content-type': content.type }), ...Object.fromEntries(headers) }),
    body: content?.body,
  }
}

function contentOf({ settings }: Update, fill: FillTemplate) {
  const body = settings.webhook_request_body
  const type = types[settings.webhook_request_type]
  if (type === 'json') {
    const escaped = (text: string) => JSON.stringify(text).slice(1, -1)
    return { type: 'application/json', body: fill(body, escaped) }
  }
  if (type !== 'form') throw unknownSetting('webhook request type', settings.webhook_request_type)
  const pairs = parseStringMap(body)
  if (!pairs) throw new DdnsError('The webhook request body is no JSON object of texts.', { isFinal: true })
  const filled = Object.entries(pairs).map(([name, value]) => [name, fill(value, (text) => text)])
  return { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(filled).toString() }
}

const placeholdersOf = ({ settings, domain, record, address }: Update) => ({
  ip: address,
  domain,
  type: record === 'A' ? 'ipv4' : 'ipv6',
  record,
  access_id: settings.access_id,
  access_secret: settings.access_secret,
})

const unknownSetting = (what: string, value: number) =>
  new DdnsError(`The profile has an unknown ${what}, ${value}.`, { isFinal: true })
