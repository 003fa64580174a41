import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Browser } from '../../support/console/browser.ts'
import { type Exchange, named, readRecording } from '../../support/recorded/recording.ts'
import { password, signedIn, type TestServer, testServer } from '../../support/server/testServer.ts'

const least = { site_name: 'Rack 7', language: 'en-US', user_template: 'user-dist', cover: 1 }
type Config = Record<string, unknown>
const configIn = ({ body }: { body: unknown }) => (body as { data: { config: Config } }).data.config

/** Without what differs between two servers: versions, templates, and what only this one has. */
function comparable(body: unknown): unknown {
  const parts = structuredClone(body) as { data?: Record<string, unknown> & { config?: Config } }
  for (const key of ['version', 'frontend_templates', 'tsdb_enabled', 'wheelhouse']) delete parts.data?.[key]
  delete parts.data?.config?.records_per_member
  // Always sent, and by no other server.
  delete parts.data?.config?.reauthentication_minutes
  delete parts.data?.config?.session_binding
  delete parts.data?.config?.terminal_hold_minutes
  delete parts.data?.config?.inspect_minutes
  delete parts.data?.config?.terminal_recording
  delete parts.data?.config?.recording_days
  return parts
}

describe('every exchange about settings that was recorded with a real server goes the same way here', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await testServer({
      site: { site_name: 'Nezha', web_real_ip_header: '', install_host: '127.0.0.1:8028' },
    })
  })

  it.each(named(readRecording('setting')))('%s', async (name, one) => {
    const reply = await replay(one)
    expect(reply.status).toBe(one.response.status)
    const expected = comparable(one.response.body) as { data?: { config?: Config } }
    // A list of servers that was cleared is left out here; real servers go on sending it.
    if (name === 'GET admin after odd values') delete expected.data?.config?.ignored_ip_notification_server_ids
    expect(comparable(reply.body)).toEqual(expected)
  })

  const replay = async ({ name, request }: Exchange) => {
    const isNobody = name.includes('anonymous')
    const browser = isNobody ? server.browser() : await signedIn(server, name.includes('member') ? 'member' : 'admin')
    return browser.call(request.method, request.path, { body: request.body })
  }
})

describe('every exchange about real addresses that was recorded with a real server goes the same way here', () => {
  it('from the first header to the last', async () => {
    // Real servers know no other binding than the strict one.
    const site = { site_name: 'Contract', web_real_ip_header: '', session_binding: 1 }
    const server = await testServer({ site })
    let admin: Browser = await signedIn(server)
    for (const { name, request, response } of readRecording('real-ip')) {
      if (name === 'same session from another IP on optional route') continue // its data are from another test
      const headers = { ...pick(request.headers, 'X-Real-IP') }
      const isLogin = request.path === '/api/v1/login'
      if (isLogin) admin = server.browser()
      // What was asked without a session is asked by another browser.
      const browser = /^(request without|header )/.test(name) ? server.browser() : admin
      const body = isLogin ? { username: 'admin', password } : request.body
      const reply = await browser.call(request.method, request.path, { body, headers })
      expect([name, reply.status, outcome(reply.body)]).toEqual([name, response.status, outcome(response.body)])
    }
  })

  const pick = (headers: Record<string, string> | undefined, name: string) =>
    headers?.[name] === undefined ? {} : { [name.toLowerCase()]: headers[name] as string }

  /** Refusals word by word; of what went well the address that was seen. */
  const outcome = (body: unknown) => {
    const { error, success, data } = body as { error?: string; success?: boolean; data?: { login_ip?: string } }
    return { error, success, login_ip: data?.login_ip }
  }
})

