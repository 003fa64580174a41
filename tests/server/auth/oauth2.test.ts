import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type AuditLine, openAudit } from '../../../server/audit/auditLog.ts'
import type { WafRow } from '../../../server/auth/blocking/blockedAddresses.ts'
import { createSessions } from '../../../server/auth/sessions/sessions.ts'
import { usersIn } from '../../../server/auth/users/users.ts'
import type { Browser, Reply } from '../../support/console/browser.ts'
import { type OidcProvider, startOidcProvider } from '../../support/fakes/oidcProvider.ts'
import { beginVisit, comeBack, passProvider, visit } from '../../support/journeys/oauth2Journey.ts'
import { providersOf } from '../../support/server/providersFile.ts'
import { password, signedIn, type TestServer, testServer } from '../../support/server/testServer.ts'

let oidc: OidcProvider
beforeAll(async () => {
  oidc = await startOidcProvider()
})
afterAll(() => oidc.close())
beforeEach(() => Object.assign(oidc, { account: '4711', consents: true, calls: [] }))

const open = (options: Parameters<typeof testServer>[0] = {}) =>
  testServer({ providers: providersOf({ GitHub: oidc.entry, 'My OIDC': oidc.strictEntry }), ...options })

/** A server on which `member` has bound account 4711 at GitHub. */
async function withBoundMember(options: Parameters<typeof testServer>[0] = {}) {
  const server = await open(options)
  const member = await signedIn(server, 'member')
  expect((await visit(member, 'GitHub', 2)).headers.location).toBe('/dashboard/profile?oauth2=true')
  return { server, member }
}

const ledTo = (reply: Reply) => [reply.status, reply.headers.location]
const failedWith = (code: string, page = 'login') => [302, `/dashboard/${page}?oauth2_error=${code}`]
const offences = ({ store }: TestServer, ip = '127.0.0.1') =>
  store.table<WafRow>({ name: 'waf', columns: [] }).find({ ip })
const profileOf = async (browser: Browser) =>
  ((await browser.get('profile')).body as { data?: Record<string, unknown> }).data

