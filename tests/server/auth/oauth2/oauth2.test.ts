import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSessions } from '../../../../server/auth/sessions/sessions.ts'
import { usersIn } from '../../../../server/auth/users/users.ts'
import {
  authorizeAtProvider,
  openCallback,
  signInAtProvider,
  startAtProvider,
} from '../../../support/journeys/oauth2Journey.ts'
import {
  failedWith,
  failures,
  oauth2Servers,
  profileOf,
  redirectOf,
} from '../../../support/server/auth/oauth2Servers.ts'
import { providersOf } from '../../../support/server/auth/providersFile.ts'
import { completeSignIn, setUpTotp } from '../../../support/server/auth/secondFactor.ts'
import { password, signedIn, testServer } from '../../../support/server/testServer.ts'

const { open, provider, withBoundMember } = oauth2Servers()

describe('signing in at a provider', () => {
  it('opens a session of the user who bound the account, with its cookies', async () => {
    const { server } = await withBoundMember()
    const browser = server.browser()
    const reply = await signInAtProvider(browser, 'GitHub')
    expect(redirectOf(reply)).toEqual([302, '/dashboard/login?oauth2=true'])
    expect(reply.text).toBe('<a href="/dashboard/login?oauth2=true">Found</a>.\n\n')
    expect(reply.headers['set-cookie']).toEqual([
      expect.stringMatching(/^nz-o2s=; Max-Age=0; Path=\//),
      expect.stringMatching(/^nz-jwt=[\w.-]+; Max-Age=3600; Path=\/; SameSite=Lax$/),
      expect.stringMatching(/^nz-csrf=[0-9a-f]{64}\.[0-9a-f]{64}; Path=\/; SameSite=Strict$/),
      expect.stringMatching(/^nz-kb=[\w.-]+; Max-Age=34560000; Path=\/api\/v1; HttpOnly; SameSite=Lax$/),
    ])
    expect(await profileOf(browser)).toMatchObject({ username: 'member', oauth2_bind: { github: '4711' } })
    expect((await browser.call('POST', 'refresh-token')).body).toMatchObject({ success: true })
  })

  it('asks for the second factor before the session opens, and goes on by a cookie that scripts cannot read', async () => {
    const { server, member } = await withBoundMember()
    const app = await setUpTotp(server, member)
    const browser = server.browser()
    const reply = await signInAtProvider(browser, 'GitHub')
    expect(redirectOf(reply)).toEqual([302, '/dashboard/login?second_factor=true'])
    expect(reply.headers['set-cookie']).toEqual([
      expect.stringMatching(/^nz-o2s=; /),
      expect.stringMatching(/^nz-2fa=[\w.-]+; Max-Age=300; Path=\/; HttpOnly; SameSite=Strict$/),
    ])
    expect(await profileOf(browser)).toBeUndefined()
    const options = await browser.call('POST', 'wheelhouse/sign-in/options', { body: { after: 'provider' } })
    expect(options.body).toEqual({ success: true, data: { methods: ['totp', 'recovery'] } })
    const done = await completeSignIn(browser, { after: 'provider', method: 'totp', code: app.code() })
    expect(done.body).toMatchObject({ success: true })
    expect(done.headers['set-cookie']).toContainEqual(expect.stringMatching(/^nz-2fa=; Max-Age=0/))
    expect(await profileOf(browser)).toMatchObject({ username: 'member' })
    const stranger = await completeSignIn(server.browser(), { after: 'provider', method: 'totp', code: app.code() })
    expect(stranger.body).toEqual({ error: 'this took too long: start again' })
  })

  it('works with a provider that wants the secret in a header', async () => {
    const server = await open()
    await signInAtProvider(await signedIn(server), 'My OIDC', 2)
    const browser = server.browser()
    expect(redirectOf(await signInAtProvider(browser, 'My OIDC'))).toEqual([302, '/dashboard/login?oauth2=true'])
    expect(await profileOf(browser)).toMatchObject({ username: 'admin', oauth2_bind: { 'my oidc': '4711' } })
  })

  it('checks the issuer when the file names one', async () => {
    const matching = await open({
      providers: providersOf({ GitHub: { ...provider().entry, issuer: provider().issuer } }),
    })
    expect(redirectOf(await signInAtProvider(matching.browser(), 'GitHub'))).toEqual(failedWith('unbound'))
    const other = await open({
      providers: providersOf({ GitHub: { ...provider().entry, issuer: 'https://id.example' } }),
    })
    expect(redirectOf(await signInAtProvider(other.browser(), 'GitHub'))).toEqual(failedWith('failed'))
  })

  it('clears the earlier failures of the address for that user', async () => {
    const { server } = await withBoundMember()
    const browser = server.browser()
    await browser.signIn('member', 'wrong')
    server.clock.now += 4000
    await signInAtProvider(browser, 'GitHub')
    expect(failures(server)).toEqual([])
  })

  it('with an account that is not bound redirects with an error code, and does not count as a failure', async () => {
    const server = await open()
    const browser = server.browser()
    expect(redirectOf(await signInAtProvider(browser, 'GitHub'))).toEqual(failedWith('unbound'))
    expect(browser.cookies.get('nz-jwt')).toBeUndefined()
    expect(failures(server)).toEqual([])
  })

  it('works for a user who may not use a password', async () => {
    const { server } = await withBoundMember()
    usersIn(server.store).update(2, { reject_password: true })
    const browser = server.browser()
    expect((await browser.signIn('member', password)).body).toEqual({ error: 'ApiErrorUnauthorized' })
    expect(failures(server)).toMatchObject([{ block_identifier: 2, count: 1 }])
    server.clock.now += 4000
    await signInAtProvider(browser, 'GitHub')
    expect(await profileOf(browser)).toMatchObject({ username: 'member', reject_password: true })
  })

  it('works in a browser that still has the cookie of an ended session', async () => {
    const { server, member } = await withBoundMember()
    const back = await authorizeAtProvider(await startAtProvider(member, 'GitHub'))
    createSessions(server.store, () => server.clock.now).revokeAll(2)
    expect(redirectOf(await openCallback(member, back))).toEqual([302, '/dashboard/login?oauth2=true'])
    expect(failures(server)).toEqual([])
  })

  it('fails for an account whose user was deleted', async () => {
    const { server } = await withBoundMember()
    const admin = await signedIn(server)
    await admin.call('POST', 'batch-delete/user', { body: [2] })
    expect(redirectOf(await signInAtProvider(server.browser(), 'GitHub'))).toEqual(failedWith('unbound'))
  })
})

describe('starting a sign-in at a provider', () => {
  it('redirects to the provider with PKCE, and stores the pending sign-in in an HttpOnly cookie', async () => {
    const browser = (await open()).browser()
    const reply = await browser.get('oauth2/GitHub?type=1')
    const { redirect } = (reply.body as { data: { redirect: string } }).data
    const address = new URL(redirect)
    expect(address.origin + address.pathname).toBe(provider().entry.endpoint.auth_url)
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
    expect(reply.text).not.toContain(provider().entry.client_secret)
  })

  it.each([
    ['oauth2/github?type=1', 'provider not found'],
    ['oauth2/nope?type=1', 'provider not found'],
    ['oauth2/GitHub', 'strconv.ParseUint: parsing "": invalid syntax'],
    ['oauth2/GitHub?type=x', 'strconv.ParseUint: parsing "x": invalid syntax'],
  ])('of %s is refused with an error', async (path, error) => {
    const reply = await (await open()).browser().get(path)
    expect(reply.body).toEqual({ error })
    expect(reply.headers['set-cookie']).toBeUndefined()
  })

  it.each([
    [
      'behind a proxy that says it has TLS',
      { realIpHeader: 'X-Real-IP' },
      { 'x-forwarded-proto': 'https', 'x-real-ip': '198.51.100.7' },
      'https://127.0.0.1:8008',
    ],
    ['from whoever says so without a proxy', {}, { 'x-forwarded-proto': 'https' }, 'http://127.0.0.1:8008'],
    ['from a page with TLS', {}, { referer: 'https://127.0.0.1:8008/dashboard/' }, 'https://127.0.0.1:8008'],
    ['from an address of this machine', {}, { host: '[::1]:8008' }, 'http://[::1]:8008'],
    ['from another name of this machine', {}, { host: 'localhost:8008' }, 'http://localhost:8008'],
    ['with a public address', { publicUrl: new URL('https://console.example') }, {}, 'https://console.example'],
    ['by an undeclared address', { host: '0.0.0.0' }, { host: '192.0.2.7:8008' }, 'http://panel.example:1'],
  ])('%s names where to come back', async (_, given, headers: Record<string, string>, origin) => {
    const { realIpHeader, ...settings } = given as { realIpHeader?: string }
    const server = await open({
      settings: { host: '127.0.0.1', ...settings },
      site: { dashboard_host: 'panel.example:1', ...(realIpHeader && { web_real_ip_header: realIpHeader }) },
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

describe('a provider', () => {
  it.each([
    ['has another client secret', { client_secret: 'old' }],
    ['has the id at another path', { user_id_path: 'account.name' }],
    ['has no own property at the path', { user_id_path: 'toString' }],
    ['is down', { endpoint: { auth_url: 'http://127.0.0.1:9/auth', token_url: 'http://127.0.0.1:9/token' } }],
    ['does not return the user', { user_info_url: 'http://127.0.0.1:9/user' }],
  ])('that %s is logged for the operator, and the client does not get blocked', async (_, wrong) => {
    const server = await open({ providers: providersOf({ GitHub: { ...provider().entry, ...wrong } }) })
    const browser = server.browser()
    const address = await startAtProvider(browser, 'GitHub')
    address.host = new URL(provider().issuer).host
    expect(redirectOf(await openCallback(browser, await authorizeAtProvider(address)))).toEqual(failedWith('failed'))
    expect(failures(server)).toEqual([])
    expect(server.logged).toEqual([expect.stringMatching(/^The OAuth2 provider "GitHub" could not be used: \S/)])
    expect(server.logged[0]).not.toContain(provider().entry.client_secret)
    expect(server.logged[0]).not.toContain('fetch failed')
  })
})

it('an error in a reply of HTTP 200, as GitHub sends it, is recognized', async () => {
  const answer = { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' }
  const http = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void http.close())
  const token_url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`
  const endpoint = { ...provider().entry.endpoint, token_url }
  const server = await open({ providers: providersOf({ GitHub: { ...provider().entry, endpoint } }) })
  expect(redirectOf(await signInAtProvider(server.browser('198.51.100.9'), 'GitHub'))).toEqual(failedWith('rejected'))
  expect(failures(server, '198.51.100.9')).toMatchObject([{ block_reason: 5, count: 1 }])
})

it('a reply of a provider without end is cut off, and the sign-in fails with a message', async () => {
  const http = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const more = () => {
      while (!response.destroyed && response.write('['.repeat(65_536)));
      response.once('drain', more)
    }
    more()
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  const token_url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`
  const endpoint = { ...provider().entry.endpoint, token_url }
  const server = await open({ providers: providersOf({ GitHub: { ...provider().entry, endpoint } }) })
  const start = performance.now()
  expect(redirectOf(await signInAtProvider(server.browser(), 'GitHub'))).toEqual(failedWith('failed'))
  expect(performance.now() - start).toBeLessThan(30_000)
})

it('the settings list the names of the providers for everybody, and nothing else of them', async () => {
  const reply = await (await open()).browser().get('setting')
  expect(reply.body).toMatchObject({ data: { config: { oauth2_providers: ['GitHub', 'My OIDC'] } } })
  expect(reply.text).not.toContain(provider().entry.client_secret)
  expect(await (await testServer()).browser().get('setting')).not.toHaveProperty('body.data.config.oauth2_providers')
})
