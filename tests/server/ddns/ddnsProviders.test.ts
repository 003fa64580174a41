import { describe, expect, it, onTestFinished } from 'vitest'
import { type ProviderSettings, possibleZones, type Update } from '../../../server/ddns/provider.ts'
import { createProviders } from '../../../server/ddns/providers/index.ts'
import { tc3Authorization } from '../../../server/ddns/providers/tc3Signature.ts'
import { guardedRequest } from '../../../server/outbound/guardedRequest.ts'
import { cloudflareApi } from '../../support/fakes/cloudflareApi.ts'
import { dnspodApi } from '../../support/fakes/dnspodApi.ts'
import { createReceiver } from '../../support/fakes/receiver.ts'

const home = '93.184.216.34'
const nobody: ProviderSettings = {
  ...{ provider: 'webhook', access_id: '', access_secret: '', webhook_url: '', webhook_method: 1 },
  ...{ webhook_request_type: 1, webhook_request_body: '', webhook_headers: '' },
}
const start = Date.parse('2026-11-21T12:00:00Z')

/** Updates a name by the provider that the settings name. */
function update(settings: Partial<ProviderSettings>, given: Partial<Update> = {}, addresses = {}, now = () => start) {
  const known = { cloudflare: '', tencentcloud: '', he: '', ...addresses }
  const all = { ...nobody, ...settings }
  const provider = createProviders(now, known).get(all.provider)
  if (!provider) throw new Error(`There is no provider ${all.provider}.`)
  return provider({ settings: all, domain: 'www.example.org', record: 'A', address: home, ...given }, (call) =>
    guardedRequest({ ...call, verifyTls: true }, { allowPrivate: true, maxBodyBytes: 1024 * 1024 }),
  )
}

function closing<Api extends { close(): void }>(api: Api): Api {
  onTestFinished(() => api.close())
  return api
}

const receiver = async (...given: Parameters<typeof createReceiver>) => closing(await createReceiver(...given))

