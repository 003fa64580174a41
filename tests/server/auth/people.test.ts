import { describe, expect, it } from 'vitest'
import { type AuditLine, openAuditLog } from '../../../server/audit/auditLog.ts'
import { accountDisabled, invitationEnded, usernameTaken } from '../../../src/schemas/define/wireNames.ts'
import { enter } from '../../support/server/fixtures/openSession.ts'
import { password, testServer } from '../../support/server/testServer.ts'

const [adminId, memberId] = [1, 2]
const day = 86_400_000

async function startFixture() {
  const lines: AuditLine[] = []
  const server = await testServer({ audit: openAuditLog({ lines }) })
  const admin = await enter(server, adminId)
  const invite = async (role = 1) => {
    const { body } = await admin.call('POST', 'wheelhouse/invitations', { body: { role } })
    return (body as { data: { id: number; token: string; url: string } }).data
  }
  const accept = (token: string, username: string, browser = server.browser('192.0.2.7')) =>
    browser.call('POST', 'wheelhouse/invitations/accept', { body: { token, username, password: 'long enough' } })
  return { server, admin, invite, accept, lines }
}

/** The user as the list shows them. */
async function listed({ admin }: Awaited<ReturnType<typeof startFixture>>, id: number) {
  const { body } = await admin.get('user')
  return (body as { data: { id: number }[] }).data.find((user) => user.id === id)
}

describe('a disabled account', () => {
  it('has no session any more and opens none, and is as before when it is enabled', async () => {
    const fixture = await startFixture()
    const { server, admin, lines } = fixture
    const member = await enter(server, memberId)
    const { username } = server.app.auth.users.get(memberId) as { username: string }
    expect((await member.get('profile')).body).toMatchObject({ success: true })
    expect((await admin.call('POST', `wheelhouse/users/${memberId}/disable`)).body).toMatchObject({ success: true })
    expect(await listed(fixture, memberId)).toMatchObject({ disabled: true })
    expect((await member.get('profile')).body).toMatchObject({ error: 'ApiErrorUnauthorized' })
    const visitor = server.browser()
    expect((await visitor.signIn(username, password)).body).toEqual({ error: accountDisabled })
    // Only who knows the password learns it.
    expect((await visitor.signIn(username, 'wrong')).body).toEqual({ error: 'ApiErrorUnauthorized' })
    await admin.call('POST', `wheelhouse/users/${memberId}/enable`)
    expect((await server.browser('192.0.2.9').signIn(username, password)).body).toMatchObject({ success: true })
    expect(lines.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['user.disable', 'session.sign-in-failed', 'user.enable']),
    )
  })

  it('lets its API tokens do nothing, which work again afterwards', async () => {
    const { server, admin } = await startFixture()
    const { secret } = server.app.auth.apiTokens.create({
      user_id: memberId,
      name: 't',
      scopes: ['nezha:*'],
      server_ids: [],
      expires_at: '',
    })
    const ask = () => server.browser('192.0.2.5').get('server', { authorization: `Bearer ${secret}` })
    expect((await ask()).status).toBe(200)
    await admin.call('POST', `wheelhouse/users/${memberId}/disable`)
    expect((await ask()).status).toBe(401)
    await admin.call('POST', `wheelhouse/users/${memberId}/enable`)
    server.clock.now += 60_000
    expect((await ask()).status).toBe(200)
  })

  it('is never the own one, and exists', async () => {
    const { admin } = await startFixture()
    for (const act of ['disable', 'end-access']) {
      expect((await admin.call('POST', `wheelhouse/users/${adminId}/${act}`)).body).toMatchObject({
        error: expect.stringContaining('your own account'),
      })
      expect((await admin.call('POST', `wheelhouse/users/77/${act}`)).body).toEqual({
        error: 'user id 77 does not exist',
      })
    }
  })
})

