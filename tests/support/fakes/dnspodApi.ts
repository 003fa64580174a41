import { createHash, createHmac } from 'node:crypto'
import { createReceiver, type ReceivedRequest } from './receiver.ts'

interface Record {
  RecordId: number
  Name: string
  Type: string
  Value: string
  Line: string
  LineId: string
  TTL: number
}

interface Account {
  id: string
  key: string
  domains: readonly string[]
  /** Milliseconds since 1970. */
  now: () => number
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** A fake of the part of DNSPod's API that DNS updates need, including the check of signatures. */
export async function dnspodApi({ id, key, domains, now }: Account) {
  const records = new Map<string, Record[]>(domains.map((name) => [name, []]))
  const actions: string[] = []
  const receiver = await createReceiver((reply, received) => {
    reply.writeHead(200, { 'content-type': 'application/json' })
    reply.end(JSON.stringify({ Response: { RequestId: '1', ...answer(received) } }))
  })
  const error = (Code: string, Message: string) => ({ Error: { Code, Message } })

  function signatureError({ headers, body }: ReceivedRequest): object | undefined {
    const seconds = Number(headers['x-tc-timestamp'])
    if (Math.abs(now() / 1000 - seconds) > 300) return error('AuthFailure.SignatureExpire', 'Signature expired.')
    const scope = `${new Date(seconds * 1000).toISOString().slice(0, 10)}/dnspod/tc3_request`
    const parts = /^TC3-HMAC-SHA256 Credential=(\S+?)\/(\S+), SignedHeaders=(\S+), Signature=(\w+)$/
    const [, secretId, requestedScope, names = '', signature] = parts.exec(headers.authorization ?? '') ?? []
    if (secretId !== id || requestedScope !== scope)
      return error('AuthFailure.SecretIdNotFound', 'The SecretId is not found.')
    const signed = names.split(';').map((name) => `${name}:${String(headers[name]).toLowerCase()}\n`)
    const canonical = `POST\n/\n\n${signed.join('')}\n${names}\n${sha256(body)}`
    const text = `TC3-HMAC-SHA256\n${seconds}\n${scope}\n${sha256(canonical)}`
    const [date = ''] = scope.split('/')
    const expected = hmac(hmac(hmac(hmac(`TC3${key}`, date), 'dnspod'), 'tc3_request'), text).toString('hex')
    return signature === expected ? undefined : error('AuthFailure.SignatureFailure', 'The signature is wrong.')
  }

  function answer(received: ReceivedRequest): object {
    const refused = signatureError(received)
    if (refused) return refused
    const action = String(received.headers['x-tc-action'])
    actions.push(action)
    const given = JSON.parse(received.body)
    if (received.headers['x-tc-version'] !== '2021-03-23') return error('NoSuchVersion', 'No such version.')
    if (action === 'DescribeDomainList') {
      const DomainList = domains.slice(given.Offset, given.Offset + given.Limit).map((Name) => ({ Name }))
      return { DomainList, DomainCountInfo: { AllTotal: domains.length } }
    }
    const list = records.get(given.Domain)
    if (!list) return error('InvalidParameterValue.DomainNotExists', 'The domain does not exist.')
    const found = list.filter(({ Name, Type }) => Name === given.Subdomain && Type === given.RecordType)
    if (action === 'DescribeRecordList') {
      return found.length > 0 ? { RecordList: found } : error('ResourceNotFound.NoDataOfRecord', 'No records.')
    }
    const written = { Name: given.SubDomain, Type: given.RecordType, Value: given.Value, Line: given.RecordLine }
    if (action === 'CreateRecord') {
      list.push({ RecordId: list.length + 1, TTL: 600, LineId: given.RecordLineId, ...written })
      return { RecordId: list.length }
    }
    const record = list.find(({ RecordId }) => RecordId === given.RecordId)
    if (action !== 'ModifyRecord' || !record) return error('InvalidAction', 'No such action.')
    Object.assign(record, written, { LineId: given.RecordLineId, TTL: given.TTL ?? 600 })
    return { RecordId: record.RecordId }
  }

  return { base: `${receiver.origin}/`, records, actions, close: receiver.close }
}
