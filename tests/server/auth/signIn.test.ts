import { writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createSessions } from '../../../server/auth/sessions/sessions.ts'
import { usersIn } from '../../../server/auth/users/users.ts'
import { readSite, writeSite } from '../../../server/site/site.ts'
import { mmdbFile } from '../../support/agent/mmdbFile.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'
import { password, signedIn, testServer } from '../../support/server/testServer.ts'

const unauthorized = { error: 'ApiErrorUnauthorized' }
const hour = 3600_000

describe('signing in', () => {
  it('returns a token, its expiry in an hour, the two cookies, and one by which the browser is known later', async () => {
    const server = await testServer()
    const reply = await server.browser().signIn('admin', password)
    expect(reply.body).toEqual({ success: true, data: { token: expect.any(String), expire: '2026-11-21T01:00:00Z' } })
    expect(reply.headers['set-cookie']).toEqual([
      expect.stringMatching(/^nz-jwt=[\w.-]+; Max-Age=3600; Path=\/; SameSite=Lax$/),
      expect.stringMatching(/^nz-csrf=[0-9a-f]{64}\.[0-9a-f]{64}; Path=\/; SameSite=Strict$/),
      expect.stringMatching(/^nz-kb=[\w.-]+; Max-Age=34560000; Path=\/api\/v1; HttpOnly; SameSite=Lax$/),
    ])
  })

  it('makes the cookies Secure behind a proxy with TLS', async () => {
    const settings = { host: '127.0.0.1', publicUrl: new URL('https://console.example.org') }
    const server = await testServer({ settings })
    const { headers } = await server.browser().signIn('admin', password)
    for (const cookie of headers['set-cookie'] as string[]) expect(cookie).toContain('; Secure')
  })

  it.each([
    ['a wrong password', { username: 'admin', password: 'wrong' }],
    ['an unknown name', { username: 'ghost', password }],
    ['a name in other letters', { username: 'ADMIN', password }],
    ['an empty body', {}],
    ['an empty password', { username: 'admin', password: '' }],
    ['numbers', { username: 1, password: 2 }],
    ['null', null],
    ['a list', [['admin', password]]],
    ['a body cut off', '{"username":'],
    ['a form', `username=admin&password=${password}`],
    ['nothing', undefined],
  ])('is refused with one and the same text for %s', async (_, body) => {
    const server = await testServer()
    const browser = server.browser()
    const reply = await browser.call('POST', 'login', { body })
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual(unauthorized)
    expect(reply.headers['www-authenticate']).toBe('JWT realm=Wheelhouse')
    expect(browser.cookies.size).toBe(0)
  })

  it('is refused to a user who may not use a password', async () => {
    const server = await testServer()
    usersIn(server.store).update(1, { reject_password: true })
    expect((await server.browser().signIn('admin', password)).body).toEqual(unauthorized)
  })

  it('works in a browser that still has the cookie of an ended session', async () => {
    const server = await testServer()
    const browser = await signedIn(server)
    endSessions(server, 1)
    expect((await browser.signIn('admin', password)).body).toMatchObject({ success: true })
  })

  it('names the site in the WWW-Authenticate header, in any script', async () => {
    const server = await testServer({ site: { site_name: 'Überwachung 监控\r\nx: y' } })
    const reply = await server.browser().get('profile')
    const bytes = Buffer.from(String(reply.headers['www-authenticate']), 'latin1')
    expect(bytes.toString('utf8')).toBe('JWT realm=Überwachung 监控x: y')
  })
})