describe('ending the access of an account', () => {
  it('ends its sessions, and deletes its tokens and invitations; it may sign in again', async () => {
    const { server, admin, accept } = await startFixture()
    const { users, apiTokens } = server.app.auth
    users.update(memberId, { role: 0 })
    const other = await enter(server, memberId)
    const { body } = await other.call('POST', 'wheelhouse/invitations', { body: {} })
    const { token } = (body as { data: { token: string } }).data
    apiTokens.create({ user_id: memberId, name: 't', scopes: [], server_ids: [], expires_at: '' })
    await admin.call('POST', `wheelhouse/users/${memberId}/end-access`)
    expect((await other.get('profile')).body).toMatchObject({ error: 'ApiErrorUnauthorized' })
    expect(apiTokens.ofUser(memberId)).toEqual([])
    expect((await accept(token, 'somebody')).body).toEqual({ error: invitationEnded })
    const { username } = users.get(memberId) as { username: string }
    expect((await server.browser().signIn(username, password)).body).toMatchObject({ success: true })
  })
})

describe('when somebody was here last', () => {
  it('is said by their last sign-in or renewal', async () => {
    const fixture = await startFixture()
    const { server } = fixture
    expect(await listed(fixture, memberId)).not.toHaveProperty('last_seen_at')
    const { username } = server.app.auth.users.get(memberId) as { username: string }
    const browser = server.browser()
    await browser.signIn(username, password)
    expect(await listed(fixture, memberId)).toMatchObject({ last_seen_at: '2026-11-21T00:00:00Z' })
    server.clock.now += 600_000
    await browser.call('POST', 'refresh-token')
    expect(await listed(fixture, memberId)).toMatchObject({ last_seen_at: '2026-11-21T00:10:00Z' })
  })
})

