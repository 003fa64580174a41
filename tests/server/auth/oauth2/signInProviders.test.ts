import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type AuditLine, openAuditLog } from '../../../../server/audit/auditLog.ts'
import { type SignInProviderForm, signInLimits } from '../../../../src/schemas/account/signInProvider.ts'
import type { RoleAssignment } from '../../../../src/schemas/define/access.ts'
import { factorFailures } from '../../../../src/schemas/define/factorFailures.ts'
import type { Browser } from '../../../support/console/browser.ts'
import { sign, startOpenidIssuer } from '../../../support/fakes/openidIssuer.ts'
import { signInAtProvider } from '../../../support/journeys/oauth2Journey.ts'
import { failedWith, profileOf, redirectOf } from '../../../support/server/auth/oauth2Servers.ts'
import { completeSignIn, setUpTotp } from '../../../support/server/auth/secondFactor.ts'
import { password, signedIn, testServer } from '../../../support/server/testServer.ts'

const succeeded = [302, '/dashboard/login?oauth2=true']
const viewerOfAll: RoleAssignment = { role: 'viewer', scope: 'all' }
const operatorOfAll: RoleAssignment = { role: 'operator', scope: 'all' }

type Form = Omit<Partial<SignInProviderForm>, 'groups'> & { groups?: object[] }

/** A server, and a provider that its administrator has entered in the console. */
async function startFixture(form: Form = {}) {
  const issuer = await startOpenidIssuer()
  onTestFinished(() => issuer.close())
  issuer.claims = { sub: '4711', preferred_username: 'ada', groups: [] }
  const lines: AuditLine[] = []
  const server = await testServer({ audit: openAuditLog({ lines }) })
  const admin = await signedIn(server)
  const whole = {
    kind: 'oidc',
    name: 'Company',
    settings: { issuer: issuer.issuer, client_id: 'console' },
    secret: 's3cret',
    create_accounts: true,
    ...form,
  }
  const post = (body: object) => admin.call('POST', 'wheelhouse/sign-in-providers', { body })
  const change = (changes: object) =>
    admin.call('PATCH', 'wheelhouse/sign-in-providers/1', { body: { ...whole, secret: '', ...changes } })
  expect((await post(whole)).body).toEqual({ success: true, data: { id: 1 } })

  /** Signs in as somebody of these groups. */
  async function signIn(groups?: unknown, name = 'ada', browser: Browser = server.browser()) {
    issuer.claims = { sub: name, preferred_username: name, ...(groups !== undefined && { groups }) }
    return { browser, redirect: redirectOf(await signInAtProvider(browser, 'Company')) }
  }
  const idOf = (name: string) => server.app.auth.users.find({ username: name })[0]?.id ?? 0
  const rolesOf = (name: string) => server.app.auth.roles.of(idOf(name))
  const list = async () => (await admin.get('wheelhouse/sign-in-providers')).body
  return { issuer, server, admin, lines, whole, post, change, signIn, idOf, rolesOf, list }
}

