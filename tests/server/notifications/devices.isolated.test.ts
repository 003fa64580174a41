import tls from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type AuditLine, openAuditLog } from '../../../server/audit/auditLog.ts'
import { usersIn } from '../../../server/auth/users/users.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import type { Trouble } from '../../../server/incidents/incident.ts'
import { pushContact } from '../../../server/notifications/notificationsPlugin.ts'
import { maxPushDevices } from '../../../src/schemas/endpoints/pushEndpoints.ts'
import { notification } from '../../../src/schemas/notification.ts'
import { server as servers } from '../../../src/schemas/server.ts'
import type { Browser } from '../../support/console/browser.ts'
import { createPushService, readSender, testDevice } from '../../support/fakes/pushService.ts'
import { receiver } from '../../support/fakes/receiver.ts'
import { selfSigned } from '../../support/server/certificates/selfSigned.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

const settings = { host: '127.0.0.1', publicUrl: new URL('https://console.example.org') }
const host = { host: 'console.example.org' }

tls.setDefaultCACertificates([...tls.getCACertificates(), selfSigned.cert])

/** A push service that closes after the test. */
async function pushService(...options: Parameters<typeof createPushService>) {
  const created = await createPushService(...options)
  onTestFinished(created.close)
  return created
}

/** A server whose administrator has a phone, and the push service of that. */
async function withPhone() {
  const service = await pushService()
  const pauses: number[] = []
  const pause = async (ms: number) => void pauses.push(ms)
  const lines: AuditLine[] = []
  const audit = openAuditLog({ lines })
  const server = await testServer({ settings: { ...settings, allowPrivateTargets: true }, pause, audit })
  await server.app.ready()
  const admin = await signedIn(server)
  const phone = testDevice(service.endpoint())
  const reply = await switchOn(admin, phone)
  expect(reply.body).toEqual({ success: true, data: { id: 1 } })
  const notifiers = entityTable(server.store, notification)
  const rest = service.messages.splice(0)
  return { server, service, admin, phone, pauses, notifiers, lines, welcome: rest }
}

const switchOn = (browser: Browser, { subscription }: ReturnType<typeof testDevice>, name = 'Phone') =>
  browser.call('POST', 'wheelhouse/push', { body: { name, ...subscription } })

async function devicesOf(browser: Browser) {
  const { body } = await browser.get('wheelhouse/push')
  return (body as { data: { key: string; devices: Record<string, unknown>[] } }).data
}

async function deliveriesOf(browser: Browser) {
  const { body } = await browser.get('wheelhouse/deliveries?limit=100')
  return (body as { data: { value?: Record<string, unknown>[] } }).data.value ?? []
}

it.each([
  [undefined, 'mailto:wheelhouse@example.org'],
  ['https://console.example.org:8443/', 'https://console.example.org:8443'],
  ['http://console.example.org/', 'mailto:wheelhouse@example.org'],
  ['https://localhost/', 'mailto:wheelhouse@example.org'],
  ['https://192.0.2.7/', 'mailto:wheelhouse@example.org'],
  ['https://[2001:db8::1]/', 'mailto:wheelhouse@example.org'],
])('a push service is told who sends by an address that it accepts, at %s', (address, contact) => {
  expect(pushContact(address === undefined ? undefined : new URL(address))).toBe(contact)
})

