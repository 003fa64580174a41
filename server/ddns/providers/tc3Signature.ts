import { createHash, createHmac } from 'node:crypto'

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