describe('a provider that was entered in the console', () => {
  it('makes an account at the first sign-in, whose roles are what its groups say at each', async () => {
    const { signIn, rolesOf, server } = await startFixture({
      groups: [
        { group: 'ops', roles: [operatorOfAll] },
        { group: 'all', roles: [viewerOfAll] },
      ],
    })
    const { browser, redirect } = await signIn(['all', 'ops', 'unknown'])
    expect(redirect).toEqual(succeeded)
    expect(await profileOf(browser)).toMatchObject({ username: 'ada', role: 1, reject_password: true })
    expect(rolesOf('ada')).toEqual([operatorOfAll, viewerOfAll])
    expect((await signIn(['all'])).redirect).toEqual(succeeded)
    expect(rolesOf('ada')).toEqual([viewerOfAll])
    expect((await signIn([])).redirect).toEqual(succeeded)
    expect(rolesOf('ada')).toEqual([])
    expect(server.app.auth.users.all()).toHaveLength(3)
  })

  it('takes nothing away and gives nothing while it says nothing of groups', async () => {
    const { signIn, rolesOf } = await startFixture({ groups: [{ group: 'ops', roles: [operatorOfAll] }] })
    await signIn(['ops'])
    for (const said of [undefined, 7, { ops: true }, null]) {
      expect((await signIn(said)).redirect).toEqual(succeeded)
      expect(rolesOf('ada')).toEqual([operatorOfAll])
    }
  })

  it('that leaves the groups of somebody out changes nothing, and the log says what to do', async () => {
    const { issuer, signIn, rolesOf, server } = await startFixture({
      groups: [{ group: 'ops', roles: [operatorOfAll] }],
    })
    await signIn(['ops'])
    expect(server.logged).toEqual([])
    for (const more of [{}, { _claim_names: { groups: 'src1' } }, { hasgroups: true }]) {
      issuer.token = ({ claims, key }) => sign({ claims: { ...claims, ...more }, key })
      expect((await signIn()).redirect).toEqual(succeeded)
      expect(rolesOf('ada')).toEqual([operatorOfAll])
    }
    const says = 'The provider "Company" says nothing of groups: '
    expect(server.logged).toEqual([
      `${says}its claim "groups" is missing, or no list: have it send that, or correct the name of the claim`,
      `${says}it leaves the groups of somebody out who is in too many: have it send only those that are assigned to the application`,
    ])
  })

  it('has its groups by one text, in an object, and under a name with dots', async () => {
    const { issuer, change, signIn, rolesOf, whole } = await startFixture()
    const groups = [{ group: 'ops', roles: [operatorOfAll] }]
    const withClaim = (groups_claim: string) => change({ groups, settings: { ...whole.settings, groups_claim } })
    await withClaim('groups')
    await signIn('ops')
    expect(rolesOf('ada')).toEqual([operatorOfAll])
    await signIn([])
    issuer.token = ({ claims, key }) =>
      sign({
        claims: { ...claims, realm_access: { roles: ['ops'] }, 'https://example.org/groups': ['ops'] },
        key,
      })
    for (const claim of ['realm_access.roles', 'https://example.org/groups']) {
      await withClaim('groups')
      await signIn([])
      expect(rolesOf('ada')).toEqual([])
      await withClaim(claim)
      await signIn([])
      expect(rolesOf('ada')).toEqual([operatorOfAll])
    }
  })

  it('is asked for what its ID token lacks, and believed about that account alone', async () => {
    const { issuer, signIn, rolesOf } = await startFixture({ groups: [{ group: 'ops', roles: [operatorOfAll] }] })
    issuer.document = { userinfo_endpoint: `${issuer.issuer}/userinfo` }
    issuer.userInfo = { sub: 'ada', groups: ['ops'] }
    expect((await signIn(undefined)).redirect).toEqual(succeeded)
    expect(rolesOf('ada')).toEqual([operatorOfAll])
    issuer.userInfo = { sub: 'eve', groups: [] }
    expect((await signIn(undefined)).redirect).toEqual(failedWith('failed'))
    expect(rolesOf('ada')).toEqual([operatorOfAll])
  })

  it('reads 10,000 groups, passes over what is no text, and tells capitals apart', async () => {
    const { signIn, rolesOf } = await startFixture({ groups: [{ group: 'ops', roles: [operatorOfAll] }] })
    const many = Array.from({ length: 10_000 }, (_, at) => `group ${at}`)
    expect((await signIn([...many, 'ops'])).redirect).toEqual(succeeded)
    expect(rolesOf('ada')).toEqual([operatorOfAll])
    await signIn([...many, 'OPS', 'Ops', ' ops'])
    expect(rolesOf('ada')).toEqual([])
    await signIn([7, null, ['ops'], { name: 'ops' }, true, 'ops'])
    expect(rolesOf('ada')).toEqual([operatorOfAll])
  })

  it('makes no accounts beyond the limit, and says so in the audit log', async () => {
    const { server, signIn, lines, idOf } = await startFixture()
    const many = vi.spyOn(server.app.auth.bindings, 'usersOf')
    many.mockReturnValue(Array.from({ length: signInLimits.people }, (_, at) => at))
    expect((await signIn([])).redirect).toEqual(failedWith('unbound'))
    expect(idOf('ada')).toBe(0)
    expect(lines.at(-1)).toMatchObject({ action: 'session.sign-in-failed', detail: { most: signInLimits.people } })
    many.mockRestore()
    expect((await signIn([])).redirect).toEqual(succeeded)
  })

  it('puts people into teams by their groups, and takes them out again', async () => {
    const { admin, signIn, idOf, change } = await startFixture({ groups: [] })
    const created = await admin.call('POST', 'wheelhouse/teams', { body: { name: 'Ops', users: [], servers: [] } })
    const { id } = (created.body as { data: { id: number } }).data
    const members = async () => {
      const { data } = (await admin.get('wheelhouse/teams')).body as { data: { signed_in_users: number[] }[] }
      return data[0]?.signed_in_users
    }
    await change({ groups: [{ group: 'ops', roles: [], administrator: false, team: id }] })
    await signIn(['ops'])
    expect(await members()).toEqual([idOf('ada')])
    await signIn(undefined)
    expect(await members()).toEqual([idOf('ada')])
    await signIn([])
    expect(await members()).toEqual([])
    await signIn(['ops'])
    await admin.call('DELETE', 'wheelhouse/sign-in-providers/1', {})
    expect(await members()).toEqual([])
  })

  it('leaves roles that were given by hand or by another provider', async () => {
    const { admin, signIn, idOf, rolesOf, change, post, whole } = await startFixture({
      groups: [{ group: 'ops', roles: [operatorOfAll] }],
    })
    await signIn(['ops'])
    const setRoles = (roles: RoleAssignment[]) =>
      admin.call('PATCH', `wheelhouse/users/${idOf('ada')}/roles`, { body: { roles } })
    // As the console sends it: what the provider gave, and one more.
    expect((await setRoles([operatorOfAll, viewerOfAll])).body).toEqual({ success: true })
    await signIn([])
    expect(rolesOf('ada')).toEqual([viewerOfAll])
    await signIn(['ops'])
    await setRoles([viewerOfAll])
    expect(rolesOf('ada')).toEqual([viewerOfAll])
    await signIn(['ops'])
    expect(rolesOf('ada')).toEqual([viewerOfAll, operatorOfAll])
    // Rules that are gone take away at the next sign-in.
    await change({ groups: [] })
    await signIn(['ops'])
    expect(rolesOf('ada')).toEqual([viewerOfAll])
    expect((await post({ ...whole, name: 'company' })).text).toContain('there is a provider with this name')
  })

  it('makes administrators and members again, but for the last one and for those whom somebody made', async () => {
    const { server, signIn, idOf, lines, issuer } = await startFixture({
      groups: [{ group: 'root', roles: [viewerOfAll], administrator: true }],
    })
    const roleOf = (name: string) => server.app.auth.users.get(idOf(name))?.role
    const { browser } = await signIn(['root'])
    expect(await profileOf(browser)).toMatchObject({ role: 0 })
    expect((await browser.get('wheelhouse/sign-in-providers')).status).toBe(200)
    await signIn([])
    expect(roleOf('ada')).toBe(1)
    // The session of before has the role of now.
    expect((await browser.get('wheelhouse/sign-in-providers')).text).toContain('permission denied')
    // The administrator whom nobody's groups have made stays one.
    const admin = await signedIn(server)
    issuer.claims = { sub: 'root of all' }
    await signInAtProvider(admin, 'Company', 2)
    await signIn([], 'root of all')
    expect(server.app.auth.users.get(1)?.role).toBe(0)
    await signIn(['root'])
    server.app.auth.users.update(1, { disabled: true })
    await signIn([])
    expect(roleOf('ada')).toBe(0)
    expect(lines.at(-2)).toMatchObject({ action: 'user.roles', detail: { roles: 'the last administrator stays one' } })
    server.app.auth.users.update(1, { disabled: false })
    await signIn([])
    expect(roleOf('ada')).toBe(1)
  })

  it('never takes over an account by its name, and says so', async () => {
    const { server, signIn, lines } = await startFixture()
    for (const name of ['admin', 'ADMIN', ' admin ', 'ａｄｍｉｎ']) {
      expect((await signIn(['root'], name)).redirect, name).toEqual(failedWith('taken'))
    }
    for (const name of ['a', 'x'.repeat(65), 'ada\u0000', 'a\nb', 'ada\u202e', '\u200b\u200b', '']) {
      expect((await signIn([], name || 'no name')).redirect, name).toEqual(
        name === '' ? succeeded : failedWith('bad_name'),
      )
    }
    expect(server.app.auth.users.all().map(({ username }) => username)).toEqual(['admin', 'member', 'no name'])
    expect(lines.find(({ action }) => action === 'session.sign-in-failed')).toMatchObject({
      detail: { by: 'Company', outcome: 'taken' },
    })
  })

  it('makes no account where that is not allowed, and signs in nobody who is disabled', async () => {
    const { server, change, signIn, idOf } = await startFixture({ create_accounts: false })
    expect((await signIn([])).redirect).toEqual(failedWith('unbound'))
    await change({ create_accounts: true })
    expect((await signIn([])).redirect).toEqual(succeeded)
    server.app.auth.users.update(idOf('ada'), { disabled: true })
    expect((await signIn([])).redirect).toEqual(failedWith('disabled'))
    await change({ enabled: false })
    await expect(signIn([])).rejects.toThrow('provider not found')
  })

  it('makes one account for two first sign-ins at once', async () => {
    const { server, signIn } = await startFixture()
    const both = await Promise.all([signIn([]), signIn([])])
    expect(both.map(({ redirect }) => redirect)).toEqual([succeeded, succeeded])
    expect(server.app.auth.users.all()).toHaveLength(3)
  })
})

