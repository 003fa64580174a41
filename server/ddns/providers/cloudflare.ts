import { z } from 'zod'
import { fieldsIn } from '../../../src/schemas/define/values.ts'
import type { OutboundRequest } from '../../outbound/sendRequest.ts'
import { type CallProvider, DdnsError, type ProviderFactory, possibleZones, readJson, readList } from './provider.ts'

const zone = z.object({ id: z.string(), name: z.string() })
const dnsRecord = z.object({ id: z.string(), type: z.string(), name: z.string(), content: z.string() })

/** Seconds; the minimum of all plans. */
const ttl = 60

/**
 * Cloudflare's API, version 4. The access secret is an API token that may read the zone and edit its records. An
 * existing record keeps its TTL, proxy setting and comment; only its address changes.
 */
export const cloudflare: ProviderFactory =
  ({ url: base = 'https://api.cloudflare.com/client/v4' }) =>
  async ({ settings, domain, record, address }, call) => {
    const token = settings.access_secret
    if (token === '') throw new DdnsError('The profile has no access secret: enter an API token.', { isFinal: true })
    const client = createClient(base, token, call)
    const { id } = await findZone(domain, client)
    const path = `zones/${encodeURIComponent(id)}/dns_records`
    const listed = await client('GET', `${path}?${new URLSearchParams({ type: record, 'name.exact': domain })}`)
    const existing = readList(listed, dnsRecord).filter(({ type, name }) => type === record && isSameName(name, domain))
    const [only, another] = existing
    if (another) {
      const message = `There are ${existing.length} ${record} records named ${domain}: leave one that can be changed.`
      throw new DdnsError(message, { isFinal: true })
    }
    if (!only) await client('POST', path, { type: record, name: domain, content: address, ttl, proxied: false })
    else if (only.content !== address)
      await client('PATCH', `${path}/${encodeURIComponent(only.id)}`, { content: address })
  }

type Client = (method: OutboundRequest['method'], path: string, body?: object) => Promise<unknown>

function createClient(base: string, token: string, call: CallProvider): Client {
  return async (method, path, body) => {
    const reply = await call({
      method,
      url: `${base}/${path}`,
      headers: () => ({ authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }),
      body: body && JSON.stringify(body),
    })
    const { success, result, errors } = readJson(reply)
    if (success !== true) throw apiError(reply, errors)
    return result ?? []
  }
}

function apiError({ code, text }: { code: number; text: string }, errors: unknown): DdnsError {
  const errorList = Array.isArray(errors) ? errors.map(fieldsIn) : []
  const message = errorList.map((error) => `${error.message} (${error.code})`).join('; ')
  return new DdnsError(message || text, { isFinal: code === 401 || code === 403 })
}

async function findZone(domain: string, client: Client): Promise<z.output<typeof zone>> {
  for (const name of possibleZones(domain)) {
    const found = readList(await client('GET', `zones?${new URLSearchParams({ name })}`), zone)
    const reached = found.find((one) => isSameName(one.name, name))
    if (reached) return reached
  }
  throw new DdnsError(`The token reaches no zone that ${domain} is in.`, { isFinal: true })
}

const isSameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
