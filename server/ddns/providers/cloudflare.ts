import type { OutboundRequest } from '../../outbound/sendRequest.ts'
import { type Ask, DdnsFailure, type Provider, possibleZones, readJson } from '../provider.ts'

interface Zone {
  id: string
  name: string
}

interface DnsRecord {
  id: string
  type: string
  name: string
  content: string
}

/** Seconds; the least that every plan allows. */
const ttl = 60

/**
 * Cloudflare's API, version 4. The access secret is an API token that may read the zone and edit its records. Of a
 * record that is there only the address changes: its TTL, its proxy and its comment are somebody's choice.
 */
export const cloudflare =
  (base: string): Provider =>
  async ({ settings, domain, record, address }, ask) => {
    const token = settings.access_secret
    if (token === '') throw new DdnsFailure('The profile has no access secret: enter an API token.', { isFinal: true })
    const client = clientOf(base, token, ask)
    const zone = await zoneOf(domain, client)
    const path = `zones/${encodeURIComponent(zone.id)}/dns_records`
    const listed = await client('GET', `${path}?${new URLSearchParams({ type: record, 'name.exact': domain })}`)
    const present = (listed as DnsRecord[]).filter(({ type, name }) => type === record && isSame(name, domain))
    const [only, another] = present
    if (another) {
      const many = `There are ${present.length} ${record} records named ${domain}: leave one that can be changed.`
      throw new DdnsFailure(many, { isFinal: true })
    }
    if (!only) await client('POST', path, { type: record, name: domain, content: address, ttl, proxied: false })
    else if (only.content !== address)
      await client('PATCH', `${path}/${encodeURIComponent(only.id)}`, { content: address })
  }

type Client = (method: OutboundRequest['method'], path: string, body?: object) => Promise<unknown>

function clientOf(base: string, token: string, ask: Ask): Client {
  return async (method, path, body) => {
    const reply = await ask({
      method,
      url: `${base}/${path}`,
      headers: () => ({ authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }),
      body: body && JSON.stringify(body),
    })
    const { success, result, errors } = readJson(reply)
    if (success !== true) throw failureOf(reply, errors)
    return result ?? []
  }
}

function failureOf({ code, text }: { code: number; text: string }, errors: unknown): DdnsFailure {
  const told = Array.isArray(errors) ? (errors as { code?: unknown; message?: unknown }[]) : []
  const words = told.map((error) => `${error?.message} (${error?.code})`).join('; ')
  return new DdnsFailure(words || text, { isFinal: code === 401 || code === 403 })
}

async function zoneOf(domain: string, client: Client): Promise<Zone> {
  for (const name of possibleZones(domain)) {
    const found = (await client('GET', `zones?${new URLSearchParams({ name })}`)) as Zone[]
    const zone = found.find((one) => isSame(one.name, name))
    if (zone) return zone
  }
  throw new DdnsFailure(`The token reaches no zone that ${domain} is in.`, { isFinal: true })
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