describe('an account that is unbound', () => {
  const groups = [{ group: 'root', roles: [operatorOfAll], administrator: true }]

  it('leaves nothing that its groups gave, which no sign-in would take away any more', async () => {
    const { server, issuer, rolesOf, signIn } = await startFixture({ groups })
    const member = server.browser()
    await member.signIn('member', password)
    issuer.claims = { sub: 'm', groups: ['root'] }
    await signInAtProvider(member, 'Company', 2)
    await signIn(['root'], 'm')
    const facts = () => server.app.auth.users.find({ username: 'member' })[0]
    expect(facts()).toMatchObject({ role: 0 })
    expect((await member.call('POST', 'oauth2/Company/unbind')).body).toMatchObject({ success: true })
    expect(facts()).toMatchObject({ role: 1, administrator_by: 0 })
    expect(rolesOf('member')).toEqual([])
    // What somebody gave by hand is no provider's.
    expect(server.app.auth.users.get(1)).toMatchObject({ role: 0 })
  })

  it('takes what it gave along when another one has its place, or somebody else has it', async () => {
    const { server, issuer, rolesOf, signIn } = await startFixture({ groups })
    const member = server.browser()
    await member.signIn('member', password)
    const bindAs = (sub: string, browser = member) => {
      issuer.claims = { sub, groups: ['root'] }
      return signInAtProvider(browser, 'Company', 2)
    }
    await bindAs('m')
    await signIn(['root'], 'm')
    expect(rolesOf('member')).toEqual([operatorOfAll])
    await bindAs('m')
    expect(rolesOf('member')).toEqual([operatorOfAll])
    await bindAs('another')
    expect(rolesOf('member')).toEqual([])
    await signIn(['root'], 'another')
    expect(rolesOf('member')).toEqual([operatorOfAll])
    await bindAs('another', await signedIn(server))
    expect(rolesOf('member')).toEqual([])
    expect(server.app.auth.users.find({ username: 'member' })[0]).toMatchObject({ role: 1 })
  })
})

