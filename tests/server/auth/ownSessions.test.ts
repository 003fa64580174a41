import { describe, expect, it } from 'vitest'
import { type AuditLine, openAuditLog } from '../../../server/audit/auditLog.ts'
import type { Browser } from '../../support/console/browser.ts'
import { password, signedIn, type TestServer, testServer } from '../../support/server/testServer.ts'

const unauthorized = { error: 'ApiErrorUnauthorized' }

interface Row {
  id: number
  current?: boolean
}

const listOf = async (browser: Browser) => ((await browser.get('wheelhouse/sessions')).body as { data: Row[] }).data

async function signedInWith(server: TestServer, userAgent: string, address?: string): Promise<Browser> {
  const browser = server.browser(address)
  const body = { username: 'admin', password }
  await browser.call('POST', 'login', { body, headers: { 'user-agent': userAgent } })
  return browser
}

describe('the own sessions', () => {
  it('are listed with device, address and time, the latest first; only the own ones, until they expire', async () => {
    const server = await testServer()
    await signedIn(server, 'member')
    await signedInWith(server, 'Old')
    server.clock.now += 3_000_000
    const here = await signedInWith(server, 'Firefox', '203.0.113.1')
    server.clock.now += 1_000_000
    await signedInWith(server, '', '203.0.113.2')
    const reply = await here.get('wheelhouse/sessions')
    expect(reply.body).toEqual({
      success: true,
      data: [
        { id: 4, created_at: '2026-11-21T01:06:40Z', address: '203.0.113.2' },
        {
          id: 3,
          created_at: '2026-11-21T00:50:00Z',
          address: '203.0.113.1',
          user_agent: 'Firefox',
          current: true,
        },
      ],
    })
    expect(reply.text).not.toMatch(/key|user_id/)
  })

  it('can be ended one by one', async () => {
    const server = await testServer()
    const [here, there] = [await signedIn(server), await signedIn(server)]
    const other = (await listOf(here)).find(({ current }) => !current)?.id
    expect((await here.call('DELETE', `wheelhouse/sessions/${other}`)).body).toEqual({ success: true })
    expect((await there.get('profile')).body).toEqual(unauthorized)
    expect(await listOf(here)).toMatchObject([{ current: true }])
  })

  it('can be ended except for the current one', async () => {
    const server = await testServer()
    const [one, here, two, foreign] = [
      await signedIn(server),
      await signedIn(server),
      await signedIn(server),
      await signedIn(server, 'member'),
    ]
    expect((await here.call('DELETE', 'wheelhouse/sessions')).body).toEqual({ success: true })
    for (const ended of [one, two]) expect((await ended.get('profile')).body).toEqual(unauthorized)
    for (const other of [here, foreign]) expect((await other.get('profile')).body).toMatchObject({ success: true })
  })

  it('cannot be ended by others, not even by an administrator', async () => {
    const server = await testServer()
    const member = await signedIn(server, 'member')
    const admin = await signedIn(server)
    const [row] = await listOf(member)
    const refusal = { error: `session id ${row?.id} does not exist` }
    expect((await admin.call('DELETE', `wheelhouse/sessions/${row?.id}`)).body).toEqual(refusal)
    expect((await member.get('profile')).body).toMatchObject({ success: true })
  })

  it('require a session, and ending one requires the CSRF value', async () => {
    const server = await testServer()
    const here = await signedIn(server)
    expect((await server.browser().get('wheelhouse/sessions')).body).toEqual(unauthorized)
    expect((await server.browser().call('POST', 'wheelhouse/logout')).body).toEqual(unauthorized)
    const forged = { headers: { 'x-csrf-token': 'x' } }
    for (const [method, path] of [
      ['DELETE', 'sessions/1'],
      ['DELETE', 'sessions'],
      ['POST', 'logout'],
    ] as const) {
      expect((await here.call(method, `wheelhouse/${path}`, forged)).status).toBe(403)
    }
    expect(await listOf(here)).toHaveLength(1)
  })
})

describe('signing out', () => {
  it('ends this session and deletes its cookies; other sessions stay', async () => {
    const server = await testServer()
    const [here, there] = [await signedIn(server), await signedIn(server)]
    const token = here.cookies.get('nz-jwt')
    const reply = await here.call('POST', 'wheelhouse/logout')
    expect(reply.body).toEqual({ success: true })
    expect(reply.headers['set-cookie']).toEqual([
      expect.stringMatching(/^nz-jwt=; Max-Age=0; Path=\//),
      expect.stringMatching(/^nz-csrf=; Max-Age=0; Path=\//),
    ])
    const stolen = await server.browser().get('profile', { authorization: `Bearer ${token}` })
    expect(stolen.body).toEqual(unauthorized)
    expect((await there.get('profile')).body).toMatchObject({ success: true })
  })

  it('is announced to signed-in users', async () => {
    const server = await testServer()
    const settingOf = async (browser: Browser) => (await browser.get('setting')).body
    expect(await settingOf(await signedIn(server, 'member'))).toMatchObject({
      data: { wheelhouse: { sessions: true } },
    })
    expect(await settingOf(server.browser())).not.toHaveProperty('data.wheelhouse.sessions')
  })
})

it('sign-ins, failures, ended sessions and sign-outs are in the audit log, without what was typed', async () => {
  const lines: AuditLine[] = []
  const server = await testServer({ audit: openAuditLog({ lines }) })
  const [here] = [await signedIn(server), await signedIn(server, 'admin', '203.0.113.9')]
  await here.signIn('admin', 'wrong-s3cret')
  server.clock.now += 60_000
  await here.signIn('s3cret-in-the-wrong-field', 'x')
  server.clock.now += 60_000
  const there = (await listOf(here)).find(({ current }) => !current)?.id
  await here.call('DELETE', `wheelhouse/sessions/${there}`)
  await here.call('POST', 'wheelhouse/logout')
  const events = lines.map(({ action, username, target, address }) => [action, username, target, address])
  expect(events).toEqual([
    ['session.sign-in', 'admin', undefined, '127.0.0.1'],
    ['session.sign-in', 'admin', undefined, '203.0.113.9'],
    ['session.sign-in-failed', undefined, 'user 1', '127.0.0.1'],
    ['session.sign-in-failed', undefined, undefined, '127.0.0.1'],
    ['session.end', 'admin', 'session 2', '127.0.0.1'],
    ['session.sign-out', 'admin', 'session 1', '127.0.0.1'],
  ])
  expect(JSON.stringify(lines)).not.toContain('s3cret')
})