describe('a webhook', () => {
  const secret = 'a "b" & c=d/é'
  const whole = { access_id: 'me', access_secret: secret }
  const six = { domain: 'xn--bcher-kva.example', record: 'AAAA', address: '2606:4700::1111' } as const

  it.each([
    [1, 'GET'],
    [2, 'POST'],
    [3, 'PATCH'],
    [4, 'DELETE'],
    [5, 'PUT'],
  ])('of method %i is called by %s, with all placeholders in its address', async (webhook_method, method) => {
    const { origin, deliveries } = await receiver()
    const query = 'ip=#ip#&d=#domain#&t=#type#&r=#record#&i=#access_id#&s=#access_secret#'
    await update({ ...whole, webhook_method, webhook_url: `${origin}/nic?${query}` }, six)
    expect(deliveries[0]?.method).toBe(method)
    expect(Object.fromEntries(new URL(deliveries[0]?.url ?? '', origin).searchParams)).toEqual({
      ...{ ip: six.address, d: six.domain, t: 'ipv6', r: 'AAAA', i: 'me', s: secret },
    })
  })

  it('gets JSON whose texts are escaped as JSON has it', async () => {
    const { origin, deliveries } = await receiver()
    const body = '{"ip":"#ip#","type":"#type#","record":"#record#","secret":"#access_secret#","other":"#other#"}'
    await update({ ...whole, webhook_method: 2, webhook_url: origin, webhook_request_body: body })
    expect(deliveries[0]?.headers['content-type']).toBe('application/json')
    expect(JSON.parse(deliveries[0]?.body ?? '')).toEqual({
      ...{ ip: home, type: 'ipv4', record: 'A', secret, other: '#other#' },
    })
  })

  it('gets form fields that are escaped as forms have it', async () => {
    const { origin, deliveries } = await receiver()
    const form = {
      webhook_method: 5,
      webhook_request_type: 2,
      webhook_request_body: '{"s":"#access_secret#","d":"#domain#"}',
    }
    await update({ ...whole, ...form, webhook_url: origin })
    expect(deliveries[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(Object.fromEntries(new URLSearchParams(deliveries[0]?.body))).toEqual({ s: secret, d: 'www.example.org' })
  })

  it('gets headers with placeholders', async () => {
    const { origin, deliveries } = await receiver()
    const webhook_headers = '{"Authorization":"Bearer #access_secret#","X-Name":"#domain#"}'
    await update({ access_secret: 'k3y', webhook_headers, webhook_url: origin })
    expect(deliveries[0]?.headers).toMatchObject({ authorization: 'Bearer k3y', 'x-name': 'www.example.org' })
  })

  it('gets a value that looks like a placeholder as it is', async () => {
    const { origin, deliveries } = await receiver()
    await update({ access_id: '#access_secret#', access_secret: 'k3y', webhook_url: `${origin}/?i=#access_id#` })
    expect(new URL(deliveries[0]?.url ?? '', origin).searchParams.get('i')).toBe('#access_secret#')
  })

  it('that refuses is quoted with status and words', async () => {
    const { origin } = await receiver((reply) => reply.writeHead(500).end('zone is locked\n'))
    await expect(update({ webhook_url: origin })).rejects.toThrow('500 Internal Server Error: zone is locked')
  })

  it.each([
    [{ webhook_method: 9 }, 'unknown webhook method, 9'],
    [{ webhook_method: 2, webhook_request_type: 7 }, 'unknown webhook request type, 7'],
    [{ webhook_headers: '{"a":1}' }, 'headers are no JSON object of texts'],
    [{ webhook_method: 2, webhook_request_type: 2, webhook_request_body: 'a=b' }, 'body is no JSON object of texts'],
  ])('that cannot be called is told of, and not tried again: %o', async (settings, words) => {
    const { origin, deliveries } = await receiver()
    const sent = update({ webhook_url: origin, ...settings })
    await expect(sent).rejects.toThrow(words)
    await expect(sent).rejects.toMatchObject({ isFinal: true })
    expect(deliveries).toEqual([])
  })
})

describe('Cloudflare', () => {
  const token = 'cf-token'
  const settings = { provider: 'cloudflare', access_secret: token }
  const api = async () => {
    const made = closing(
      await cloudflareApi(token, [
        { id: 'z1', name: 'example.org' },
        { id: 'z2', name: 'b.example.org' },
      ]),
    )
    return { ...made, addresses: { cloudflare: made.base } }
  }

  it('gets a new record in the nearest zone', async () => {
    const { records, addresses } = await api()
    await update(settings, { domain: 'a.b.example.org' }, addresses)
    await update(settings, { domain: 'example.org', record: 'AAAA', address: '2606:4700::1111' }, addresses)
    const record = { id: 'r1', ttl: 60, proxied: false }
    expect(records.get('z2')).toEqual([{ ...record, type: 'A', name: 'a.b.example.org', content: home }])
    expect(records.get('z1')).toEqual([{ ...record, type: 'AAAA', name: 'example.org', content: '2606:4700::1111' }])
  })

  it('keeps of a record what is not the address', async () => {
    const { records, addresses } = await api()
    const kept = { id: 'r1', type: 'A', name: 'www.example.org', ttl: 300, proxied: true, comment: 'mine' }
    records.set('z1', [{ ...kept, content: '192.0.2.1' }])
    await update(settings, {}, addresses)
    expect(records.get('z1')).toEqual([{ ...kept, content: home }])
  })

  it('is not written to when the record has the address already', async () => {
    const { records, addresses, calls } = await api()
    records.set('z1', [{ id: 'r1', type: 'A', name: 'www.example.org', content: home, ttl: 300, proxied: true }])
    await update(settings, {}, addresses)
    expect(calls.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET'])
  })

  it('loses no record of several that have one name', async () => {
    const { records, addresses } = await api()
    const several = ['r1', 'r2'].map((id) => ({
      id,
      type: 'A',
      name: 'www.example.org',
      content: id,
      ttl: 60,
      proxied: false,
    }))
    records.set('z1', several)
    await expect(update(settings, {}, addresses)).rejects.toThrow('There are 2 A records named www.example.org')
    expect(records.get('z1')).toEqual(several)
  })

  it.each([
    [{ access_secret: 'wrong' }, {}, 'Invalid access token (9109)'],
    [{ access_secret: '' }, {}, 'enter an API token'],
    [{}, { domain: 'www.example.net' }, 'no zone that www.example.net is in'],
  ])('says what is wrong, and is not asked again: %o %o', async (wrong, given, words) => {
    const { addresses } = await api()
    const sent = update({ ...settings, ...wrong }, given, addresses)
    await expect(sent).rejects.toThrow(words)
    await expect(sent).rejects.toMatchObject({ isFinal: true })
  })

  it('is asked again when something on the way answers in its place', async () => {
    const { origin } = await receiver((reply) => reply.writeHead(502).end('<html>Bad gateway</html>'))
    const sent = update(settings, {}, { cloudflare: origin })
    await expect(sent).rejects.toThrow('502 Bad Gateway')
    await expect(sent).rejects.toMatchObject({ isFinal: false })
  })
})

describe('Tencent Cloud', () => {
  const account = { id: 'AKID1', key: 'k3y', now: () => start }
  const settings = { provider: 'tencentcloud', access_id: account.id, access_secret: account.key }
  const api = async (domains = ['example.org', 'b.example.org']) => {
    const made = closing(await dnspodApi({ ...account, domains }))
    return { ...made, addresses: { tencentcloud: made.base } }
  }

  it('is signed for as its documentation shows', () => {
    // The example of "Signature v3" in the documentation of its API.
    expect(
      tc3Authorization({
        secretId: 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3*******',
        secretKey: 'Gu5t9xGARNpq86cd98joQYCN3*******',
        service: 'cvm',
        host: 'cvm.tencentcloudapi.com',
        contentType: 'application/json; charset=utf-8',
        body: String.raw`{"Limit": 1, "Filters": [{"Values": ["\u672a\u547d\u540d"], "Name": "instance-name"}]}`,
        timestamp: 1551113065,
      }),
    ).toBe(
      'TC3-HMAC-SHA256 Credential=AKIDz8krbsJ5yKBZQpn74WFkmLPx3*******/2019-02-25/cvm/tc3_request, ' +
        'SignedHeaders=content-type;host, ' +
        'Signature=2230eefd229f582d8b1b891af7107b91597240707d778ab3738f756258d7652c',
    )
  })

  it('gets a new record in the nearest domain', async () => {
    const { records, addresses } = await api()
    await update(settings, { domain: 'a.b.example.org' }, addresses)
    await update(settings, { domain: 'example.org', record: 'AAAA', address: '2606:4700::1111' }, addresses)
    const record = { RecordId: 1, Line: '默认', LineId: '0', TTL: 600 }
    expect(records.get('b.example.org')).toEqual([{ ...record, Name: 'a', Type: 'A', Value: home }])
    expect(records.get('example.org')).toEqual([{ ...record, Name: '@', Type: 'AAAA', Value: '2606:4700::1111' }])
  })

  it('keeps of a record what is not the address', async () => {
    const { records, addresses, actions } = await api()
    const kept = { RecordId: 7, Name: 'www', Type: 'A', Line: '境外', LineId: '3=0', TTL: 120 }
    records.set('example.org', [{ ...kept, Value: '192.0.2.1' }])
    await update(settings, {}, addresses)
    await update(settings, {}, addresses)
    expect(records.get('example.org')).toEqual([{ ...kept, Value: home }])
    expect(actions.filter((action) => action === 'ModifyRecord')).toHaveLength(1)
  })

  it('is asked for all of its domains', async () => {
    const many = Array.from({ length: 700 }, (_, at) => `d${at}.example.net`)
    const { records, addresses } = await api([...many, 'example.org'])
    await update(settings, {}, addresses)
    expect(records.get('example.org')).toHaveLength(1)
  })

  it.each([
    [{ access_secret: 'wrong' }, {}, 'The signature is wrong. (AuthFailure.SignatureFailure)'],
    [{ access_id: '' }, {}, 'enter SecretId and SecretKey'],
    [{}, { domain: 'www.example.net' }, 'no domain that www.example.net is in'],
  ])('says what is wrong, and is not asked again: %o %o', async (wrong, given, words) => {
    const { addresses } = await api()
    const sent = update({ ...settings, ...wrong }, given, addresses)
    await expect(sent).rejects.toThrow(words)
    await expect(sent).rejects.toMatchObject({ isFinal: true })
  })

  it('refuses what a clock that is wrong has signed', async () => {
    const { addresses } = await api()
    await expect(update(settings, {}, addresses, () => start - 3_600_000)).rejects.toThrow('SignatureExpire')
  })
})

describe('Hurricane Electric', () => {
  const settings = { provider: 'he', access_secret: 'k&y' }

  it('is told name, key and address, the key in no address line', async () => {
    const { origin, deliveries } = await receiver((reply) => reply.end(`good ${home}`))
    await update(settings, {}, { he: `${origin}/nic/update` })
    expect(deliveries).toMatchObject([{ method: 'POST', url: '/nic/update' }])
    expect(Object.fromEntries(new URLSearchParams(deliveries[0]?.body))).toEqual({
      ...{ hostname: 'www.example.org', password: 'k&y', myip: home },
    })
  })

  it('is content when nothing has changed', async () => {
    const { origin } = await receiver((reply) => reply.end(`nochg ${home}`))
    await expect(update(settings, {}, { he: origin })).resolves.toBeUndefined()
  })

  it.each([
    ['badauth', true],
    ['nohost', true],
    ['abuse', true],
    ['911', false],
    ['interval', false],
  ])('that answers %s is a failure, asked again or not', async (answer, isFinal) => {
    const { origin } = await receiver((reply) => reply.end(answer))
    const sent = update(settings, {}, { he: origin })
    await expect(sent).rejects.toThrow(answer)
    await expect(sent).rejects.toMatchObject({ isFinal })
  })

  it('is not asked without a key', async () => {
    await expect(update({ provider: 'he' })).rejects.toThrow('enter the key of the record')
  })
})

it('the dummy tells nobody', async () => {
  await expect(update({ provider: 'dummy' })).resolves.toBeUndefined()
})

it('a name belongs to the nearest zone, and to no top-level domain', () => {
  expect(possibleZones('a.b.example.org')).toEqual(['a.b.example.org', 'b.example.org', 'example.org'])
  expect(possibleZones('*.example.org')).toEqual(['example.org'])
})