describe('a change of a provider', () => {
  it('leaves its people and their roles when it is renamed', async () => {
    const { server, admin, change, signIn, rolesOf } = await startFixture({
      groups: [{ group: 'ops', roles: [operatorOfAll] }],
    })
    const { browser } = await signIn(['ops'])
    await change({ name: 'Firm', groups: [{ group: 'ops', roles: [operatorOfAll] }] })
    expect(await profileOf(browser)).toMatchObject({ oauth2_bind: { firm: expect.stringContaining('#ada') } })
    expect(rolesOf('ada')).toEqual([operatorOfAll])
    expect(redirectOf(await signInAtProvider(server.browser(), 'Firm'))).toEqual(succeeded)
    expect(server.app.auth.users.all()).toHaveLength(3)
    expect((await admin.get('setting')).text).toContain('"oauth2_providers":["Firm"]')
  })

  it('takes its roles and signs its people out when it is deleted, and keeps their accounts', async () => {
    const { server, admin, signIn, rolesOf, idOf, post, whole } = await startFixture({
      groups: [{ group: 'ops', roles: [operatorOfAll], administrator: true }],
    })
    const { browser } = await signIn(['ops'])
    expect((await admin.call('DELETE', 'wheelhouse/sign-in-providers/1')).body).toEqual({ success: true })
    expect((await browser.get('profile')).text).toContain('ApiErrorUnauthorized')
    expect(rolesOf('ada')).toEqual([])
    expect(server.app.auth.users.get(idOf('ada'))).toMatchObject({ role: 1, administrator_by: 0 })
    // Another one of the same name knows nobody.
    await post(whole)
    expect((await signIn([])).redirect).toEqual(failedWith('taken'))
  })

  it('takes its roles when another issuer has its place, whose people are others', async () => {
    const { change, signIn, rolesOf, whole } = await startFixture({
      groups: [{ group: 'ops', roles: [operatorOfAll] }],
    })
    await signIn(['ops'])
    const settings = { ...whole.settings, issuer: 'https://id.example.org' }
    expect((await change({ settings })).text).toContain('secret: the stored one is for another address')
    expect(rolesOf('ada')).toEqual([operatorOfAll])
    expect((await change({ settings, clear_secret: true })).body).toEqual({ success: true })
    expect(rolesOf('ada')).toEqual([])
  })

  it('signs its people out when it is disabled, or another issuer has its place, and leaves others signed in', async () => {
    const { server, admin, change, signIn, rolesOf, whole } = await startFixture({
      groups: [{ group: 'ops', roles: [operatorOfAll] }],
    })
    const groups = [{ group: 'ops', roles: [operatorOfAll] }]
    const member = server.browser()
    await member.signIn('member', password)
    const { browser } = await signIn(['ops'])
    await change({ groups, create_accounts: false })
    expect(await profileOf(browser)).toMatchObject({ username: 'ada' })
    await change({ groups, enabled: false })
    expect((await browser.get('profile')).text).toContain('ApiErrorUnauthorized')
    expect(await profileOf(member)).toMatchObject({ username: 'member' })
    expect((await admin.get('profile')).status).toBe(200)
    // They wait for when it is enabled again.
    expect(rolesOf('ada')).toEqual([operatorOfAll])
    await change({ groups })
    const again = (await signIn(['ops'])).browser
    expect(await profileOf(again)).toMatchObject({ username: 'ada' })
    const settings = { ...whole.settings, issuer: 'https://id.example.org' }
    await change({ groups, settings, clear_secret: true })
    expect((await again.get('profile')).text).toContain('ApiErrorUnauthorized')
  })

  it('ends a sign-in that waits for its second factor when it is disabled', async () => {
    const { server, change, signIn } = await startFixture()
    const { browser } = await signIn([])
    const { code } = await setUpTotp(server, browser)
    const other = server.browser()
    expect((await signIn([], 'ada', other)).redirect).toEqual([302, '/dashboard/login?second_factor=true'])
    await change({ enabled: false })
    server.clock.now += 60_000
    const reply = await completeSignIn(other, { after: 'provider', method: 'totp', code: code() })
    expect(reply.body).toEqual({ error: factorFailures.expired })
    expect(other.cookies.has('nz-jwt')).toBe(false)
  })

  it('keeps its secret, which nobody is shown, until it is replaced or cleared', async () => {
    const { server, change, list } = await startFixture()
    const secret = () => server.app.auth.signInProviders.get(1)?.secret
    await change({ name: 'Firm' })
    expect(secret()).toBe('s3cret')
    expect(await list()).toMatchObject({ data: { providers: [{ name: 'Firm', has_secret: true }] } })
    expect(JSON.stringify(await list())).not.toContain('s3cret')
    await change({ secret: 'another' })
    expect(secret()).toBe('another')
    await change({ clear_secret: true })
    expect(secret()).toBe('')
    expect(await list()).toMatchObject({ data: { providers: [{ has_secret: false }] } })
  })

  it.each([
    [{ name: 'callback' }, 'is no name to choose'],
    [{ name: 'a/b' }, 'leave out slashes'],
    [{ name: 'a\u202eb' }, 'leave out slashes'],
    [{ settings: { issuer: 'http://id.example.org', client_id: 'x' } }, 'give the address of the provider'],
    [{ settings: { issuer: 'https://u:p@id.example.org', client_id: 'x' } }, 'give the address of the provider'],
    [{ settings: { issuer: 'https://id.example.org?x', client_id: 'x' } }, 'give the address of the provider'],
    [{ kind: 'unknown' }, 'kind is not valid'],
    [{ groups: [{ group: 'a', roles: [{ role: 99, scope: 'all' }] }] }, 'role id 99 does not exist'],
    [{ groups: [{ group: 'a', roles: [{ role: 'viewer', scope: { servers: [99] } }] }] }, 'server id 99 does not'],
    [{ groups: [{ group: 'a', team: 99 }] }, 'team id 99 does not exist'],
    [{ groups: [{ group: 'a' }, { group: 'a' }] }, 'name a group twice'],
    [{ groups: Array.from({ length: 201 }, (_, at) => ({ group: `${at}` })) }, 'groups is not valid'],
    [{ settings: { issuer: 'https://id.example.org', client_id: 'x', scopes: ['a b'] } }, 'has a space'],
  ])('is refused in words: %j', async (changes, words) => {
    const { change } = await startFixture()
    expect((await change(changes)).text).toContain(words)
  })

  it('may be tried first: it says what the provider answers, or what keeps it from that', async () => {
    const { admin, whole, issuer } = await startFixture()
    const test = async (changes: object, id?: number) =>
      (
        await admin.call('POST', 'wheelhouse/sign-in-providers/test', {
          body: { id, provider: { ...whole, ...changes } },
        })
      ).body
    expect(await test({ secret: '' }, 1)).toMatchObject({
      success: true,
      data: { answers: expect.arrayContaining([{ name: 'issuer', value: issuer.issuer }]) },
    })
    const elsewhere = { issuer: `${issuer.issuer}/elsewhere`, client_id: 'x' }
    expect(await test({ name: 'Other', settings: elsewhere })).toMatchObject({
      data: { failure: expect.any(String), answers: [] },
    })
  })
})