describe('switching a device on', () => {
  it('sends it a test message that only it can read, by the key of this server', async () => {
    const { admin, phone, welcome } = await withPhone()
    const { key, devices } = await devicesOf(admin)
    expect(devices).toEqual([
      { id: 1, name: 'Phone', created_at: expect.any(String), fingerprint: expect.stringMatching(/^[\w-]{43}$/) },
    ])
    expect(welcome).toHaveLength(1)
    const [{ url, headers, body }] = welcome as [(typeof welcome)[number]]
    expect(url).toBe('/send/phone?of=a%20test')
    expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'high' })
    expect(phone.read(body)).toMatchObject({ title: 'a test message', body: '', link: '/dashboard' })
    const { origin } = new URL(phone.subscription.endpoint)
    expect(readSender(headers)).toMatchObject({ key, claims: { aud: origin, sub: 'https://console.example.org' } })
  })

  it('makes a notifier of it, whose address is shown to nobody else, and tells its owner on duty', async () => {
    const { admin, server } = await withPhone()
    expect((await admin.get('notification')).body).toMatchObject({ data: [{ id: 1, name: 'Phone', url: '' }] })
    expect(usersIn(server.store).get(1)?.notifiers).toEqual([1])
    const member = await signedIn(server, 'member')
    expect((await devicesOf(member)).devices).toEqual([])
    expect((await member.call('DELETE', 'wheelhouse/push/1')).body).toMatchObject({
      error: 'device id 1 does not exist',
    })
  })

  it('once more gives it the new name, and is no second device', async () => {
    const { admin, phone } = await withPhone()
    expect((await switchOn(admin, phone, 'Tablet')).body).toMatchObject({ data: { id: 1 } })
    expect((await devicesOf(admin)).devices).toMatchObject([{ id: 1, name: 'Tablet' }])
  })

  it('as somebody else takes it from who used it before', async () => {
    const { admin, server, phone, lines } = await withPhone()
    const member = await signedIn(server, 'member')
    await switchOn(member, phone)
    expect(lines.at(-1)).toMatchObject({
      action: 'notification.create',
      target: 'notification 2',
      detail: { name: 'Phone', removed: 'notification 1 of user 1' },
    })
    expect((await devicesOf(member)).devices).toHaveLength(1)
    expect((await devicesOf(admin)).devices).toEqual([])
    expect(usersIn(server.store).get(1)?.notifiers).toEqual([])
  })

  it.each([
    ['an address without TLS', { endpoint: 'http://push.example.org/a' }, /endpoint/],
    ['no address', { endpoint: 'push' }, /endpoint/],
    ['an address with a password', { endpoint: 'https://a:b@push.example.org/a' }, /needs the form webpush/],
    ['a key that is none', { p256dh: `B${'A'.repeat(86)}` }, /p256dh is not the public key/],
    ['a secret of another length', { auth: 'AAAA' }, /needs the form webpush/],
    ['a name without end', { name: 'n'.repeat(65) }, /name/],
    ['metadata of a cloud', { endpoint: 'https://169.254.169.254/latest' }, /is not allowed/],
  ])('is refused for %s, and stores nothing', async (_what, given, error) => {
    const server = await testServer()
    const admin = await signedIn(server)
    const { subscription } = testDevice('https://push.example.org/a')
    const { body } = await admin.call('POST', 'wheelhouse/push', { body: { name: 'Phone', ...subscription, ...given } })
    expect(body).toMatchObject({ error: expect.stringMatching(error) })
    expect((await devicesOf(admin)).devices).toEqual([])
  })

  it('does not let a member call what lies behind the server', async () => {
    const service = await pushService()
    const server = await testServer()
    const member = await signedIn(server, 'member')
    const { body } = await switchOn(member, testDevice(service.endpoint()))
    expect(body).toMatchObject({ error: expect.stringContaining('ALLOW_PRIVATE_TARGETS') })
    expect(service.messages).toEqual([])
  })

  it('stores nothing when the push service takes no message', async () => {
    const service = await pushService((reply) => reply.writeHead(403).end('wrong key'))
    const server = await testServer()
    const admin = await signedIn(server)
    expect((await switchOn(admin, testDevice(service.endpoint()))).body).toMatchObject({
      error: expect.stringContaining('403@'),
    })
    expect((await devicesOf(admin)).devices).toEqual([])
  })

  it(`is for at most ${maxPushDevices} devices of a person, also at once`, async () => {
    const { admin, service, phone } = await withPhone()
    const others = Array.from({ length: maxPushDevices + 2 }, (_, index) => testDevice(service.endpoint(`n${index}`)))
    await Promise.all(others.map((device) => switchOn(admin, device)))
    expect((await devicesOf(admin)).devices).toHaveLength(maxPushDevices)
    const { body } = await switchOn(admin, testDevice(service.endpoint('late')))
    expect(body).toMatchObject({ error: expect.stringContaining(`${maxPushDevices} devices are the most`) })
    expect((await switchOn(admin, phone, 'Still')).body).toMatchObject({ success: true })
  })

  it('ends with the access of its owner, and is deleted with them where other records are moved', async () => {
    const { admin, server, service, notifiers } = await withPhone()
    const member = await signedIn(server, 'member')
    const device = testDevice(service.endpoint('tablet'))
    await switchOn(member, device)
    const tell = () => {
      const receivers = { name: 'all', notifications: [1, 2] }
      server.app.notifications.send({ groupId: 0, receivers, message: 'web-1 is down' })
    }
    service.messages.length = 0
    await admin.call('POST', 'wheelhouse/users/2/disable')
    tell()
    await expect.poll(() => deliveriesOf(admin)).toHaveLength(1)
    expect(service.messages).toHaveLength(1)
    const { body } = await admin.call('POST', 'wheelhouse/users/delete', { body: { ids: [2], records: 'move', to: 1 } })
    expect(body).toMatchObject({ success: true })
    expect(notifiers.all().map(({ name }) => name)).toEqual(['Phone'])
  })

  it('is not for programs with an API token', async () => {
    const { admin, server } = await withPhone()
    const { body } = await admin.call('POST', 'api-tokens', { body: { name: 'all', scopes: ['nezha:admin:*'] } })
    const { token } = (body as { data: { token: string } }).data
    const reply = await server.browser().get('wheelhouse/push', { authorization: `Bearer ${token}`, ...host })
    expect(reply.body).not.toMatchObject({ success: true })
  })
})

