import { describe, expect, it } from 'vitest'
import { type AuditLine, openAuditLog } from '../../../server/audit/auditLog.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import type { Trouble } from '../../../server/incidents/incident.ts'
import { notification } from '../../../src/schemas/notification.ts'
import { server as servers } from '../../../src/schemas/server.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

const settings = { host: '127.0.0.1', publicUrl: new URL('https://console.example.org') }
const dayMs = 86_400_000

/** A server with an incident, and a notifier of the member. */
async function withLink(owner = 1) {
  const lines: AuditLine[] = []
  const server = await testServer({ settings, audit: openAuditLog({ lines }) })
  await server.app.ready()
  const { incidents, acknowledgeLinks } = server.app
  entityTable(server.store, servers).insert({ name: 'web-1', uuid: 'a', user_id: owner })
  entityTable(server.store, notification).insert({ name: 'On <call>', url: 'https://a.example', user_id: owner })
  const trouble: Trouble = {
    kind: 'alarm',
    id: 7,
    server_id: 1,
    service_id: 0,
    rule_id: 3,
    owner_id: owner,
    host: '',
    is_gone: false,
    rule_name: '',
    name: '<b>web-1</b> CPU',
    started_at: server.clock.now,
  }
  const incident = incidents.begin(trouble)
  const link = new URL(acknowledgeLinks.waysOf(incident, 1).path, settings.publicUrl)
  const call = (
    method: 'GET' | 'POST',
    { payload = '', path = link.pathname, ...headers }: Record<string, string> = {},
  ) =>
    server.app.inject({
      method,
      url: path,
      headers: { host: 'console.example.org', 'content-type': 'application/x-www-form-urlencoded', ...headers },
      ...(method === 'POST' && { payload }),
    })
  return { server, incidents, incident, link, call, lines, trouble }
}

