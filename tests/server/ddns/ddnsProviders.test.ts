import { describe, expect, it, onTestFinished } from 'vitest'
import { createProviders } from '../../../server/ddns/providers/index.ts'
import { type ProviderSettings, possibleZones, type Update } from '../../../server/ddns/providers/provider.ts'
import { tc3Authorization } from '../../../server/ddns/providers/tencentcloud.ts'
import { guardedRequest } from '../../../server/outbound/guardedRequest.ts'
import { cloudflareApi } from '../../support/fakes/cloudflareApi.ts'
import { dnspodApi } from '../../support/fakes/dnspodApi.ts'
import { createReceiver } from '../../support/fakes/receiver.ts'

const home = '93.184.216.34'
const emptySettings: ProviderSettings = {
  provider: 'webhook',
  access_id: '',
  access_secret: '',
  webhook_url: '',
  webhook_method: 1,
  webhook_request_type: 1,
  webhook_request_body: '',
  webhook_headers: '',
}
const start = Date.parse('2026-11-21T12:00:00Z')

/** Runs an update with the provider of the settings. */
function update(settings: Partial<ProviderSettings>, given: Partial<Update> = {}, urls = {}, now = () => start) {
  const allUrls = { cloudflare: '', tencentcloud: '', he: '', ...urls }
  const all = { ...emptySettings, ...settings }
  const provider = createProviders(now, allUrls).get(all.provider)
  if (!provider) throw new Error(`There is no provider ${all.provider}.`)
  return provider({ settings: all, domain: 'www.example.org', record: 'A', address: home, ...given }, (call) =>
    guardedRequest({ ...call, verifyTls: true }, { allowPrivate: true, maxBodyBytes: 1024 * 1024 }),
  )
}

function closeAfterTest<Api extends { close(): void }>(api: Api): Api {
  onTestFinished(() => api.close())
  return api
}

const receiver = async (...given: Parameters<typeof createReceiver>) => closeAfterTest(await createReceiver(...given))