describe('a session', () => {
  it('expires after an hour', async () => {
    const server = await testServer()
    const browser = await signedIn(server)
    server.clock.now += hour - 1000
    expect((await browser.get('profile')).body).toMatchObject({ success: true })
    server.clock.now += 1000
    expect((await browser.get('profile')).body).toEqual(unauthorized)
  })

  it('lasts another hour after each renewal, while the earlier token keeps its expiry', async () => {
    const server = await testServer()
    const browser = await signedIn(server)
    const older = browser.cookies.get('nz-jwt') ?? ''
    server.clock.now += hour / 2
    const reply = await browser.call('POST', 'refresh-token')
    expect(reply.body).toMatchObject({ success: true, data: { expire: '2026-11-21T01:30:00Z' } })
    const bearer = { authorization: `Bearer ${older}` }
    expect((await server.browser().get('profile', bearer)).body).toMatchObject({ success: true })
    server.clock.now += hour / 2
    expect((await server.browser().get('profile', bearer)).body).toEqual(unauthorized)
    expect((await browser.get('profile')).body).toMatchObject({ success: true })
  })

  it('is renewed by the verb of older servers too', async () => {
    const server = await testServer()
    const browser = await signedIn(server)
    expect((await browser.get('refresh-token')).body).toMatchObject({ data: { token: expect.any(String) } })
  })

  it('survives a restart of the server', async () => {
    const before = await testServer()
    const browser = await signedIn(before)
    const after = await testServer({ store: before.store })
    const again = after.browser()
    for (const [name, value] of browser.cookies) again.cookies.set(name, value)
    expect((await again.get('profile')).body).toMatchObject({ data: { username: 'admin' } })
    expect((await again.call('POST', 'server-group', { body: { name: 'kept' } })).body).toMatchObject({ success: true })
  })

  it('ends in all browsers of a user at once when it is revoked', async () => {
    const server = await testServer()
    const [one, two, other] = [await signedIn(server), await signedIn(server), await signedIn(server, 'member')]
    endSessions(server, 1)
    expect((await one.get('profile')).body).toEqual(unauthorized)
    expect((await two.get('profile')).body).toEqual(unauthorized)
    expect((await other.get('profile')).body).toMatchObject({ data: { username: 'member', role: 1 } })
  })

  it.each([
    ['network', '203.0.113.1', '203.0.113.200', true],
    ['network', '203.0.113.1', '203.0.114.1', false],
    ['network', '203.0.113.1', '2001:db8::1', true],
    ['network', '2001:db8:0:7::1', '2001:db8:0:7:ffff::2', true],
    ['network', '2001:db8:0:7::1', '2001:db8:0:9::1', true],
    ['network', '2001:db8:0:7::1', '2001:db8:1:7::1', false],
    ['network', '2001:db8:0:7::1', '203.0.113.1', true],
    ['strict', '203.0.113.1', '203.0.113.1', true],
    ['strict', '203.0.113.1', '203.0.113.2', false],
    ['strict', '203.0.113.1', '2001:db8::1', false],
    ['strict', '2001:db8:0:7::1', '2001:db8:0:7::2', false],
    ['none', '203.0.113.1', '198.51.100.1', true],
  ] as const)('bound by "%s", opened at %s, works from %s: %s', async (binding, begun, address, isAccepted) => {
    const session_binding = { strict: 1, network: 2, none: 3 }[binding]
    // The default is the network.
    const server = await testServer({ site: binding === 'network' ? undefined : { session_binding } })
    const there = await signedIn(server, 'admin', begun)
    const elsewhere = server.browser(address)
    for (const [name, value] of there.cookies) elsewhere.cookies.set(name, value)
    const renewed = await elsewhere.call('POST', 'refresh-token')
    expect(renewed.body).toMatchObject(isAccepted ? { success: true } : unauthorized)
    expect((await elsewhere.get('profile')).body).toMatchObject(
      isAccepted ? { data: { login_ip: address } } : unauthorized,
    )
    expect((await elsewhere.get('setting')).body).toMatchObject({ data: { config: { cover: isAccepted ? 1 : 0 } } })
    // Where it began it goes on in any case.
    expect((await there.get('profile')).body).toMatchObject({ data: { login_ip: begun } })
  })

  it('writes nothing about an address that is not known', async () => {
    const server = await testServer({ site: { session_binding: 3 } })
    const browser = await signedIn(server, 'admin', '203.0.113.1')
    writeSite(server.store, { ...readSite(server.store), web_real_ip_header: '' })
    expect((await browser.get('profile')).body).toMatchObject({ data: { username: 'admin' } })
    const write = vi.spyOn(server.store, 'transaction')
    expect((await browser.get('profile')).body).toMatchObject({ data: { username: 'admin' } })
    expect(write).not.toHaveBeenCalled()
  })

  it('opens sockets from its own network, and none from another one', async () => {
    const server = await testServer({ site: { web_real_ip_header: 'X-Real-IP' } })
    await server.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = server.app.server.address() as AddressInfo
    const browser = server.browser()
    const body = { username: 'admin', password }
    await browser.call('POST', 'login', { body, headers: { 'x-real-ip': '203.0.113.1' } })
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
    const open = (path: string, address: string) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/ws/${path}`, {
          headers: { cookie, 'x-real-ip': address },
        })
        onTestFinished(() => socket.terminate())
        socket.on('open', () => resolve('open'))
        socket.on('error', ({ message }) => resolve(message))
      })
    for (const address of ['203.0.113.1', '203.0.113.200', '2001:db8::1']) {
      expect([address, await open('transfer', address)]).toEqual([address, 'open'])
    }
    for (const address of ['203.0.114.1', '2001:db8:1::1']) {
      expect([address, await open('transfer', address)]).toEqual([address, expect.stringContaining('response')])
    }
    // Everybody may open the live stream: there it counts as nobody's.
    for (const address of ['203.0.113.200', '203.0.114.1']) expect(await open('server', address)).toBe('open')
    const people = () => server.app.onlineUsers.list().map(({ person, address }) => [address, person?.username])
    await vi.waitFor(() =>
      expect(people()).toEqual([
        ['203.0.113.200', 'admin'],
        ['203.0.114.1', undefined],
      ]),
    )
  })

  it('takes one network of the other family, shows it in the list of sessions, and no second one', async () => {
    const server = await testServer()
    const phone = await signedIn(server, 'admin', '203.0.113.1')
    const at = (address: string) => {
      const browser = server.browser(address)
      for (const [name, value] of phone.cookies) browser.cookies.set(name, value)
      return browser
    }
    for (const address of ['2001:db8:0:7::1', '203.0.113.9', '2001:db8:0:7::2']) {
      expect((await at(address).get('profile')).body).toMatchObject({ success: true })
    }
    expect((await at('2001:db8:ffff::1').get('profile')).body).toEqual(unauthorized)
    expect((await phone.get('wheelhouse/sessions')).body).toMatchObject({
      data: [{ address: '203.0.113.1', other_address: '2001:db8:0:7::1', current: true }],
    })
  })

  it('is one place for the addresses of a provider, where the address database knows it, and no other', async () => {
    const folder = temporaryFolder()
    const geoipDatabase = join(folder, 'providers.mmdb')
    const provider = (number: number) => ({ autonomous_system_number: number })
    writeFileSync(geoipDatabase, mmdbFile({ 198: provider(64_496), 203: provider(64_496), 192: provider(64_497) }))
    const server = await testServer({ settings: { host: '127.0.0.1', geoipDatabase } })
    const there = await signedIn(server, 'admin', '203.0.113.1')
    for (const [address, isAccepted] of [
      ['198.51.100.1', true],
      ['192.0.2.1', false],
      ['100.64.0.1', false],
    ] as const) {
      const elsewhere = server.browser(address)
      for (const [name, value] of there.cookies) elsewhere.cookies.set(name, value)
      expect((await elsewhere.get('profile')).body).toMatchObject(isAccepted ? { success: true } : unauthorized)
    }
  })

  it('treats the two loopback addresses as one', async () => {
    const server = await testServer()
    const browser = await signedIn(server, 'admin', '127.0.0.1')
    const overIpv6 = server.browser('::1')
    for (const [name, value] of browser.cookies) overIpv6.cookies.set(name, value)
    expect((await overIpv6.get('profile')).body).toMatchObject({ success: true })
  })

  it('is not accepted as a token in the URL', async () => {
    const server = await testServer()
    const token = (await signedIn(server)).cookies.get('nz-jwt')
    expect((await server.browser().get(`profile?token=${token}`)).body).toEqual(unauthorized)
  })

  it.each(['garbage', 'a.b.c', '', '""', 'x'.repeat(5000)])('is not accepted with the cookie %.20s', async (value) => {
    const server = await testServer()
    const browser = server.browser()
    browser.cookies.set('nz-jwt', value)
    expect((await browser.get('profile')).body).toEqual(unauthorized)
    expect((await browser.get('setting')).status).toBe(200)
  })

  it('is not accepted with a token of another key, or unsigned', async () => {
    const server = await testServer()
    await signedIn(server)
    const sessions = server.store.table<{ id: number; key: string }>({ name: 'session', columns: [] })
    const key = sessions.get(1)?.key
    const claims = { sid: key }
    const end = server.clock.now / 1000 + 600
    const foreign = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime(end)
      .sign(new Uint8Array(32))
    for (const token of [foreign, new UnsecuredJWT(claims).setExpirationTime(end).encode()]) {
      const reply = await server.browser().get('profile', { authorization: `Bearer ${token}` })
      expect(reply.body).toEqual(unauthorized)
    }
  })

  it('is deleted by the next sign-in of anybody after it has expired, and no other is', async () => {
    const server = await testServer()
    const stored = () => {
      const sessions = server.store.table<{ id: number }>({ name: 'session', columns: [] })
      return sessions.all().map(({ id }) => id)
    }
    await signedIn(server)
    server.clock.now += hour / 2
    await signedIn(server)
    server.clock.now += hour / 2
    await signedIn(server, 'member')
    expect(stored()).toEqual([2, 3])
    server.clock.now += hour / 2
    await signedIn(server, 'member')
    expect(stored()).toEqual([3, 4])
  })

  it('ends when its user is deleted', async () => {
    const server = await testServer()
    const browser = await signedIn(server, 'member')
    usersIn(server.store).remove([2])
    expect((await browser.get('profile')).body).toEqual(unauthorized)
  })
})

describe('an invalid cookie header', () => {
  it.each([';;;=;', 'nz-jwt', '=x; nz-jwt=%E0%A4%A', '\u00ff\u00fe=1', 'a='.repeat(3000)])(
    'is nobody: %.20s',
    async (cookie) => {
      const server = await testServer()
      expect((await server.browser().get('profile', { cookie })).body).toEqual(unauthorized)
      expect((await server.browser().get('setting', { cookie })).status).toBe(200)
    },
  )
})

function endSessions({ store, clock }: Awaited<ReturnType<typeof testServer>>, userId: number): void {
  createSessions(store, () => clock.now).revokeAll(userId)
}
