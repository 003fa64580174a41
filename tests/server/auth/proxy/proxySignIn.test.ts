import { describe, expect, it } from 'vitest'
import type { Browser } from '../../../support/console/browser.ts'
import { completeSignIn, setUpTotp } from '../../../support/server/auth/secondFactor.ts'
import { signedIn, type TestServer, testServer } from '../../../support/server/testServer.ts'

const proxyAddress = '10.0.0.5'
const asPage = { accept: 'text/html' }

const formWith = (settings: object = {}, more: object = {}) => ({
  kind: 'proxy',
  name: 'Portal',
  create_accounts: true,
  settings: { addresses: proxyAddress, header: 'Remote-User', groups_header: 'Remote-Groups', ...settings },
  groups: [{ group: 'admins', administrator: true }],
  ...more,
})

/** A server behind a proxy, whose visitors come from its address. */
async function startFixture({ settings, more }: { settings?: object; more?: object } = {}) {
  const server = await testServer()
  const admin = await signedIn(server)
  const made = await admin.call('POST', 'wheelhouse/sign-in-providers', { body: formWith(settings, more) })
  expect(made.body).toMatchObject({ success: true })
  return { server, admin }
}

const openPage = (browser: Browser, user: string, headers: Record<string, string> = {}, path = '/dashboard/server') =>
  browser.get(path, { ...asPage, 'remote-user': user, ...headers })

const throughProxy = ({ browser }: TestServer) => browser(proxyAddress)

const nameOf = async (browser: Browser, headers?: Record<string, string>) =>
  ((await browser.get('profile', headers)).body as { data?: { username: string } }).data?.username

describe('a page that is opened through a proxy', () => {
  it('needs no sign-in page', async () => {
    const { server } = await startFixture()
    const browser = throughProxy(server)
    await openPage(browser, 'alice')
    expect(await nameOf(browser)).toBe('alice')
    const users = (await (await signedIn(server)).get('user')).body as { data: { username: string; role: number }[] }
    expect(users.data.find(({ username }) => username === 'alice')).toMatchObject({ role: 1 })
  })

  it('gives the roles of the groups, and takes them at the next sign-in', async () => {
    const { server } = await startFixture()
    const roleAfter = async (headers: Record<string, string>) => {
      const browser = throughProxy(server)
      await openPage(browser, 'alice', headers)
      return ((await browser.get('profile')).body as { data: { role: number } }).data.role
    }
    expect(await roleAfter({ 'remote-groups': 'users, admins' })).toBe(0)
    expect(await roleAfter({})).toBe(1)
  })

  it.each([
    ['from elsewhere', '10.0.0.6', {}],
    [
      'from elsewhere, whatever it says about its way',
      '10.0.0.6',
      { 'x-forwarded-for': proxyAddress, 'x-real-ip': proxyAddress },
    ],
  ])('is of nobody %s', async (_, address, headers) => {
    const { server } = await startFixture()
    const browser = server.browser(address)
    await openPage(browser, 'admin', headers)
    expect(browser.cookies.size).toBe(0)
  })

  it('is of nobody when the address of visitors is read from a header that a client wrote', async () => {
    const { server } = await startFixture()
    const { writeSite } = await import('../../../../server/site/site.ts')
    writeSite(server.store, { web_real_ip_header: 'X-Real-IP' })
    const browser = server.browser('10.0.0.6')
    await openPage(browser, 'alice', { 'x-real-ip': proxyAddress })
    expect(browser.cookies.size).toBe(0)
  })

  it('says what failed when the header is none that a proxy sends', async () => {
    const { server } = await startFixture()
    const browser = throughProxy(server)
    const reply = await openPage(browser, 'ali\tce')
    expect([reply.status, reply.headers.location]).toEqual([302, '/dashboard/login?oauth2_error=failed'])
    expect(browser.cookies.size).toBe(0)
    expect(server.logged.join('\n')).toContain('A proxy sent a header that names nobody')
    expect((await openPage(browser, 'ali\tce', {}, '/dashboard/login?oauth2_error=failed')).status).not.toBe(302)
  })

  it('does not take over a name that somebody has here', async () => {
    const { server } = await startFixture()
    const browser = throughProxy(server)
    const reply = await openPage(browser, 'admin')
    expect(reply.headers.location).toBe('/dashboard/login?oauth2_error=taken')
    expect(browser.cookies.has('nz-jwt')).toBe(false)
  })

  it('still asks for the second factor', async () => {
    const { server } = await startFixture()
    const browser = throughProxy(server)
    await openPage(browser, 'alice')
    const { code } = await setUpTotp(server, browser)
    const other = throughProxy(server)
    const reply = await openPage(other, 'alice')
    expect(reply.headers.location).toBe('/dashboard/login?second_factor=true')
    expect(await nameOf(other)).toBeUndefined()
    await completeSignIn(other, { after: 'provider', method: 'totp', code: code() })
    expect(await nameOf(other)).toBe('alice')
  })

  it('is of nobody once the provider is switched off', async () => {
    const { server } = await startFixture({ more: { enabled: false } })
    const browser = throughProxy(server)
    await openPage(browser, 'alice')
    expect(browser.cookies.size).toBe(0)
  })
})

