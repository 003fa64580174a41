import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { messagePlaceholders, type Notifier } from '../../../server/notifications/notifierRequest.ts'
import { sendToNotifier } from '../../../server/notifications/notifiers.ts'
import { addressScope } from '../../../server/outbound/addressScope.ts'
import { guardedRequest } from '../../../server/outbound/guardedRequest.ts'
import { pushKeysIn } from '../../../server/outbound/webPush.ts'
import { dataApp, member } from '../../support/console/dataApp.ts'
import { receiver } from '../../support/fakes/receiver.ts'

/** Private targets, and no devices. */
const allowed = {
  allowPrivate: true,
  pushKeys: pushKeysIn({ value: () => undefined, setValue: () => {} }, 'mailto:a@example.org', Date.now),
}

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

describe('a test message is the same as that of real servers', () => {
  const moment = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ \+0000 UTC/
  const [json, form, get] = recorded as [Recorded, Recorded, Recorded]

  it('as JSON, with headers, and with unfilled placeholders about servers', async () => {
    const { origin, deliveries } = await receiver()
    const template = json.body.replace('a test message', '#NEZHA#').replace(moment, '#DATETIME#')
    const notifier = { ...plain, request_method: 2, request_header: '{"X-A":"b"}', request_body: template }
    await sendToNotifier({ ...notifier, url: `${origin}/j?m=#NEZHA#` }, messagePlaceholders('a test message'), allowed)
    const [delivery] = deliveries
    expect(delivery).toMatchObject({ method: 'POST', url: json.url })
    expect(delivery?.headers).toMatchObject({ 'content-type': json.content_type, 'x-a': json.x_a })
    expect(delivery?.body.replace(moment, '')).toBe(json.body.replace(moment, ''))
    expect(delivery?.body).toMatch(moment)
  })

  it('as form fields, sorted by key', async () => {
    const { origin, deliveries } = await receiver()
    const body = '{"text":"#NEZHA#","name":"#SERVER.NAME#"}'
    const notifier = { ...plain, url: `${origin}/f`, request_method: 2, request_type: 2, request_body: body }
    await sendToNotifier(notifier, messagePlaceholders('a test message'), allowed)
    expect(deliveries).toMatchObject([{ method: 'POST', url: form.url, body: form.body }])
    expect(deliveries[0]?.headers['content-type']).toBe(form.content_type)
  })

  it('as GET, where everything after the first unknown placeholder is lost', async () => {
    const { origin, deliveries } = await receiver()
    const notifier = { ...plain, url: `${origin}/g?m=#NEZHA#&n=#SERVER.NAME#` }
    await sendToNotifier(notifier, messagePlaceholders('a test message'), allowed)
    expect(deliveries).toMatchObject([{ method: 'GET', url: get.url, body: '' }])
  })
})

describe('a message with quotes and line breaks', () => {
  it('is escaped in JSON and in the URL', async () => {
    const { origin, deliveries } = await receiver()
    const message = 'down: "web-1"\n100 % & more #1'
    const notifier = { ...plain, url: `${origin}/?m=#NEZHA#`, request_method: 2, request_body: '{"text":"#NEZHA#"}' }
    await sendToNotifier(notifier, messagePlaceholders(message), allowed)
    expect(JSON.parse(deliveries[0]?.body ?? '')).toEqual({ text: message })
    expect(new URL(deliveries[0]?.url ?? '', origin).searchParams.get('m')).toBe(message)
  })
})

describe('allowed targets', () => {
  it.each(['93.184.216.34', '2606:4700::1111'])('%s is allowed for everybody', (address) => {
    expect(addressScope(address)).toBe('public')
  })

  it.each([
    '127.0.0.1',
    '127.8.9.1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '203.0.113.9',
    '::1',
    'fd12::1',
    '2001:db8::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
  ])('%s is allowed for administrators only', (address) => {
    expect(addressScope(address)).toBe('private')
  })

  it.each([
    '169.254.169.254',
    '0.0.0.0',
    '100.100.100.200',
    '224.0.0.1',
    '255.255.255.255',
    'fe80::1',
    '::',
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
  ])('%s is forbidden', (address) => {
    expect(addressScope(address)).toBe('forbidden')
  })

  it.each([
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::ffff:7f00:1]/',
    'http://localhost/',
    'ftp://example.com/',
  ])('%s is refused for members in any notation', async (url) => {
    const request = { url, method: 'GET', headers: () => ({}), verifyTls: true } as const
    await expect(guardedRequest(request, { allowPrivate: false })).rejects.toThrow('HTTP URL target is not allowed')
  })

  it('a redirect to a forbidden address is refused', async () => {
    const { origin } = await receiver((reply) => reply.writeHead(302, { location: 'http://169.254.169.254/x' }).end())
    const request = { url: origin, method: 'GET', headers: () => ({}), verifyTls: true } as const
    await expect(guardedRequest(request, { allowPrivate: true })).rejects.toThrow('HTTP URL target is not allowed')
  })
})

