import { createHash, createHmac } from 'node:crypto'
import { z } from 'zod'
import { fieldsIn, isObject, type Values } from '../../../src/schemas/define/values.ts'
import {
  type CallProvider,
  DdnsError,
  type ProviderFactory,
  possibleZones,
  readJson,
  readList,
  type Update,
} from './provider.ts'

const dnsRecord = z.object({
  RecordId: z.number(),
  Name: z.string(),
  Type: z.string(),
  Value: z.string(),
  Line: z.string(),
  LineId: z.string(),
  TTL: z.number(),
})
const ownDomain = z.object({ Name: z.string().nullish(), Punycode: z.string().nullish() })

/** DNSPod's default line. Its id is the same for all accounts, its name is not. */
const defaultLine = { RecordLine: '默认', RecordLineId: '0' }
const contentType = 'application/json; charset=utf-8'
/** Domains in one reply, and how many replies are read at most. */
const pageSize = 300
const maxPages = 50

/**
 * DNSPod's API, version 3, of Tencent Cloud. Access id and secret are SecretId and SecretKey. Of an existing record only
 * the address changes.
 */
export const tencentcloud: ProviderFactory =
  ({ url: base = 'https://dnspod.tencentcloudapi.com/', now }) =>
  async ({ settings, domain, record, address }, call) => {
    const { access_id: secretId, access_secret: secretKey } = settings
    if (secretId === '' || secretKey === '') {
      throw new DdnsError('The profile lacks its access ID or secret: enter SecretId and SecretKey.', {
        isFinal: true,
      })
    }
    const client = createClient({ base, secretId, secretKey, now, call })
    const zone = await findZone(domain, client)
    const sub = domain === zone ? '@' : domain.slice(0, -zone.length - 1)
    const existing = await findRecords({ zone, sub, record }, client)
    const [only, another] = existing
    if (another) {
      const message = `There are ${existing.length} ${record} records named ${domain}: leave one that can be changed.`
      throw new DdnsError(message, { isFinal: true })
    }
    const content = { Domain: zone, SubDomain: sub, RecordType: record, Value: address }
    if (!only) await client('CreateRecord', { ...content, ...defaultLine })
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
  call: CallProvider
}

type Client = (action: string, body: object) => Promise<Values>

function createClient({ base, now, call, ...secrets }: ClientOptions): Client {
  return async (action, content) => {
    const body = JSON.stringify(content)
    const timestamp = Math.floor(now() / 1000)
    const { host } = new URL(base)
    const authorization = tc3Authorization({ ...secrets, service: 'dnspod', host, contentType, body, timestamp })
    const reply = await call({
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
    const { Response: response } = readJson(reply)
    if (!isObject(response)) throw new DdnsError(`The provider answered ${reply.text} without a response.`)
    const { Error: error } = response
    if (error) {
      const { Code = '', Message = '' } = fieldsIn(error)
      throw new TencentError(String(Code), String(Message))
    }
    return response
  }
}

/** An error of the API, which it answers with status 200. */
class TencentError extends DdnsError {
  readonly code: string

  constructor(code: string, message: string) {
    super(`${message} (${code})`, {
      // A signature expires by a wrong clock here, which may be right again at the next try.
      isFinal: /^(AuthFailure|UnauthorizedOperation)/.test(code) && code !== 'AuthFailure.SignatureExpire',
      isThrottled: code.startsWith('RequestLimitExceeded'),
    })
    this.code = code
  }
}

async function findZone(domain: string, client: Client): Promise<string> {
  const names = new Set<string>()
  for (let page = 0; page < maxPages; page++) {
    const { DomainList } = await client('DescribeDomainList', { Offset: page * pageSize, Limit: pageSize })
    const list = readList(DomainList ?? [], ownDomain)
    for (const { Name, Punycode } of list) names.add((Punycode || Name || '').toLowerCase())
    if (list.length < pageSize) break
  }
  const zone = possibleZones(domain.toLowerCase()).find((name) => names.has(name))
  if (!zone) throw new DdnsError(`The account has no domain that ${domain} is in.`, { isFinal: true })
  return zone
}

async function findRecords(
  { zone, sub, record }: { zone: string; sub: string; record: Update['record'] },
  client: Client,
): Promise<z.output<typeof dnsRecord>[]> {
  try {
    const { RecordList } = await client('DescribeRecordList', { Domain: zone, Subdomain: sub, RecordType: record })
    return readList(RecordList ?? [], dnsRecord).filter(
      ({ Name, Type }) => Name.toLowerCase() === sub.toLowerCase() && Type === record,
    )
  } catch (error) {
    // The API reports an empty list as an error.
    if (error instanceof TencentError && error.code === 'ResourceNotFound.NoDataOfRecord') return []
    throw error
  }
}

export interface Tc3Request {
  secretId: string
  secretKey: string
  /** `dnspod` */
  service: string
  /** As in the Host header. */
  host: string
  contentType: string
  body: string
  /** Seconds since 1970. */
  timestamp: number
}

const algorithm = 'TC3-HMAC-SHA256'
const signedHeaders = 'content-type;host'

/** The Authorization header of a POST to `/`, by Tencent Cloud's signature method version 3. */
export function tc3Authorization(request: Tc3Request): string {
  const { secretId, secretKey, service, host, contentType, body, timestamp } = request
  const date = new Date(timestamp * 1000).toISOString().slice(0, 10)
  const scope = `${date}/${service}/tc3_request`
  const headers = `content-type:${contentType}\nhost:${host}\n`
  const canonical = ['POST', '/', '', headers, signedHeaders, sha256(body)].join('\n')
  const toSign = [algorithm, timestamp, scope, sha256(canonical)].join('\n')
  const key = [date, service, 'tc3_request'].reduce<Buffer | string>(hmac, `TC3${secretKey}`)
  const signature = hmac(key, toSign).toString('hex')
  return `${algorithm} Credential=${secretId}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest()