describe('a session that a proxy began', () => {
  it('does not count for somebody else whom the proxy names', async () => {
    const { server } = await startFixture()
    const browser = throughProxy(server)
    await openPage(browser, 'alice')
    expect(await nameOf(browser, { 'remote-user': 'alice' })).toBe('alice')
    expect(await nameOf(browser, { 'remote-user': 'bob' })).toBeUndefined()
    await openPage(browser, 'bob')
    expect(await nameOf(browser, { 'remote-user': 'bob' })).toBe('bob')
  })

  it('leaves somebody who signed in with a password alone', async () => {
    const { server } = await startFixture()
    const admin = await signedIn(server, 'admin', proxyAddress)
    expect(await nameOf(admin, { 'remote-user': 'alice' })).toBe('admin')
  })

  it('needs the CSRF token as every other', async () => {
    const { server } = await startFixture()
    const browser = throughProxy(server)
    await openPage(browser, 'alice')
    const reply = await browser.call('POST', 'wheelhouse/end-other-sessions', {
      headers: { 'remote-user': 'alice', 'x-csrf-token': 'forged' },
    })
    expect(reply.status).not.toBe(200)
  })

  it('is not begun by a call of the API alone', async () => {
    const { server } = await startFixture()
    const browser = throughProxy(server)
    const reply = await browser.get('profile', { 'remote-user': 'alice' })
    expect(reply.body).toMatchObject({ error: 'ApiErrorUnauthorized' })
  })

  it('ends with a sign-out that leads to where the proxy forgets the person', async () => {
    const { server } = await startFixture({ settings: { sign_out_url: 'https://portal.example.org/logout' } })
    const browser = throughProxy(server)
    await openPage(browser, 'alice')
    await browser.call('POST', 'wheelhouse/logout', { headers: { 'remote-user': 'alice' } })
    const page = await openPage(browser, 'alice', {}, '/dashboard/login')
    expect([page.status, page.headers.location]).toEqual([302, 'https://portal.example.org/logout'])
  })

  it('is offered again on the sign-in page after a sign-out, and not begun by itself', async () => {
    const { server } = await startFixture()
    const browser = throughProxy(server)
    await openPage(browser, 'alice')
    await browser.call('POST', 'wheelhouse/logout', { headers: { 'remote-user': 'alice' } })
    await openPage(browser, 'alice', {}, '/dashboard/login')
    expect(await nameOf(browser)).toBeUndefined()
    const offered = async (address: string, headers?: Record<string, string>) =>
      (await server.browser(address).get('setting', headers)).text.includes('Portal')
    expect(await offered(proxyAddress, { 'remote-user': 'alice' })).toBe(true)
    expect(await offered('10.0.0.6', { 'remote-user': 'alice' })).toBe(false)
  })
})

describe('the button of a proxy', () => {
  const follow = async (browser: Browser, type: number, headers: Record<string, string>) => {
    const { body } = await browser.get(`oauth2/Portal?type=${type}`, headers)
    const { redirect } = (body as { data: { redirect: string } }).data
    const { pathname, search } = new URL(redirect)
    return (await browser.get(pathname + search, headers)).headers.location
  }

  it('signs in', async () => {
    const { server } = await startFixture()
    const browser = throughProxy(server)
    expect(await follow(browser, 1, { 'remote-user': 'alice' })).toBe('/dashboard/login?oauth2=true')
    expect(await nameOf(browser)).toBe('alice')
  })

  it('binds an account that somebody has already', async () => {
    const { server } = await startFixture()
    const member = await signedIn(server, 'member', proxyAddress)
    expect(await follow(member, 2, { 'remote-user': 'm.ember' })).toBe('/dashboard/profile?oauth2=true')
    const browser = throughProxy(server)
    await openPage(browser, 'm.ember')
    expect(await nameOf(browser)).toBe('member')
  })

  it('does nothing where the proxy names nobody', async () => {
    const { server } = await startFixture()
    expect(await follow(server.browser('10.0.0.6'), 1, { 'remote-user': 'alice' })).toBe(
      '/dashboard/login?oauth2_error=failed',
    )
  })
})