describe('signing in at a provider', () => {
  it('opens a session of the person who bound the account, with both cookies', async () => {
    const { server } = await withBoundMember()
    const browser = server.browser()
    const reply = await visit(browser, 'GitHub')
    expect(ledTo(reply)).toEqual([302, '/dashboard/login?oauth2=true'])
    expect(reply.text).toBe('<a href="/dashboard/login?oauth2=true">Found</a>.\n\n')
    expect(reply.headers['set-cookie']).toEqual([
      expect.stringMatching(/^nz-o2s=; Max-Age=0; Path=\//),
      expect.stringMatching(/^nz-jwt=[\w.-]+; Max-Age=3600; Path=\/; SameSite=Lax$/),
      expect.stringMatching(/^nz-csrf=[0-9a-f]{64}\.[0-9a-f]{64}; Path=\/; SameSite=Strict$/),
    ])
    expect(await profileOf(browser)).toMatchObject({ username: 'member', oauth2_bind: { github: '4711' } })
    expect((await browser.call('POST', 'refresh-token')).body).toMatchObject({ success: true })
  })

  it('works with a provider that wants the secret in a header', async () => {
    const server = await open()
    await visit(await signedIn(server), 'My OIDC', 2)
    const browser = server.browser()
    expect(ledTo(await visit(browser, 'My OIDC'))).toEqual([302, '/dashboard/login?oauth2=true'])
    expect(await profileOf(browser)).toMatchObject({ username: 'admin', oauth2_bind: { 'my oidc': '4711' } })
  })

  it('compares who the provider says it is, when the file says who that is', async () => {
    const known = await open({ providers: providersOf({ GitHub: { ...oidc.entry, issuer: oidc.issuer } }) })
    expect(ledTo(await visit(known.browser(), 'GitHub'))).toEqual(failedWith('unbound'))
    const other = await open({ providers: providersOf({ GitHub: { ...oidc.entry, issuer: 'https://id.example' } }) })
    expect(ledTo(await visit(other.browser(), 'GitHub'))).toEqual(failedWith('failed'))
  })

  it('forgives what the address did to that person before', async () => {
    const { server } = await withBoundMember()
    const browser = server.browser()
    await browser.signIn('member', 'wrong')
    server.clock.now += 4000
    await visit(browser, 'GitHub')
    expect(offences(server)).toEqual([])
  })

  it('with an account that nobody bound leads back with words, and is no offence', async () => {
    const server = await open()
    const browser = server.browser()
    expect(ledTo(await visit(browser, 'GitHub'))).toEqual(failedWith('unbound'))
    expect(browser.cookies.get('nz-jwt')).toBeUndefined()
    expect(offences(server)).toEqual([])
  })

  it('works for somebody who may not use a password', async () => {
    const { server } = await withBoundMember()
    usersIn(server.store).update(2, { reject_password: true })
    const browser = server.browser()
    expect((await browser.signIn('member', password)).body).toEqual({ error: 'ApiErrorUnauthorized' })
    expect(offences(server)).toMatchObject([{ block_identifier: 2, count: 1 }])
    server.clock.now += 4000
    await visit(browser, 'GitHub')
    expect(await profileOf(browser)).toMatchObject({ username: 'member', reject_password: true })
  })

  it('works in a browser that still has the cookie of a session which was ended', async () => {
    const { server, member } = await withBoundMember()
    const back = await passProvider(await beginVisit(member, 'GitHub'))
    createSessions(server.store, () => server.clock.now).revokeAll(2)
    expect(ledTo(await comeBack(member, back))).toEqual([302, '/dashboard/login?oauth2=true'])
    expect(offences(server)).toEqual([])
  })

  it('is over for an account whose person is gone', async () => {
    const { server } = await withBoundMember()
    const admin = await signedIn(server)
    await admin.call('POST', 'batch-delete/user', { body: [2] })
    expect(ledTo(await visit(server.browser(), 'GitHub'))).toEqual(failedWith('unbound'))
  })
})

describe('the first step', () => {
  it('sends the browser to the provider with PKCE, and keeps the visit in a cookie no script reads', async () => {
    const browser = (await open()).browser()
    const reply = await browser.get('oauth2/GitHub?type=1')
    const { redirect } = (reply.body as { data: { redirect: string } }).data
    const address = new URL(redirect)
    expect(address.origin + address.pathname).toBe(oidc.entry.endpoint.auth_url)
    expect(Object.fromEntries(address.searchParams)).toEqual({
      access_type: 'online',
      client_id: 'console',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      redirect_uri: 'http://127.0.0.1:8008/api/v1/oauth2/callback',
      response_type: 'code',
      scope: 'openid',
      state: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(reply.headers['set-cookie']).toMatch(/^nz-o2s=[\w.-]+; Max-Age=300; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(reply.text).not.toContain(oidc.entry.client_secret)
  })

  it.each([
    ['oauth2/github?type=1', 'provider not found'],
    ['oauth2/nope?type=1', 'provider not found'],
    ['oauth2/GitHub', 'strconv.ParseUint: parsing "": invalid syntax'],
    ['oauth2/GitHub?type=x', 'strconv.ParseUint: parsing "x": invalid syntax'],
  ])('of %s is refused in words', async (path, error) => {
    const reply = await (await open()).browser().get(path)
    expect(reply.body).toEqual({ error })
    expect(reply.headers['set-cookie']).toBeUndefined()
  })

  it.each([
    ['behind a proxy that says it has TLS', {}, { 'x-forwarded-proto': 'https' }, 'https://127.0.0.1:8008'],
    ['from a page with TLS', {}, { referer: 'https://127.0.0.1:8008/dashboard/' }, 'https://127.0.0.1:8008'],
    ['from an address of this machine', {}, { host: '[::1]:8008' }, 'http://[::1]:8008'],
    ['from another name of this machine', {}, { host: 'localhost:8008' }, 'http://localhost:8008'],
    ['with a public address', { publicUrl: new URL('https://console.example') }, {}, 'https://console.example'],
    ['by an address nobody declared', { host: '0.0.0.0' }, { host: '192.0.2.7:8008' }, 'http://panel.example:1'],
  ])('%s names where to come back', async (_, settings, headers: Record<string, string>, origin) => {
    const server = await open({
      settings: { host: '127.0.0.1', ...settings },
      site: { dashboard_host: 'panel.example:1' },
    })
    const reply = await server.browser().get('oauth2/GitHub?type=1', headers)
    const { redirect } = (reply.body as { data: { redirect: string } }).data
    expect(new URL(redirect).searchParams.get('redirect_uri')).toBe(`${origin}/api/v1/oauth2/callback`)
  })

  it('makes its cookie Secure behind TLS', async () => {
    const settings = { host: '127.0.0.1', publicUrl: new URL('https://console.example') }
    const reply = await (await open({ settings })).browser().get('oauth2/GitHub?type=1')
    expect(reply.headers['set-cookie']).toContain('; Secure')
  })
})

describe('what comes back from a provider counts', () => {
  it('once', async () => {
    const { server } = await withBoundMember()
    const browser = server.browser()
    const back = await passProvider(await beginVisit(browser, 'GitHub'))
    const cookie = browser.cookies.get('nz-o2s') ?? ''
    expect(ledTo(await comeBack(browser, back))).toEqual([302, '/dashboard/login?oauth2=true'])
    const thief = server.browser()
    thief.cookies.set('nz-o2s', cookie)
    expect(ledTo(await comeBack(thief, back))).toEqual(failedWith('state'))
  })

  it('in the browser that began it, and in no other', async () => {
    const { server } = await withBoundMember()
    const victim = server.browser()
    const back = await passProvider(await beginVisit(victim, 'GitHub'))
    expect(ledTo(await comeBack(server.browser(), back))).toEqual(failedWith('state'))
    const another = server.browser()
    await beginVisit(another, 'GitHub')
    expect(ledTo(await comeBack(another, back))).toEqual(failedWith('state'))
    expect(offences(server)).toEqual([])
  })

  it('for 300 seconds', async () => {
    const { server } = await withBoundMember()
    const [intime, late] = [server.browser(), server.browser()]
    const backs = [
      await passProvider(await beginVisit(intime, 'GitHub')),
      await passProvider(await beginVisit(late, 'GitHub')),
    ]
    server.clock.now += 299_000
    expect(ledTo(await comeBack(intime, backs[0] as URL))).toEqual([302, '/dashboard/login?oauth2=true'])
    server.clock.now += 1000
    expect(ledTo(await comeBack(late, backs[1] as URL))).toEqual(failedWith('state'))
  })

  it('over a restart of the server', async () => {
    const { server } = await withBoundMember()
    const browser = server.browser()
    const back = await passProvider(await beginVisit(browser, 'GitHub'))
    const again = (await open({ store: server.store })).browser()
    for (const [name, value] of browser.cookies) again.cookies.set(name, value)
    expect(ledTo(await comeBack(again, back))).toEqual([302, '/dashboard/login?oauth2=true'])
  })

  it.each(['garbage', 'a.b.c.d.e', ''])('with its own cookie, not with "%s"', async (cookie) => {
    const browser = (await open()).browser()
    browser.cookies.set('nz-o2s', cookie)
    expect(ledTo(await browser.get('oauth2/callback?state=x&code=y'))).toEqual(failedWith('state'))
  })

  it('at the provider of the visit: the code of another is rejected there', async () => {
    const { server } = await withBoundMember()
    const browser = server.browser()
    const code = (await passProvider(await beginVisit(browser, 'GitHub'))).searchParams.get('code')
    const state = (await beginVisit(browser, 'My OIDC')).searchParams.get('state')
    expect(ledTo(await browser.get(`oauth2/callback?state=${state}&code=${code}`))).toEqual(failedWith('rejected'))
  })

  it('and a code that was guessed is an offence', async () => {
    const server = await open()
    const browser = server.browser('198.51.100.52')
    const state = (await beginVisit(browser, 'GitHub')).searchParams.get('state')
    expect(ledTo(await browser.get(`oauth2/callback?state=${state}&code=bad`))).toEqual(failedWith('rejected'))
    expect(offences(server, '198.51.100.52')).toMatchObject([{ block_identifier: -126, block_reason: 5, count: 1 }])
    expect((await browser.get('setting')).status).toBe(403)
  })

  it('and so is none at all', async () => {
    const server = await open()
    const browser = server.browser('198.51.100.53')
    const state = (await beginVisit(browser, 'GitHub')).searchParams.get('state')
    expect(ledTo(await browser.get(`oauth2/callback?state=${state}`))).toEqual(failedWith('no_code'))
    expect(offences(server, '198.51.100.53')).toMatchObject([{ block_identifier: -126, block_reason: 5, count: 1 }])
  })

  it('but somebody who says no at the provider is no attacker', async () => {
    oidc.consents = false
    const server = await open()
    expect(ledTo(await visit(server.browser(), 'GitHub'))).toEqual(failedWith('denied'))
    expect(offences(server)).toEqual([])
  })

  it('and never shows on the page what a provider wrote', async () => {
    const browser = (await open()).browser()
    const state = (await beginVisit(browser, 'GitHub')).searchParams.get('state')
    const reply = await browser.get(`oauth2/callback?state=${state}&error=${encodeURIComponent('<script>1</script>')}`)
    expect(ledTo(reply)).toEqual(failedWith('failed'))
    expect(reply.text).not.toContain('script')
  })
})

describe('a provider that does not do its part', () => {
  it.each([
    ['has another secret', { client_secret: 'old' }],
    ['has its id elsewhere', { user_id_path: 'account.name' }],
    ['tells of another account than the id', { user_id_path: 'toString' }],
    ['is away', { endpoint: { auth_url: 'http://127.0.0.1:9/auth', token_url: 'http://127.0.0.1:9/token' } }],
    ['says not who it was', { user_info_url: 'http://127.0.0.1:9/user' }],
  ])('because it %s, is named to the operator and no offence of anybody', async (_, wrong) => {
    const server = await open({ providers: providersOf({ GitHub: { ...oidc.entry, ...wrong } }) })
    const browser = server.browser()
    const address = await beginVisit(browser, 'GitHub')
    address.host = new URL(oidc.issuer).host
    expect(ledTo(await comeBack(browser, await passProvider(address)))).toEqual(failedWith('failed'))
    expect(offences(server)).toEqual([])
    expect(server.logged).toEqual([expect.stringMatching(/^The OAuth2 provider "GitHub" could not be used: \S/)])
    expect(server.logged[0]).not.toContain(oidc.entry.client_secret)
  })
})

describe('binding', () => {
  it('adds an account to the person who is signed in, and renews the session', async () => {
    const { member } = await withBoundMember()
    expect(await profileOf(member)).toMatchObject({ oauth2_bind: { github: '4711' } })
    expect(ledTo(await visit(member, 'GitHub', 2))).toEqual([302, '/dashboard/profile?oauth2=true'])
    oidc.account = '9'
    await visit(member, 'GitHub', 2)
    expect(await profileOf(member)).toMatchObject({ oauth2_bind: { github: '9' } })
  })

  it('is refused to strangers, and uses up no code of theirs', async () => {
    const server = await open()
    const back = await passProvider(await beginVisit(server.browser(), 'GitHub', 2))
    const stranger = server.browser()
    await beginVisit(stranger, 'GitHub', 2)
    oidc.calls = []
    expect(ledTo(await visit(stranger, 'GitHub', 2))).toEqual(failedWith('not_signed_in'))
    expect(oidc.calls).not.toContain('POST /token')
    expect(back.searchParams.get('code')).toBeTruthy()
    expect(offences(server)).toEqual([])
  })

  it('is refused when somebody else has signed in meanwhile', async () => {
    const server = await open()
    const browser = await signedIn(server, 'member')
    const back = await passProvider(await beginVisit(browser, 'GitHub', 2))
    await browser.signIn('admin', password)
    expect(ledTo(await comeBack(browser, back))).toEqual(failedWith('not_signed_in', 'profile'))
    expect(await profileOf(browser)).not.toHaveProperty('oauth2_bind')
  })

  it('takes an account from the person who had it', async () => {
    const { server, member } = await withBoundMember()
    const admin = await signedIn(server)
    await visit(admin, 'GitHub', 2)
    expect(await profileOf(admin)).toMatchObject({ oauth2_bind: { github: '4711' } })
    expect(await profileOf(member)).not.toHaveProperty('oauth2_bind')
    const browser = server.browser()
    await visit(browser, 'GitHub')
    expect(await profileOf(browser)).toMatchObject({ username: 'admin' })
  })

  it('that is refused at the provider leads back to the profile', async () => {
    oidc.consents = false
    const server = await open()
    expect(ledTo(await visit(await signedIn(server), 'GitHub', 2))).toEqual(failedWith('denied', 'profile'))
  })
})

describe('unbinding', () => {
  it('takes the account from the profile, also when there was none', async () => {
    const { member } = await withBoundMember()
    for (let time = 0; time < 2; time++) {
      expect((await member.call('POST', 'oauth2/GitHub/unbind')).body).toEqual({ success: true })
      expect(await profileOf(member)).not.toHaveProperty('oauth2_bind')
    }
  })

  it('is refused where it would lock the person out', async () => {
    const { server, member } = await withBoundMember()
    usersIn(server.store).update(2, { reject_password: true })
    const refusal = { error: 'operation not permitted' }
    expect((await member.call('POST', 'oauth2/GitHub/unbind')).body).toEqual(refusal)
    await visit(member, 'My OIDC', 2)
    expect((await member.call('POST', 'oauth2/GitHub/unbind')).body).toEqual({ success: true })
    expect((await member.call('POST', 'oauth2/My%20OIDC/unbind')).body).toEqual(refusal)
  })

  it('does not count a binding at a provider that is no longer there', async () => {
    const { server, member } = await withBoundMember()
    await visit(member, 'My OIDC', 2)
    usersIn(server.store).update(2, { reject_password: true })
    const later = await open({ store: server.store, providers: providersOf({ GitHub: oidc.entry }) })
    const browser = later.browser()
    for (const [name, value] of member.cookies) browser.cookies.set(name, value)
    expect((await browser.call('POST', 'oauth2/GitHub/unbind')).body).toEqual({ error: 'operation not permitted' })
  })

  it('wants the name letter by letter, a session, and the CSRF value', async () => {
    const { server, member } = await withBoundMember()
    expect((await member.call('POST', 'oauth2/github/unbind')).body).toEqual({ error: 'provider not found' })
    expect((await server.browser().call('POST', 'oauth2/GitHub/unbind')).body).toEqual({
      error: 'ApiErrorUnauthorized',
    })
    const forged = await member.call('POST', 'oauth2/GitHub/unbind', { headers: { 'x-csrf-token': 'x' } })
    expect(forged.status).toBe(403)
  })
})

it('binding, signing in, failing to and unbinding are in the audit log, without the account’s id', async () => {
  const lines: AuditLine[] = []
  const { server, member } = await withBoundMember({ audit: openAudit({ lines }) })
  await visit(server.browser(), 'GitHub')
  await member.call('POST', 'oauth2/GitHub/unbind')
  await visit(server.browser(), 'GitHub')
  expect(lines.map(({ action, username, target, detail }) => [action, username, target, detail])).toEqual([
    ['session.sign-in', 'member', undefined, { by: 'password' }],
    ['oauth2.bind', 'member', 'GitHub', undefined],
    ['session.sign-in', 'member', undefined, { by: 'GitHub' }],
    ['oauth2.unbind', 'member', 'GitHub', undefined],
    ['session.sign-in-failed', undefined, undefined, { by: 'GitHub', outcome: 'unbound' }],
  ])
  expect(JSON.stringify(lines)).not.toContain('4711')
})

it('a provider that says in a success that the code is no good, as GitHub does, is understood', async () => {
  const said = { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' }
  const http = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void http.close())
  const token_url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`
  const endpoint = { ...oidc.entry.endpoint, token_url }
  const server = await open({ providers: providersOf({ GitHub: { ...oidc.entry, endpoint } }) })
  expect(ledTo(await visit(server.browser('198.51.100.9'), 'GitHub'))).toEqual(failedWith('rejected'))
  expect(offences(server, '198.51.100.9')).toMatchObject([{ block_reason: 5, count: 1 }])
})

it('the settings name the providers to everybody, and nothing else of them', async () => {
  const reply = await (await open()).browser().get('setting')
  expect(reply.body).toMatchObject({ data: { config: { oauth2_providers: ['GitHub', 'My OIDC'] } } })
  expect(reply.text).not.toContain(oidc.entry.client_secret)
  expect(await (await testServer()).browser().get('setting')).not.toHaveProperty('body.data.config.oauth2_providers')
})