describe('a message', () => {
  const trouble: Trouble = {
    kind: 'alarm',
    id: 7,
    server_id: 1,
    service_id: 0,
    rule_id: 3,
    owner_id: 1,
    host: '',
    is_gone: false,
    rule_name: '',
    name: 'web-1 CPU',
    started_at: Date.parse('2026-11-21T00:00:00Z'),
  }

  async function withIncident() {
    const fixture = await withPhone()
    const { server, service } = fixture
    entityTable(server.store, servers).insert({ name: 'web-1', uuid: 'a', user_id: 1 })
    const { incidents, acknowledgeLinks, notifications } = server.app
    const incident = incidents.begin(trouble)
    const send = () =>
      notifications.send({
        groupId: 0,
        receivers: { name: 'admin', notifications: [1] },
        message: '[Incident] web-1\nCPU 97 % (limit 90 %)\nhttps://console.example.org/dashboard/incident/1/overview',
        incidentId: incident.id,
        acknowledge: (id) => acknowledgeLinks.waysOf(incident, id),
      })
    const pushed = async (count: number) => {
      await expect.poll(() => service.messages.length).toBe(count)
      return service.messages.map(({ body }) => fixture.phone.read(body))
    }
    return { ...fixture, incident, send, pushed }
  }

  it('has title, value, the page of the incident and a button that acknowledges by POST alone', async () => {
    const { server, send, pushed, incident, service, admin } = await withIncident()
    send()
    const [payload] = await pushed(1)
    expect(payload).toEqual({
      title: '[Incident] web-1',
      body: 'CPU 97 % (limit 90 %)',
      link: '/dashboard/incident/1/overview',
      tag: 'incident-1',
      at: expect.any(Number),
      acknowledge: {
        path: expect.stringMatching(/^\/acknowledge\/[\da-z-]+$/),
        label: 'Acknowledge',
        states: { open: 'Open', acknowledged: 'Acknowledged', resolved: 'Resolved' },
        failed: 'Not acknowledged. Open it to try again.',
      },
    })
    expect(service.messages[0]?.headers).toMatchObject({ topic: 'incident-1' })
    const url = payload?.acknowledge?.path ?? ''
    const headers = { ...host, accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' }
    await server.app.inject({ url, headers })
    expect(incident.state).toBe('open')
    const reply = await server.app.inject({ method: 'POST', url, headers, payload: '' })
    expect([reply.statusCode, reply.json()]).toEqual([200, { state: 'acknowledged' }])
    expect(incident).toMatchObject({ state: 'acknowledged', acknowledged_by: 'by the link sent to Phone' })
    await expect.poll(async () => (await devicesOf(admin)).devices[0]?.last_message_at).toEqual(expect.any(String))
  })

  it('of any length fits', async () => {
    const { server, pushed } = await withIncident()
    const message = `${'a "quoted" 名字\\ '.repeat(20)}\n${'🚗\u0001'.repeat(2000)}`
    server.app.notifications.send({ groupId: 0, receivers: { name: 'admin', notifications: [1] }, message })
    const [payload] = await pushed(1)
    expect(payload?.body).toMatch(/🚗…$/u)
  })

  it('is sent once more, shorter, to a push service that takes less, also of letters of four bytes', async () => {
    const { server, pushed, service, admin } = await withIncident()
    service.answer = (reply) => {
      service.answer = (next) => next.writeHead(201).end()
      reply.writeHead(413).end()
    }
    const message = `[Incident] web-1\n${'𠮷'.repeat(2000)}`
    server.app.notifications.send({ groupId: 0, receivers: { name: 'admin', notifications: [1] }, message })
    const [, second] = await pushed(2)
    expect(second).toMatchObject({ title: '[Incident] web-1', body: expect.stringMatching(/^𠮷{200,300}…$/u) })
    await expect.poll(() => deliveriesOf(admin)).toMatchObject([{ state: 1, code: 201, tries: 2 }])
  })

  it.each([500, 502, 504])(
    'is tried three times where a push service is out of order (%s), and is said to be lost',
    async (code) => {
      const { send, service, admin, pauses, notifiers } = await withIncident()
      service.answer = (reply) => reply.writeHead(code, { 'retry-after': '1' }).end('out of order')
      send()
      await expect.poll(() => deliveriesOf(admin)).toMatchObject([{ state: 2, code, tries: 3 }])
      expect(service.messages).toHaveLength(3)
      expect(pauses).toEqual([2000, 10_000])
      // Whoever is out of order says nothing of the device.
      expect(notifiers.get(1)).toMatchObject({ name: 'Phone' })
    },
  )

  it.each([
    ['seconds', () => '5'],
    ['a date', () => new Date(Date.now() + 3_600_000).toUTCString()],
    ['nonsense', () => 'soon'],
    ['the time before', () => 'Thu, 01 Jan 1970 00:00:00 GMT'],
    ['a year', () => '31536000'],
  ])(
    'waits for a push service that says when in %s, at least a second and at most an hour',
    async (_what, retryAfter) => {
      const { send, pushed, service, pauses } = await withIncident()
      service.answer = (reply) => {
        service.answer = (next) => next.writeHead(201).end()
        reply.writeHead(429, { 'retry-after': retryAfter() }).end()
      }
      send()
      await pushed(2)
      expect(pauses).toHaveLength(1)
      expect(pauses[0]).toBeGreaterThanOrEqual(1000)
      expect(pauses[0]).toBeLessThanOrEqual(3_600_000)
    },
  )

  it('waits as long as the push service asks for, and is in the delivery log once', async () => {
    const { send, pushed, service, pauses, admin } = await withIncident()
    service.answer = (reply) => {
      service.answer = (next) => next.writeHead(201).end()
      reply.writeHead(429, { 'retry-after': '120' }).end()
    }
    send()
    await pushed(2)
    expect(pauses).toEqual([120_000])
    await expect.poll(() => deliveriesOf(admin)).toMatchObject([{ state: 1, code: 201, tries: 2 }])
  })

  it.each([404, 410])(
    'that is answered with %s removes the device, and another notifier of the group says so',
    async (code) => {
      const { server, service, admin, notifiers } = await withIncident()
      const other = await receiver()
      const plain = {
        name: 'chat',
        url: `${other.origin}/?m=#NEZHA#`,
        request_method: 1,
        request_type: 1,
        skip_check: true,
      }
      await admin.call('POST', 'notification', { body: plain })
      await admin.call('POST', 'notification-group', { body: { name: 'all', notifications: [1, 2] } })
      service.answer = (reply) => reply.writeHead(code).end()
      server.app.notifications.send({ groupId: 1, message: 'web-1 is down' })
      await expect.poll(() => notifiers.get(1)).toBeUndefined()
      expect(service.messages).toHaveLength(1)
      expect((await admin.get('notification-group')).body).toMatchObject({ data: [{ notifications: [2] }] })
      expect(usersIn(server.store).get(1)?.notifiers).toEqual([])
      await expect.poll(() => other.deliveries.map(({ url }) => decodeURIComponent(url ?? ''))).toHaveLength(2)
      expect(decodeURIComponent(other.deliveries.at(-1)?.url ?? '')).toContain('Phone')
    },
  )

  it('is not sent to where a push service redirects', async () => {
    const { send, service, admin } = await withIncident()
    const elsewhere = await receiver()
    service.answer = (reply) => reply.writeHead(307, { location: elsewhere.origin }).end()
    send()
    await expect.poll(() => deliveriesOf(admin)).toMatchObject([{ state: 2, code: 307, tries: 3 }])
    expect(elsewhere.deliveries).toEqual([])
    expect((await admin.get('notification')).body).toMatchObject({
      data: [{ undelivered_at: expect.any(String), undelivered_cause: expect.stringContaining('307') }],
    })
  })

  it('does not read a reply without end', async () => {
    const { send, pushed, service, admin } = await withIncident()
    let isEnded = false
    service.answer = (reply) => {
      reply.writeHead(201)
      reply.on('close', () => {
        isEnded = true
      })
      const chunk = 'x'.repeat(65_536)
      const fill = () => {
        while (!isEnded && reply.write(chunk));
      }
      reply.on('drain', fill)
      fill()
    }
    send()
    await pushed(1)
    await expect.poll(() => isEnded).toBe(true)
    await expect.poll(() => deliveriesOf(admin)).toMatchObject([{ state: 1, code: 201 }])
  })

  it('to a push service that never answers holds up no other notifier', async () => {
    const { server, service, admin } = await withIncident()
    const other = await receiver()
    const plain = {
      name: 'chat',
      url: `${other.origin}/?m=#NEZHA#`,
      request_method: 1,
      request_type: 1,
      skip_check: true,
    }
    await admin.call('POST', 'notification', { body: plain })
    service.answer = () => {}
    const receivers = { name: 'all', notifications: [1, 2] }
    server.app.notifications.send({ groupId: 0, receivers, message: 'web-1 is down' })
    await expect.poll(() => [service.messages.length, other.deliveries.length]).toEqual([1, 1])
  })

  it('by the test button says what the push service answered', async () => {
    const { admin, service, notifiers } = await withPhone()
    const test = () => admin.call('POST', 'wheelhouse/notification/1/test')
    expect((await test()).body).toMatchObject({ data: { sent: true, code: 201 } })
    service.answer = (reply) => reply.writeHead(410).end('gone')
    expect((await test()).body).toMatchObject({ data: { sent: false, code: 410, reply: 'gone' } })
    expect(notifiers.get(1)).toBeUndefined()
  })

  it('lets who is on duty for a team acknowledge on their device, while they are in it', async () => {
    const { server, service, admin } = await withPhone()
    const { teams } = server.app.auth
    const team = teams.create({ name: 'ops', users: [2], servers: [] })
    server.app.notifications.start()
    const member = await signedIn(server, 'member')
    const tablet = testDevice(service.endpoint('tablet'))
    await switchOn(member, tablet)
    const create = async (path: string, body: object) =>
      expect((await member.call('POST', path, { body: { ...body, team } })).body).toMatchObject({ success: true })
    await create('wheelhouse/rotas', { name: 'Rota', people: [2], starts_on: '2026-11-01', time_zone: 'UTC' })
    await create('wheelhouse/escalations', { name: 'Night', time_zone: 'UTC', steps: [{ after_min: 0, rota_id: 1 }] })
    entityTable(server.store, servers).insert({ name: 'web-1', uuid: 'a', user_id: -team, team, made_by: 2 })
    const rules = [{ type: 'cpu', max: 90, duration: 10 }]
    await create('alert-rule', { name: 'CPU', rules, enable: false, escalation_id: 1 })
    service.messages.length = 0
    server.app.incidents.tick()
    const incident = server.app.incidents.begin({
      ...trouble,
      rule_id: 1,
      owner_id: -team,
      started_at: server.clock.now,
    })
    server.app.incidents.tick()
    await expect.poll(() => service.messages.length).toBe(1)
    const { acknowledge } = tablet.read(service.messages[0]?.body ?? Buffer.alloc(0))
    const press = async () => {
      const headers = { ...host, accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' }
      const url = acknowledge?.path ?? ''
      return (await server.app.inject({ method: 'POST', url, headers, payload: '' })).statusCode
    }
    teams.update(team, { name: 'ops', users: [], servers: [] })
    expect([await press(), incident.state]).toEqual([410, 'open'])
    teams.update(team, { name: 'ops', users: [2], servers: [] })
    await admin.call('POST', 'wheelhouse/users/2/disable')
    expect([await press(), incident.state]).toEqual([410, 'open'])
    await admin.call('POST', 'wheelhouse/users/2/enable')
    expect([await press(), incident.state]).toEqual([200, 'acknowledged'])
  })

  it('tells who is on duty on their device, by a rota of an escalation plan', async () => {
    const { server, service, admin, phone } = await withPhone()
    server.app.notifications.start()
    const create = async (path: string, body: object) =>
      expect((await admin.call('POST', path, { body })).body).toMatchObject({ success: true })
    await create('wheelhouse/rotas', { name: 'Rota', people: [1], starts_on: '2026-11-01', time_zone: 'UTC' })
    await create('wheelhouse/escalations', { name: 'Night', time_zone: 'UTC', steps: [{ after_min: 0, rota_id: 1 }] })
    entityTable(server.store, servers).insert({ name: 'web-1', uuid: 'a', user_id: 1 })
    const rules = [{ type: 'cpu', max: 90, duration: 10 }]
    await create('alert-rule', { name: 'CPU', rules, enable: false, escalation_id: 1 })
    server.app.incidents.tick()
    server.app.incidents.begin({ ...trouble, rule_id: 1, started_at: server.clock.now })
    server.app.incidents.tick()
    await expect.poll(() => service.messages.length).toBe(1)
    expect(phone.read(service.messages[0]?.body ?? Buffer.alloc(0))).toMatchObject({
      title: expect.stringContaining('nobody has acknowledged it'),
      link: '/dashboard/incident/1/overview',
      acknowledge: { label: 'Acknowledge' },
    })
  })
})
