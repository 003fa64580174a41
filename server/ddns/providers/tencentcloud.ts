import { type Ask, DdnsFailure, type Provider, possibleZones, readJson, type Update } from '../provider.ts'
import { tc3Authorization } from './tc3.ts'

interface DnsRecord {
  RecordId: number
  Name: string
  Type: string
  Value: string
  Line: string
  LineId: string
  TTL: number
}

/** The line that serves everybody; the id is the same everywhere, the name is not. */
const everybody = { RecordLine: '默认', RecordLineId: '0' }
const contentType = 'application/json; charset=utf-8'
/** Domains in one reply, and replies at most. */
const pageSize = 300
const pages = 50

/**
 * DNSPod's API, version 3, of Tencent Cloud. Access id and secret are SecretId and SecretKey. Of a record that is
 * there only the address changes.
 * @param now milliseconds since 1970: signatures hold for five minutes
 */
export const tencentcloud =
  (base: string, now: () => number): Provider =>
  async ({ settings, domain, record, address }, ask) => {
    const { access_id: secretId, access_secret: secretKey } = settings
    if (secretId === '' || secretKey === '') {
      throw new DdnsFailure('The profile lacks its access ID or secret: enter SecretId and SecretKey.', {
        isFinal: true,
      })
    }
    const client = clientOf({ base, secretId, secretKey, now, ask })
    const zone = await zoneOf(domain, client)
    const sub = domain === zone ? '@' : domain.slice(0, -zone.length - 1)
    const present = await recordsOf({ zone, sub, record }, client)
    const [only, another] = present
    if (another) {
      const many = `There are ${present.length} ${record} records named ${domain}: leave one that can be changed.`
      throw new DdnsFailure(many, { isFinal: true })
    }
    const content = { Domain: zone, SubDomain: sub, RecordType: record, Value: address }
    if (!only) await client('CreateRecord', { ...content, ...everybody })
    else if (only.Value !== address) {
      const { RecordId, Line: RecordLine, LineId: RecordLineId, TTL } = only
      await client('ModifyRecord', { ...content, RecordId, RecordLine, RecordLineId, TTL })
    }
  }

interface ClientOptions {
  base: string
  secretId: string
  secretKey: string
  now: () => number
  ask: Ask
}

type Client = (action: string, body: object) => Promise<Record<string, unknown>>

function clientOf({ base, now, ask, ...secrets }: ClientOptions): Client {
  return async (action, content) => {
    const body = JSON.stringify(content)
    const timestamp = Math.floor(now() / 1000)
    const { host } = new URL(base)
    const authorization = tc3Authorization({ ...secrets, service: 'dnspod', host, contentType, body, timestamp })
    const reply = await ask({
      method: 'POST',
      url: base,
      headers: () => ({
        authorization,
        'content-type': contentType,
        'x-tc-action': action,
        'x-tc-timestamp': String(timestamp),
        'x-tc-version': '2021-03-23',
      }),
      body,
    })
    const { Response: response } = readJson(reply) as { Response?: Record<string, unknown> }
    if (!response) throw new DdnsFailure(`The provider answered ${reply.text} without a response.`)
    const { Error: error } = response as { Error?: { Code?: string; Message?: string } }
    if (error) throw new TencentError(error.Code ?? '', error.Message ?? '')
    return response
  }
}

class TencentError extends DdnsFailure {
  readonly code: string

  constructor(code: string, message: string) {
    super(`${message} (${code})`, {
      isFinal: code.startsWith('AuthFailure') || code.startsWith('UnauthorizedOperation'),
    })
    this.code = code
  }
}

async function zoneOf(domain: string, client: Client): Promise<string> {
  const names = new Set<string>()
  for (let page = 0; page < pages; page++) {
    const { DomainList } = await client('DescribeDomainList', { Offset: page * pageSize, Limit: pageSize })
    const list = (DomainList ?? []) as { Name?: string; Punycode?: string }[]
    for (const { Name, Punycode } of list) names.add((Punycode || Name || '').toLowerCase())
    if (list.length < pageSize) break
  }
  const zone = possibleZones(domain.toLowerCase()).find((name) => names.has(name))
  if (!zone) throw new DdnsFailure(`The account has no domain that ${domain} is in.`, { isFinal: true })
  return zone
}

async function recordsOf(
  { zone, sub, record }: { zone: string; sub: string; record: Update['record'] },
  client: Client,
): Promise<DnsRecord[]> {
  try {
    const { RecordList } = await client('DescribeRecordList', { Domain: zone, Subdomain: sub, RecordType: record })
    const list = (RecordList ?? []) as DnsRecord[]
    return list.filter(({ Name, Type }) => Name.toLowerCase() === sub.toLowerCase() && Type === record)
  } catch (error) {
    // An empty list is an error there.
    if (error instanceof TencentError && error.code === 'ResourceNotFound.NoDataOfRecord') return []
    throw error
  }
}