describe('changing the settings', () => {
  let server: TestServer
  let admin: Browser
  beforeEach(async () => {
    server = await testServer()
    admin = await signedIn(server)
  })
  const change = (body: object, browser = admin) => browser.call('PATCH', 'setting', { body })
  const direct = { ...least, web_real_ip_header: 'NZ::Use-Peer-IP' }

  it('replaces them all: what is left out is cleared, except for MCP', async () => {
    await change({ ...direct, custom_code: '<b>', tls: true, enable_mcp: true, reserved_hosts: 'a.example.org' })
    expect(configIn(await admin.get('setting'))).toMatchObject({ custom_code: '<b>', tls: true, enable_mcp: true })
    await change(direct)
    const config = configIn(await admin.get('setting'))
    expect(config).toMatchObject({ site_name: 'Rack 7', enable_mcp: true, admin_template: 'admin-dist' })
    expect(Object.keys(config)).not.toEqual(expect.arrayContaining(['custom_code']))
    expect(config).not.toHaveProperty('tls')
    expect(config).not.toHaveProperty('reserved_hosts')
  })

  it('ignores what it does not know, including the OAuth2 providers and the older real-IP key', async () => {
    const extra = { oauth2_providers: ['Evil'], admin_template: 'evil', real_ip_header: 'X-Old', colour: 'red' }
    expect((await change({ ...direct, ...extra })).body).toEqual({ success: true })
    const config = configIn(await admin.get('setting'))
    expect(config).toMatchObject({ admin_template: 'admin-dist', web_real_ip_header: 'NZ::Use-Peer-IP' })
    expect(Object.keys(config)).not.toEqual(expect.arrayContaining(['colour']))
    expect(config).not.toHaveProperty('oauth2_providers')
  })

  it('ends sessions when the client address changes with the header, without counting failures', async () => {
    expect((await change({ ...direct, web_real_ip_header: 'X-Real-IP' })).body).toEqual({ success: true })
    const seen = { 'x-real-ip': '203.0.113.1' }
    expect((await admin.get('profile', seen)).body).toEqual({ error: 'ApiErrorUnauthorized' })
    expect((await server.browser().get('setting', seen)).status).toBe(200)
    // The address it was opened from is still its own.
    expect((await admin.get('profile', { 'x-real-ip': '127.0.0.1' })).body).toMatchObject({ success: true })
  })

  it('takes an interval from a minute to a day for what alert rules ask, and keeps it for consoles without it', async () => {
    for (const inspect_minutes of [0, 1441]) {
      expect((await change({ ...direct, inspect_minutes })).body).toEqual({
        error: 'inspect_minutes must be from 1 to 1440',
      })
    }
    expect((await change({ ...direct, inspect_minutes: 1440 })).body).toEqual({ success: true })
    expect((await change(direct)).body).toEqual({ success: true })
    expect(configIn(await admin.get('setting'))).toMatchObject({ inspect_minutes: 1440 })
  })

  it('refuses an invalid header name', async () => {
    expect((await change({ ...direct, web_real_ip_header: 'X Real IP' })).body).toEqual({
      error: 'web_real_ip_header is not the name of a header',
    })
  })

  it('is recorded with the names of what changed, and without the values', async () => {
    await change({ ...direct, custom_code: 'secret words', language: 'en-US' })
    const { body } = await admin.get('wheelhouse/audit?offset=0&limit=1')
    expect(body).toMatchObject({
      data: { value: [{ action: 'setting.update', detail: { settings: 'site_name, custom_code' } }] },
    })
    expect(JSON.stringify(body)).not.toContain('secret words')
  })

  it('is for administrators', async () => {
    const member = await signedIn(server, 'member')
    expect((await change(direct, member)).body).toEqual({ error: 'permission denied' })
    expect((await change(direct, server.browser())).body).toEqual({ error: 'ApiErrorUnauthorized' })
    expect((await change({ ...direct, tls: 'yes' })).body).toEqual({
      error: 'json: cannot unmarshal string into Go struct field SettingForm.tls of type bool',
    })
  })
})

describe('asking which client address a header would give', () => {
  it('returns the address of this very request, and changes nothing', async () => {
    const server = await testServer()
    const admin = await signedIn(server)
    const behind = async (header: string, headers = {}) =>
      ((await admin.get(`wheelhouse/address/${encodeURIComponent(header)}`, headers)).body as { data: unknown }).data
    expect(await behind('X-Real-IP', { 'x-real-ip': '203.0.113.7, 198.51.100.1' })).toEqual({ address: '198.51.100.1' })
    expect(await behind('X-Real-IP')).toEqual({ problem: 'real ip header not found' })
    expect(await behind('X-Real-IP', { 'x-real-ip': 'banana' })).toEqual({
      problem: 'ParseAddr("banana"): unable to parse IP',
    })
    expect(await behind('NZ::Use-Peer-IP')).toEqual({ address: '127.0.0.1' })
    expect((await admin.get('wheelhouse/address/a%20b')).body).toEqual({ error: 'a b is not the name of a header' })
    expect((await (await signedIn(server, 'member')).get('wheelhouse/address/X-Real-IP')).body).toEqual({
      error: 'permission denied',
    })
  })
})

describe('the notifier group of the settings', () => {
  it('has to exist when it is chosen, and keeps nobody from saving when it was deleted since', async () => {
    const server = await testServer({ site: { web_real_ip_header: '', ip_change_notification_group_id: 7 } })
    const admin = await signedIn(server)
    const call = async (method: string, path: string, body: object) =>
      (await admin.call(method, `/api/v1/${path}`, { body })).body
    const save = (id: number) => call('PATCH', 'setting', { ...least, ip_change_notification_group_id: id })
    expect(await save(7)).toEqual({ success: true })
    expect(await save(99)).toEqual({
      error: 'ip_change_notification_group_id: notification group id 99 does not exist',
    })
    expect(await save(0)).toEqual({ success: true })
    const group = { name: 'Everybody', notifications: [] }
    const { data } = (await call('POST', 'notification-group', group)) as { data: number }
    expect(await save(data)).toEqual({ success: true })
  })
})