describe('an invitation', () => {
  it('has the address of a proxy with TLS', async () => {
    const server = await testServer({ site: { web_real_ip_header: 'X-Real-IP' } })
    const admin = await enter(server, adminId)
    const headers = { 'x-forwarded-proto': 'https', 'x-real-ip': '127.0.0.1' }
    const { body } = await admin.call('POST', 'wheelhouse/invitations', { body: { role: 1 }, headers })
    expect((body as { data: { url: string } }).data.url).toMatch(/^https:\/\/127\.0\.0\.1:8008\/dashboard\/login#/)
  })

  it('makes one account with its role, and signs in to it', async () => {
    const { server, invite, accept, lines } = await startFixture()
    const { token, url } = await invite(1)
    expect(url).toBe(`http://127.0.0.1:8008/dashboard/login#invitation=${token}`)
    const browser = server.browser('192.0.2.7')
    const read = await browser.call('POST', 'wheelhouse/invitations/read', { body: { token } })
    expect(read.body).toMatchObject({ data: { role: 1, invited_by: 'admin', expires_at: '2026-11-28T00:00:00Z' } })
    expect((await accept(token, 'grace', browser)).body).toMatchObject({ data: { id: 3, username: 'grace' } })
    expect((await browser.get('profile')).body).toMatchObject({ data: { username: 'grace', role: 1 } })
    expect((await accept(token, 'other')).body).toEqual({ error: invitationEnded })
    expect(lines.find(({ action }) => action === 'invitation.accept')).toMatchObject({ username: 'grace' })
    // Neither the log nor the database has the token.
    expect(JSON.stringify(lines)).not.toContain(token)
    expect(JSON.stringify(server.store.table({ name: 'invitation', columns: [] }).find({}))).not.toContain(token)
  })

  it('gives further roles, as far as what they are about is still there', async () => {
    const { server, admin, accept, lines } = await startFixture()
    const { roles } = server.app.auth
    const own = roles.create({ name: 'On call', rights: ['act'] })
    const invite = (body: object) => admin.call('POST', 'wheelhouse/invitations', { body })
    const given = [
      { role: 'viewer', scope: 'all' },
      { role: own, scope: 'all' },
    ]
    const { body } = await invite({ role: 1, roles: given })
    const { id, token } = (body as { data: { id: number; token: string } }).data
    expect((await admin.get('wheelhouse/invitations')).body).toMatchObject({ data: [{ id, roles: given }] })
    roles.remove(own)
    await accept(token, 'grace')
    const { people } = ((await admin.get('wheelhouse/roles')).body as { data: { people: object[] } }).data
    expect(people.find((one) => 'username' in one && one.username === 'grace')).toMatchObject({
      roles: [{ role: 'viewer', scope: 'all', given_by: 'admin', given_at: '2026-11-21T00:00:00Z' }],
    })
    expect(lines.find(({ action }) => action === 'invitation.accept')).toMatchObject({
      detail: { role: 1, roles: `viewer for all; ${own} for all` },
    })
    for (const [wrong, words] of [
      [{ role: 0, roles: [given[0]] }, 'an administrator has them all'],
      [{ roles: [{ role: 'administrator', scope: 'all' }] }, 'set role to 0'],
      [{ roles: [{ role: 77, scope: 'all' }] }, 'role id 77 does not exist'],
      [{ roles: [{ role: 'viewer', scope: { servers: [77] } }] }, 'server id 77 does not exist'],
      [{ roles: Array.from({ length: 51 }, () => given[0]) }, 'roles is not valid'],
    ] as const) {
      expect((await invite(wrong)).text).toContain(words)
    }
  })

  it('is accepted once, also by two at the same moment', async () => {
    const { server, invite, accept } = await startFixture()
    const { token } = await invite()
    const replies = await Promise.all([accept(token, 'grace'), accept(token, 'heidi', server.browser('192.0.2.8'))])
    expect(replies.filter(({ body }) => 'data' in (body as object))).toHaveLength(1)
    expect(server.app.auth.users.all()).toHaveLength(3)
  })

  it('stays when the name is taken, looks like one, or the password is too short', async () => {
    const { server, invite, accept } = await startFixture()
    const { token } = await invite()
    expect((await accept(token, 'admin')).body).toEqual({ error: usernameTaken })
    expect((await accept(token, 'ADMIN')).body).toMatchObject({ error: expect.stringContaining('looks like "admin"') })
    const body = { token, username: 'grace', password: 'short' }
    const reply = await server.browser().call('POST', 'wheelhouse/invitations/accept', { body })
    expect(reply.body).toMatchObject({ error: expect.stringContaining('too short') })
    expect((await accept(token, 'grace')).body).toMatchObject({ success: true })
  })

  it('ends after seven days, when it is taken back, and when who made it may no longer make it', async () => {
    const { server, admin, invite, accept } = await startFixture()
    const [first, second, third] = [await invite(), await invite(0), await invite(0)]
    await admin.call('DELETE', `wheelhouse/invitations/${first.id}`)
    expect((await accept(first.token, 'grace')).body).toEqual({ error: invitationEnded })
    server.app.auth.users.update(adminId, { role: 1 })
    expect((await accept(second.token, 'grace')).body).toEqual({ error: invitationEnded })
    server.app.auth.users.update(adminId, { role: 0 })
    server.clock.now += 7 * day
    expect((await accept(third.token, 'grace')).body).toEqual({ error: invitationEnded })
  })

  it('cannot be guessed for long by one address, and is limited in number', async () => {
    const { server, invite, admin } = await startFixture()
    const browser = server.browser('192.0.2.66')
    const guess = async () =>
      (await browser.call('POST', 'wheelhouse/invitations/read', { body: { token: 'x' } })).status
    for (let tries = 0; tries < 20; tries++) expect(await guess()).toBe(200)
    expect(await guess()).toBe(429)
    for (let count = 0; count < 100; count++) await invite()
    const { body } = await admin.call('POST', 'wheelhouse/invitations', { body: {} })
    expect(body).toMatchObject({ error: expect.stringContaining('100 open invitations') })
  })
})