describe('the link in a message', () => {
  it('opens a page that says what it is, and neither that nor a preview of it acknowledges', async () => {
    const { call, incident, link } = await withLink()
    expect(link.href).toMatch(/^https:\/\/console\.example\.org\/acknowledge\/[\da-z-]{50,80}$/)
    for (const _ of [1, 2]) {
      const { statusCode, headers, body } = await call('GET', { 'accept-language': 'de-AT,de;q=0.9' })
      expect(statusCode).toBe(200)
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex, nofollow',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      })
      expect(body).toContain('<html lang="de-DE">')
      expect(body).toContain('&lt;b&gt;web-1&lt;/b&gt; CPU')
      expect(body).toContain('On &lt;call&gt;')
      expect(body).toContain('<form method="post">')
      expect(body).not.toContain('<script')
    }
    expect(incident.state).toBe('open')
  })

  it('acknowledges by its form, without a sign-in and from any origin, in the diary and the audit log', async () => {
    const { call, incident, lines } = await withLink()
    const { statusCode, headers } = await call('POST', { payload: 'note=+on+my+way+%F0%9F%9A%97', origin: 'null' })
    expect([statusCode, headers.location]).toEqual([303, expect.stringMatching(/^\/acknowledge\//)])
    expect(incident).toMatchObject({ state: 'acknowledged', acknowledged_by: 'by the link sent to On <call>' })
    expect(incident.entries).toMatchObject([{ kind: 'acknowledged', text: 'on my way 🚗' }])
    expect(lines).toMatchObject([
      { action: 'incident.acknowledge', target: 'incident 1', detail: { by: 'link', notifier: '1 On <call>' } },
    ])
    const { body } = await call('GET')
    expect(body).toContain('Acknowledged by the link sent to On &lt;call&gt;')
    expect(body).not.toContain('<form')
    // A second click changes nothing.
    await call('POST', { payload: 'note=again' })
    expect(incident.entries).toHaveLength(1)
  })

  it.each([
    ['en-US', 'Acknowledge</button>'],
    ['it', 'Prendi in carico</button>'],
    ['zh-Hans', '认领</button>'],
    ['zh-HK', '認領</button>'],
    ['fr', 'Acquitter</button>'],
    ['sw', 'Acknowledge</button>'],
  ])('speaks the language of who opens it: %s', async (language, button) => {
    const { call } = await withLink()
    expect((await call('GET', { 'accept-language': language })).body).toContain(button)
  })

  it('works after a restart, and ends after 24 hours', async () => {
    const { server, incidents, link, call } = await withLink()
    incidents.flush()
    const next = await testServer({ settings, store: server.store })
    await next.app.ready()
    // What began is compared with what lasts: it is resolved by now.
    const { statusCode, body } = await next.app.inject({ url: link.pathname, headers: { host: link.host } })
    expect([statusCode, body]).toEqual([200, expect.stringContaining('Resolved')])
    server.clock.now += dayMs
    const ended = await call('GET')
    expect([ended.statusCode, ended.body]).toEqual([410, expect.stringContaining('good for 24 hours')])
    expect((await call('POST')).statusCode).toBe(410)
  })

  it('is of no use when a letter of it is another one', async () => {
    const { call, link, incident } = await withLink()
    const { pathname } = link
    // The digits of incident, notifier and time, and two of the signature.
    const places = [13, 15, 20, pathname.length - 1, pathname.length - 30]
    for (const place of places) {
      const other = pathname[place] === '1' ? '2' : '1'
      const path = pathname.slice(0, place) + other + pathname.slice(place + 1)
      const { statusCode, body } = await call('POST', { path })
      expect([path, statusCode, body]).toEqual([path, 404, expect.stringContaining('This link is not valid')])
    }
    expect(incident.state).toBe('open')
  })

  it('is revoked with the notifier that it was sent to', async () => {
    const { server, call } = await withLink()
    const admin = await signedIn(server)
    await admin.call('POST', 'batch-delete/notification', { body: [1] })
    const { statusCode, body } = await call('POST')
    expect([statusCode, body]).toEqual([410, expect.stringContaining('no longer valid')])
  })

  it.each([
    ['deleted', 'batch-delete/user', [2]],
    ['disabled', 'wheelhouse/users/2/disable', undefined],
  ])('is revoked when the owner of the notifier was %s', async (_what, path, body) => {
    const { server, call } = await withLink(2)
    expect((await call('GET')).statusCode).toBe(200)
    const admin = await signedIn(server)
    await admin.call('POST', path, { body })
    expect((await call('POST')).statusCode).toBe(410)
  })

  it('leads to the incident that it has become part of', async () => {
    const { server, incidents, incident, call, trouble } = await withLink()
    const gone: Trouble = { ...trouble, kind: 'offline', id: 0, is_gone: true, name: 'web-2 is offline' }
    const other = incidents.begin({ ...gone, server_id: 2 })
    const pathname = server.app.acknowledgeLinks.waysOf(other, 1).path
    incidents.begin({ ...gone, server_id: 3 })
    // Three are alike, and what the first was about stands on one of them.
    incidents.begin({ ...gone, server_id: 1 })
    expect([...incidents.unresolved()]).toEqual([incident])
    expect((await call('POST', { path: pathname, payload: 'note=all+of+it' })).statusCode).toBe(303)
    expect(incident).toMatchObject({ state: 'acknowledged' })
  })

  it('says to members no more than what is theirs, and does not act for them on what is not', async () => {
    const { call, incident } = await withLink(2)
    incident.parts.push({
      ...(incident.parts[0] as (typeof incident.parts)[number]),
      id: 8,
      server_id: 9,
      owner_id: 1,
      name: 'secret database',
    })
    incident.title = 'secret database and 1 more'
    const { body } = await call('GET')
    expect(body).toContain('&lt;b&gt;web-1&lt;/b&gt; CPU')
    expect(body).not.toContain('secret')
    expect(body).not.toContain('<form')
    await call('POST', { payload: 'note=x' })
    expect(incident.state).toBe('open')
    // The button of a message says that nothing came of it.
    const button = await call('POST', { accept: 'application/json' })
    expect([button.statusCode, button.json(), incident.state]).toEqual([403, { state: 'open' }, 'open'])
  })

  it('tells members nothing of what is not theirs any more, neither people nor programs', async () => {
    const { server, call, incident } = await withLink(2)
    entityTable(server.store, servers).update(1, { user_id: 1 })
    for (const part of incident.parts) part.owner_id = 1
    for (const method of ['GET', 'POST'] as const) {
      const { statusCode, body } = await call(method, { accept: 'application/json' })
      expect([statusCode, body]).toEqual([410, expect.stringContaining('no longer there')])
    }
    expect(incident.state).toBe('open')
  })

  it('holds up whoever tries many, and whoever calls one too often', async () => {
    const { call } = await withLink()
    const guess = () => call('GET', { path: `/acknowledge/1-1-1-${'0'.repeat(40)}` })
    const codes = await Promise.all(Array.from({ length: 12 }, async () => (await guess()).statusCode))
    expect(codes.filter((code) => code === 404)).toHaveLength(10)
    expect(codes.filter((code) => code === 429)).toHaveLength(2)
    const own = await Promise.all(Array.from({ length: 22 }, async () => (await call('GET')).statusCode))
    expect(own.filter((code) => code === 429).length).toBeGreaterThan(0)
    expect(own[0]).toBe(200)
  })

  it('takes notes of any length, up to the limit of notes', async () => {
    const { call, incident } = await withLink()
    const { statusCode } = await call('POST', { payload: `note=${'%E8%AA%8D'.repeat(2000)}` })
    expect(statusCode).toBe(303)
    expect(incident.entries[0]?.text).toHaveLength(2000)
    expect((await call('POST', { payload: 'x'.repeat(20_000) })).statusCode).toBe(413)
  })
})