describe('only through providers', () => {
  it('refuses passwords of everybody, but for whom the operator of the machine lets in again', async () => {
    const { server, admin, issuer, change } = await startFixture()
    const only = (on: boolean) => admin.call('PATCH', 'wheelhouse/only-providers', { body: { only: on } })
    expect((await only(true)).text).toContain('bind an account at a provider in your profile first')
    issuer.claims = { sub: 'root of all' }
    await signInAtProvider(admin, 'Company', 2)
    expect((await only(true)).body).toEqual({ success: true })
    const browser = server.browser()
    expect((await browser.signIn('admin', password)).text).toContain('ApiErrorUnauthorized')
    expect((await browser.signIn('member', password)).text).toContain('ApiErrorUnauthorized')
    expect((await browser.get('setting')).text).toContain('"hide_password_form":true')
    // The way in cannot be taken away.
    for (const reply of [
      await change({ enabled: false }),
      await change({ settings: { issuer: 'https://id.example.org', client_id: 'x' }, clear_secret: true }),
      await admin.call('DELETE', 'wheelhouse/sign-in-providers/1'),
    ]) {
      expect(reply.text).toContain('no administrator could come in any more')
    }
    expect((await admin.call('POST', 'oauth2/Company/unbind')).text).toContain('operation not permitted')
    expect(redirectOf(await signInAtProvider(server.browser(), 'Company'))).toEqual(succeeded)
    // What reset-password notes.
    server.app.auth.users.update(1, { readmitted: true })
    server.app.auth.waf.clearFailures('127.0.0.1', 1)
    server.app.auth.waf.clearFailures('127.0.0.1', 2)
    server.clock.now += 600_000
    const readmitted = server.browser()
    await readmitted.signIn('admin', password)
    expect(await profileOf(readmitted)).toMatchObject({ username: 'admin' })
    expect((await readmitted.get('wheelhouse/sign-in-providers')).text).toContain('"readmitted":["admin"]')
    await only(false)
    expect(server.app.auth.users.get(1)?.readmitted).toBe(false)
    expect((await server.browser().signIn('member', password)).text).toContain('token')
  })

  it('does not count administrators whom the provider made that is deleted', async () => {
    const { server, admin, issuer, signIn, post, whole } = await startFixture({
      groups: [{ group: 'root', administrator: true }],
    })
    await post({ ...whole, name: 'Second' })
    issuer.claims = { sub: 'root of all' }
    await signInAtProvider(admin, 'Company', 2)
    const { browser } = await signIn(['root'])
    issuer.claims = { sub: 'ada' }
    server.app.auth.bindings.bind(
      server.app.auth.users.find({ username: 'ada' })[0]?.id ?? 0,
      'Second',
      `${issuer.issuer}#ada`,
    )
    expect(await profileOf(browser)).toMatchObject({ role: 0 })
    await admin.call('PATCH', 'wheelhouse/only-providers', { body: { only: true } })
    const reply = await admin.call('DELETE', 'wheelhouse/sign-in-providers/1')
    expect(reply.text).toContain('no administrator could come in any more')
  })
})
