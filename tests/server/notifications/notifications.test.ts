import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { messagePlaceholders, type Notifier, sendToNotifier } from '../../../server/notifications/notifierRequest.ts'
import { addressScope } from '../../../server/outbound/addressScope.ts'
import { guardedRequest } from '../../../server/outbound/guardedRequest.ts'
import { dataApp, member } from '../../support/console/dataApp.ts'
import { receiver } from '../../support/fakes/receiver.ts'

const plain: Notifier = {
  url: '',
  request_method: 1,
  request_type: 1,
  request_header: '',
  request_body: '',
  verify_tls: true,
}

interface Recorded {
  method: string
  url: string
  content_type?: string
  x_a?: string
  body: string
}
const recorded: Recorded[] = JSON.parse(
  readFileSync(new URL('../../../docs/contract/recordings/notifier-deliveries-v1.10.8.json', import.meta.url), 'utf8'),
)

describe('a test message arrives as real servers send it', () => {
  const moment = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ \+0000 UTC/
  const [json, form, get] = recorded as [Recorded, Recorded, Recorded]

  it('as JSON, with headers and with placeholders for servers left as they are', async () => {
    const { origin, deliveries } = await receiver()
    const template = json.body.replace('a test message', '#NEZHA#').replace(moment, '#DATETIME#')
    const notifier = { ...plain, request_method: 2, request_header: '{"X-A":"b"}', request_body: template }
    await sendToNotifier({ ...notifier, url: `${origin}/j?m=#NEZHA#` }, messagePlaceholders('a test message'), true)
    const [delivery] = deliveries
    expect(delivery).toMatchObject({ method: 'POST', url: json.url })
    expect(delivery?.headers).toMatchObject({ 'content-type': json.content_type, 'x-a': json.x_a })
    expect(delivery?.body.replace(moment, '')).toBe(json.body.replace(moment, ''))
    expect(delivery?.body).toMatch(moment)
  })

  it('as form fields, sorted by their keys', async () => {
    const { origin, deliveries } = await receiver()
    const body = '{"text":"#NEZHA#","name":"#SERVER.NAME#"}'
    const notifier = { ...plain, url: `${origin}/f`, request_method: 2, request_type: 2, request_body: body }
    await sendToNotifier(notifier, messagePlaceholders('a test message'), true)
    expect(deliveries).toMatchObject([{ method: 'POST', url: form.url, body: form.body }])
    expect(deliveries[0]?.headers['content-type']).toBe(form.content_type)
  })

  it('as a GET, where what follows the first unknown placeholder is lost', async () => {
    const { origin, deliveries } = await receiver()
    const notifier = { ...plain, url: `${origin}/g?m=#NEZHA#&n=#SERVER.NAME#` }
    await sendToNotifier(notifier, messagePlaceholders('a test message'), true)
    expect(deliveries).toMatchObject([{ method: 'GET', url: get.url, body: '' }])
  })
})

describe('a message with quotes and line ends', () => {
  it('breaks neither the JSON nor the address it is put into', async () => {
    const { origin, deliveries } = await receiver()
    const message = 'down: "web-1"\n100 % & more #1'
    const notifier = { ...plain, url: `${origin}/?m=#NEZHA#`, request_method: 2, request_body: '{"text":"#NEZHA#"}' }
    await sendToNotifier(notifier, messagePlaceholders(message), true)
    expect(JSON.parse(deliveries[0]?.body ?? '')).toEqual({ text: message })
    expect(new URL(deliveries[0]?.url ?? '', origin).searchParams.get('m')).toBe(message)
  })
})

describe('what may be called', () => {
  it.each(['93.184.216.34', '2606:4700::1111'])('%s by everybody', (address) => {
    expect(addressScope(address)).toBe('public')
  })

  it.each([
    ...['127.0.0.1', '127.8.9.1', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1'],
    ...['203.0.113.9', '::1', 'fd12::1', '2001:db8::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1'],
  ])('%s by administrators only', (address) => {
    expect(addressScope(address)).toBe('private')
  })

  it.each([
    ...['169.254.169.254', '0.0.0.0', '100.100.100.200', '224.0.0.1', '255.255.255.255', 'fe80::1', '::'],
    ...[
      'fd00:ec2::254',
      '::ffff:169.254.169.254',
      '::169.254.169.254',
      'fe80::1%lo',
      '168.63.129.16',
      '192.0.0.192',
      '64:ff9b::a9fe:a9fe',
      '2002:a9fe:a9fe::1',
      'ff02::1',
      'no address',
    ],
  ])('%s by nobody', (address) => {
    expect(addressScope(address)).toBe('forbidden')
  })

  it.each([
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::ffff:7f00:1]/',
    'http://localhost/',
    'ftp://example.com/',
  ])('not %s by a member, whatever it is written like', async (url) => {
    const call = { url, method: 'GET', headers: () => ({}), verifyTls: true } as const
    await expect(guardedRequest(call, { allowPrivate: false })).rejects.toThrow('HTTP URL target is not allowed')
  })

  it('no address of nobody, where a reply leads to it', async () => {
    const { origin } = await receiver((reply) => reply.writeHead(302, { location: 'http://169.254.169.254/x' }).end())
    const call = { url: origin, method: 'GET', headers: () => ({}), verifyTls: true } as const
    await expect(guardedRequest(call, { allowPrivate: true })).rejects.toThrow('HTTP URL target is not allowed')
  })
})