describe('a webhook', () => {
  const secret = 'a "b" & c=d/é'
  const credentials = { access_id: 'me', access_secret: secret }
  const ipv6Update = { domain: 'xn--bcher-kva.example', record: 'AAAA', address: '2606:4700::1111' } as const

  it('that names a long secret thousands of times is refused in words', async () => {
    const { origin, deliveries } = await receiver()
    const body = JSON.stringify('#access_secret#'.repeat(2000))
    const settings = { webhook_method: 2, webhook_url: origin, webhook_request_body: body }
    await expect(update({ ...settings, access_secret: 'x'.repeat(5000) })).rejects.toThrow(
      'the request gets longer than 4 MiB: name #access_secret# less often',
    )
    expect(deliveries).toEqual([])
  })

  it.each([
    [1, 'GET'],
    [2, 'POST'],
    [3, 'PATCH'],
    [4, 'DELETE'],
    [5, 'PUT'],
  ])('with method %i is called by %s, with all placeholders in its URL', async (webhook_method, method) => {
    const { origin, deliveries } = await receiver()
    const query = 'ip=#ip#&d=#domain#&t=#type#&r=#record#&i=#access_id#&s=#access_secret#'
    await update({ ...credentials, webhook_method, webhook_url: `${origin}/nic?${query}` }, ipv6Update)
    expect(deliveries[0]?.method).toBe(method)
    expect(Object.fromEntries(new URL(deliveries[0]?.url ?? '', origin).searchParams)).toEqual({
      ip: ipv6Update.address,
      d: ipv6Update.domain,
      t: 'ipv6',
      r: 'AAAA',
      i: 'me',
      s: secret,
    })
  })

  it('gets JSON with escaped values', async () => {
    const { origin, deliveries } = await receiver()
    const other = '#other# #constructor# #__proto__#'
    const body = `{"ip":"#ip#","type":"#type#","record":"#record#","secret":"#access_secret#","other":"${other}"}`
    await update({ ...credentials, webhook_method: 2, webhook_url: origin, webhook_request_body: body })
    expect(deliveries[0]?.headers['content-type']).toBe('application/json')
    expect(JSON.parse(deliveries[0]?.body ?? '')).toEqual({
      ip: home,
      type: 'ipv4',
      record: 'A',
      secret,
      other,
    })
  })

  it('gets encoded form fields', async () => {
    const { origin, deliveries } = await receiver()
    const form = {
      webhook_method: 5,
      webhook_request_type: 2,
      webhook_request_body: '{"s":"#access_secret#","d":"#domain#"}',
    }
    await update({ ...credentials, ...form, webhook_url: origin })
    expect(deliveries[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(Object.fromEntries(new URLSearchParams(deliveries[0]?.body))).toEqual({ s: secret, d: 'www.example.org' })
  })

  it('gets headers with placeholders', async () => {
    const { origin, deliveries } = await receiver()
    const webhook_headers = '{"Authorization":"Bearer #access_secret#","X-Name":"#domain#"}'
    await update({ access_secret: 'k3y', webhook_headers, webhook_url: origin })
    expect(deliveries[0]?.headers).toMatchObject({ authorization: 'Bearer k3y', 'x-name': 'www.example.org' })
  })

  it('gets a value that looks like a placeholder unchanged', async () => {
    const { origin, deliveries } = await receiver()
    await update({ access_id: '#access_secret#', access_secret: 'k3y', webhook_url: `${origin}/?i=#access_id#` })
    expect(new URL(deliveries[0]?.url ?? '', origin).searchParams.get('i')).toBe('#access_secret#')
  })

  it('that returns an error is shown with status and body', async () => {
    const { origin } = await receiver((reply) => reply.writeHead(500).end('zone is locked\n'))
    await expect(update({ webhook_url: origin })).rejects.toThrow('500 Internal Server Error: zone is locked')
  })

  it.each([
    ['KO', false],
    ['911', false],
    ['badauth', true],
    ['nohost host.example.org', true],
    ['{"success":false,"errors":[{"message":"no such record"}]}', false],
    ['<interface-response><ErrCount>1</ErrCount></interface-response>', false],
  ])('that refuses with status 200 has not updated the record: %s', async (said, isFinal) => {
    const { origin } = await receiver((reply) => reply.end(`${said}\n`))
    await expect(update({ webhook_url: origin })).rejects.toMatchObject({ message: said, isFinal })
  })

  it.each(['OK', 'good 192.0.2.1', 'nochg 192.0.2.1', '{"success":true}', '<ErrCount>0</ErrCount>', '<html>', ''])(
    'that answers "%s" has',
    async (said) => {
      const { origin } = await receiver((reply) => reply.end(said))
      await expect(update({ webhook_url: origin })).resolves.toBeUndefined()
    },
  )

  it.each([
    [{ webhook_method: 9 }, 'unknown webhook method, 9'],
    [{ webhook_method: 2, webhook_request_type: 7 }, 'unknown webhook request type, 7'],
    [{ webhook_headers: '{"a":1}' }, 'headers are no JSON object of texts'],
    [{ webhook_method: 2, webhook_request_type: 2, webhook_request_body: 'a=b' }, 'body is no JSON object of texts'],
  ])('with invalid settings fails without a retry: %o', async (settings, words) => {
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
    const created = closeAfterTest(
      await cloudflareApi(token, [
        { id: 'z1', name: 'example.org' },
        { id: 'z2', name: 'b.example.org' },
      ]),
    )
    return { ...created, urls: { cloudflare: created.base } }
  }

  it('creates a record in the longest matching zone', async () => {
    const { records, urls } = await api()
    await update(settings, { domain: 'a.b.example.org' }, urls)
    await update(settings, { domain: 'example.org', record: 'AAAA', address: '2606:4700::1111' }, urls)
    const record = { id: 'r1', ttl: 60, proxied: false }
    expect(records.get('z2')).toEqual([{ ...record, type: 'A', name: 'a.b.example.org', content: home }])
    expect(records.get('z1')).toEqual([{ ...record, type: 'AAAA', name: 'example.org', content: '2606:4700::1111' }])
  })

  it('changes only the address of a record', async () => {
    const { records, urls } = await api()
    const record = { id: 'r1', type: 'A', name: 'www.example.org', ttl: 300, proxied: true, comment: 'mine' }
    records.set('z1', [{ ...record, content: '192.0.2.1' }])
    await update(settings, {}, urls)
    expect(records.get('z1')).toEqual([{ ...record, content: home }])
  })

  it('is not changed when the record has the address already', async () => {
    const { records, urls, calls } = await api()
    records.set('z1', [{ id: 'r1', type: 'A', name: 'www.example.org', content: home, ttl: 300, proxied: true }])
    await update(settings, {}, urls)
    expect(calls.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET'])
  })

  it('does not touch several records of one name', async () => {
    const { records, urls } = await api()
    const several = ['r1', 'r2'].map((id) => ({
      id,
      type: 'A',
      name: 'www.example.org',
      content: id,
      ttl: 60,
      proxied: false,
    }))
    records.set('z1', several)
    await expect(update(settings, {}, urls)).rejects.toThrow('There are 2 A records named www.example.org')
    expect(records.get('z1')).toEqual(several)
  })

  it.each([
    [{ access_secret: 'wrong' }, {}, 'Invalid access token (9109)'],
    [{ access_secret: '' }, {}, 'enter an API token'],
    [{}, { domain: 'www.example.net' }, 'no zone that www.example.net is in'],
  ])('shows the error and is not called again: %o %o', async (invalid, given, words) => {
    const { urls } = await api()
    const sent = update({ ...settings, ...invalid }, given, urls)
    await expect(sent).rejects.toThrow(words)
    await expect(sent).rejects.toMatchObject({ isFinal: true })
  })

  it('is called again after the error page of a proxy', async () => {
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
    const created = closeAfterTest(await dnspodApi({ ...account, domains }))
    return { ...created, urls: { tencentcloud: created.base } }
  }

  it("gets the signature of its documentation's example", () => {
    // The example of "Signature v3" in the documentation of the API.
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

  it('creates a record in the longest matching domain', async () => {
    const { records, urls } = await api()
    await update(settings, { domain: 'a.b.example.org' }, urls)
    await update(settings, { domain: 'example.org', record: 'AAAA', address: '2606:4700::1111' }, urls)
    const record = { RecordId: 1, Line: '默认', LineId: '0', TTL: 600 }
    expect(records.get('b.example.org')).toEqual([{ ...record, Name: 'a', Type: 'A', Value: home }])
    expect(records.get('example.org')).toEqual([{ ...record, Name: '@', Type: 'AAAA', Value: '2606:4700::1111' }])
  })

  it('changes only the address of a record', async () => {
    const { records, urls, actions } = await api()
    const record = { RecordId: 7, Name: 'www', Type: 'A', Line: '境外', LineId: '3=0', TTL: 120 }
    records.set('example.org', [{ ...record, Value: '192.0.2.1' }])
    await update(settings, {}, urls)
    await update(settings, {}, urls)
    expect(records.get('example.org')).toEqual([{ ...record, Value: home }])
    expect(actions.filter((action) => action === 'ModifyRecord')).toHaveLength(1)
  })

  it('reads all pages of domains', async () => {
    const many = Array.from({ length: 700 }, (_, at) => `d${at}.example.net`)
    const { records, urls } = await api([...many, 'example.org'])
    await update(settings, {}, urls)
    expect(records.get('example.org')).toHaveLength(1)
  })

  it.each([
    [{ access_secret: 'wrong' }, {}, 'The signature is wrong. (AuthFailure.SignatureFailure)'],
    [{ access_id: '' }, {}, 'enter SecretId and SecretKey'],
    [{}, { domain: 'www.example.net' }, 'no domain that www.example.net is in'],
  ])('shows the error and is not called again: %o %o', async (invalid, given, words) => {
    const { urls } = await api()
    const sent = update({ ...settings, ...invalid }, given, urls)
    await expect(sent).rejects.toThrow(words)
    await expect(sent).rejects.toMatchObject({ isFinal: true })
  })

  it('refuses the signature of a wrong clock, which may be right again at the next try', async () => {
    const { urls } = await api()
    const refused = update(settings, {}, urls, () => start - 3_600_000)
    await expect(refused).rejects.toMatchObject({ message: expect.stringContaining('SignatureExpire'), isFinal: false })
  })
})

describe('Hurricane Electric', () => {
  const settings = { provider: 'he', access_secret: 'k&y' }

  it('gets name, key and address, with the key not in the URL', async () => {
    const { origin, deliveries } = await receiver((reply) => reply.end(`good ${home}`))
    await update(settings, {}, { he: `${origin}/nic/update` })
    expect(deliveries).toMatchObject([{ method: 'POST', url: '/nic/update' }])
    expect(Object.fromEntries(new URLSearchParams(deliveries[0]?.body))).toEqual({
      hostname: 'www.example.org',
      password: 'k&y',
      myip: home,
    })
  })

  it('accepts nochg as success', async () => {
    const { origin } = await receiver((reply) => reply.end(`nochg ${home}`))
    await expect(update(settings, {}, { he: origin })).resolves.toBeUndefined()
  })

  it.each([
    ['badauth', true],
    ['nohost', true],
    ['abuse', true],
    ['911', false],
    ['interval', false],
  ])('with the reply %s fails, with or without a retry', async (answer, isFinal) => {
    const { origin } = await receiver((reply) => reply.end(answer))
    const sent = update(settings, {}, { he: origin })
    await expect(sent).rejects.toThrow(answer)
    await expect(sent).rejects.toMatchObject({ isFinal })
  })

  it('is not called without a key', async () => {
    await expect(update({ provider: 'he' })).rejects.toThrow('enter the key of the record')
  })
})

it('the dummy provider sends nothing', async () => {
  await expect(update({ provider: 'dummy' })).resolves.toBeUndefined()
})

it('possible zones are listed longest first, without top-level domains', () => {
  expect(possibleZones('a.b.example.org')).toEqual(['a.b.example.org', 'b.example.org', 'example.org'])
  expect(possibleZones('*.example.org')).toEqual(['example.org'])
})