describe('a redirect', () => {
  it('is followed, without sending the headers to another host', async () => {
    const end = await receiver()
    const start = await receiver((reply) => reply.writeHead(307, { location: `${end.origin}/end` }).end())
    const request = {
      url: start.origin,
      method: 'POST',
      headers: () => ({ 'content-type': 'application/json', 'x-token': 'secret' }),
      body: '{}',
      verifyTls: true,
    } as const
    expect(await guardedRequest(request, { allowPrivate: true })).toMatchObject({ code: 200, text: '200 OK', body: '' })
    expect(start.deliveries[0]?.headers['x-token']).toBe('secret')
    expect(end.deliveries).toMatchObject([{ method: 'POST', url: '/end', body: '{}' }])
    expect(end.deliveries[0]?.headers['x-token']).toBeUndefined()
  })

  it('in a loop ends after ten times', async () => {
    const { origin } = await receiver((reply) => reply.writeHead(302, { location: '/again' }).end())
    const request = { url: origin, method: 'GET', headers: () => ({}), verifyTls: true } as const
    await expect(guardedRequest(request, { allowPrivate: true })).rejects.toThrow('stopped after 10 redirects')
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

  it('is not saved, with the status of the reply as reason', async () => {
    const { origin } = await receiver((reply) => reply.writeHead(404).end('lost'))
    expect(await saved(origin + secret)).toBe('404@404 Not Found')
  })

  it('is not saved when the connection is refused, and the error contains no token', async () => {
    const { origin, close } = await receiver()
    close()
    const place = origin.slice('http://'.length)
    expect(await saved(origin + secret)).toBe(`Get "${origin}": dial tcp ${place}: connect: connection refused`)
  })

  it('is not saved when its headers are invalid', async () => {
    const { origin, deliveries } = await receiver()
    expect(await saved(origin, { request_header: 'zzz' })).toMatch(/^invalid character 'z'/)
    expect(await saved(origin, { request_header: '{"X-A":"a\\nb"}' })).toMatch(/^Get "http:/)
    expect(deliveries).toEqual([])
  })

  it('ends after the timeout', async () => {
    const { origin } = await receiver(() => {})
    const request = { url: origin, method: 'GET', headers: () => ({}), verifyTls: true } as const
    await expect(guardedRequest(request, { allowPrivate: true, timeoutMs: 150 })).rejects.toThrow(
      'context deadline exceeded',
    )
  })
})

describe('a notifier that is changed', () => {
  it('uses and keeps stored values where the form is empty', async () => {
    const { origin, deliveries } = await receiver()
    const { call: request } = await dataApp()
    const notifier = { ...plain, url: `${origin}/stored`, request_header: '{"X-A":"b"}', name: 'n' }
    await request('POST', 'notification', notifier)
    for (let edit = 0; edit < 2; edit++) {
      const form = { ...notifier, name: `n${edit}`, url: '', request_header: '' }
      expect((await request('PATCH', 'notification/1', form)).body).toEqual({ success: true })
    }
    expect(deliveries.map(({ url, headers }) => [url, headers['x-a']])).toEqual(Array(3).fill(['/stored', 'b']))
  })

  it('of a member can be saved with a private URL only without a test', async () => {
    const { origin, deliveries } = await receiver()
    const { call: request } = await dataApp()
    const notifier = { ...plain, url: origin, name: 'n' }
    expect((await request('POST', 'notification', { ...notifier, skip_check: true }, member)).body).toMatchObject({
      data: 1,
    })
    const reply = await request('PATCH', 'notification/1', { ...notifier, url: '' }, member)
    expect(reply.body).toEqual({
      error: expect.stringMatching(/^HTTP URL target is not allowed: .*ALLOW_PRIVATE_TARGETS=true$/),
    })
    expect(deliveries).toEqual([])
  })
})