describe('a reply that leads elsewhere', () => {
  it('is followed, and headers with secrets stay with their host', async () => {
    const end = await receiver()
    const start = await receiver((reply) => reply.writeHead(307, { location: `${end.origin}/end` }).end())
    const call = {
      url: start.origin,
      method: 'POST',
      headers: () => ({ 'content-type': 'application/json', 'x-token': 'secret' }),
      body: '{}',
      verifyTls: true,
    } as const
    expect(await guardedRequest(call, { allowPrivate: true })).toEqual({ code: 200, text: '200 OK', body: '' })
    expect(start.deliveries[0]?.headers['x-token']).toBe('secret')
    expect(end.deliveries).toMatchObject([{ method: 'POST', url: '/end', body: '{}' }])
    expect(end.deliveries[0]?.headers['x-token']).toBeUndefined()
  })

  it('in a circle is given up', async () => {
    const { origin } = await receiver((reply) => reply.writeHead(302, { location: '/again' }).end())
    const call = { url: origin, method: 'GET', headers: () => ({}), verifyTls: true } as const
    await expect(guardedRequest(call, { allowPrivate: true })).rejects.toThrow('stopped after 10 redirects')
  })
})

describe('a notifier whose test message fails', () => {
  const secret = '/bot12345:SECRET/send?chat=9'

  async function saved(url: string, change: object = {}) {
    const data = await dataApp()
    const reply = await data.call('POST', 'notification', { ...plain, name: 'n', url, ...change })
    expect((await data.call('GET', 'notification')).body).toEqual({ success: true })
    return (reply.body as { error: string }).error
  }

  it('is not saved, and the answer of its target is the reason', async () => {
    const { origin } = await receiver((reply) => reply.writeHead(404).end('lost'))
    expect(await saved(origin + secret)).toBe('404@404 Not Found')
  })

  it('is not saved when nobody listens, and no token is told', async () => {
    const { origin, close } = await receiver()
    close()
    const place = origin.slice('http://'.length)
    expect(await saved(origin + secret)).toBe(`Get "${origin}": dial tcp ${place}: connect: connection refused`)
  })

  it('is not saved when its headers are none', async () => {
    const { origin, deliveries } = await receiver()
    expect(await saved(origin, { request_header: 'zzz' })).toMatch(/^invalid character 'z'/)
    expect(await saved(origin, { request_header: '{"X-A":"a\\nb"}' })).toMatch(/^Get "http:/)
    expect(deliveries).toEqual([])
  })

  it('is given up after a while', async () => {
    const { origin } = await receiver(() => {})
    const call = { url: origin, method: 'GET', headers: () => ({}), verifyTls: true } as const
    await expect(guardedRequest(call, { allowPrivate: true, timeoutMs: 150 })).rejects.toThrow(
      'context deadline exceeded',
    )
  })
})

describe('a notifier that is changed', () => {
  it('sends its test message by what is stored where the form is empty, and keeps that', async () => {
    const { origin, deliveries } = await receiver()
    const { call } = await dataApp()
    const notifier = { ...plain, url: `${origin}/stored`, request_header: '{"X-A":"b"}', name: 'n' }
    await call('POST', 'notification', notifier)
    for (let edit = 0; edit < 2; edit++) {
      const form = { ...notifier, name: `n${edit}`, url: '', request_header: '' }
      expect((await call('PATCH', 'notification/1', form)).body).toEqual({ success: true })
    }
    expect(deliveries.map(({ url, headers }) => [url, headers['x-a']])).toEqual(Array(3).fill(['/stored', 'b']))
  })

  it('by a member may lie behind the server only while nobody calls it', async () => {
    const { origin, deliveries } = await receiver()
    const { call } = await dataApp()
    const notifier = { ...plain, url: origin, name: 'n' }
    expect((await call('POST', 'notification', { ...notifier, skip_check: true }, member)).body).toMatchObject({
      data: 1,
    })
    const reply = await call('PATCH', 'notification/1', { ...notifier, url: '' }, member)
    expect(reply.body).toEqual({
      error: expect.stringMatching(/^HTTP URL target is not allowed: .*ALLOW_PRIVATE_TARGETS=true$/),
    })
    expect(deliveries).toEqual([])
  })
})
