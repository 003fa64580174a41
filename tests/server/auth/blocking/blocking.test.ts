import { describe, expect, it } from 'vitest'
import { createWaf } from '../../../../server/auth/blocking/blockedAddresses.ts'
import { createSessions } from '../../../../server/auth/sessions/sessions.ts'
import { openStore } from '../../../../server/db/store.ts'
import { blockedUntil } from '../../../../src/schemas/waf.ts'
import { password, signedIn, type TestServer, testServer } from '../../../support/server/testServer.ts'

const attacker = '198.51.100.10'

/** Milliseconds until an address gets an answer again, to the second. */
async function blockOf(server: TestServer, address: string): Promise<number> {
  const start = server.clock.now
  while ((await server.browser(address).get('setting')).status === 403) server.clock.now += 1000
  const lasted = server.clock.now - start
  server.clock.now = start
  return lasted
}

function rowsOf({ app }: TestServer, ip: string) {
  return app.auth.waf.rows().filter((row) => row.ip === ip)
}

describe('an address that fails to sign in', () => {
  it('is blocked at once, for pages and the API alike, with a page that loads nothing else', async () => {
    const server = await testServer()
    const browser = server.browser(attacker)
    expect((await browser.signIn('admin', 'wrong')).status).toBe(200)
    for (const path of ['/dashboard/', '/api/v1/setting', '/api/v1/nope', '/']) {
      const reply = await browser.get(path)
      expect(reply.status).toBe(403)
      expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(reply.text).toContain('Your address was blocked')
      expect(reply.text).not.toMatch(/<(script|link|img|iframe)|url\(|src=|href=/i)
    }
    expect((await browser.signIn('admin', password)).status).toBe(403)
  })

  it.each([
    ['application/json', 'application/json; charset=utf-8'],
    ['application/json, */*;q=0.1', 'application/json; charset=utf-8'],
    ['text/html,application/xhtml+xml,application/json;q=0.9', 'text/html; charset=utf-8'],
    ['*/*', 'text/html; charset=utf-8'],
    ['', 'text/html; charset=utf-8'],
  ])('asks for "%s" and is refused in %s', async (accept, type) => {
    const server = await testServer()
    await server.browser(attacker).signIn('admin', 'wrong')
    const reply = await server.browser(attacker).get('setting', { accept })
    expect([reply.status, reply.headers['content-type']]).toEqual([403, type])
    expect(reply.headers.vary).toContain('accept')
    if (type.startsWith('application/json')) {
      expect(reply.body).toEqual({ error: 'ApiErrorForbidden: this address is blocked after failed sign-ins' })
    }
  })

  it('gets Retry-After, unless the block is permanent', async () => {
    const server = await testServer()
    const wait = async () => (await server.browser(attacker).get('setting')).headers['retry-after']
    await server.browser(attacker).signIn('admin', 'wrong')
    expect(await wait()).toBe('3')
    server.clock.now += 1500
    expect(await wait()).toBe('2')
    server.app.auth.waf.block(attacker)
    expect(await wait()).toBeUndefined()
  })

  it('waits 3, 16, 81 and 256 seconds after one to four failures', async () => {
    const server = await testServer()
    for (const seconds of [3, 16, 81, 256]) {
      await server.browser(attacker).signIn('admin', 'wrong')
      const lasted = await blockOf(server, attacker)
      expect(lasted).toBe(seconds * 1000)
      server.clock.now += lasted
    }
  })

  it('does not wait longer because of requests during the block', async () => {
    const server = await testServer()
    for (let attempt = 0; attempt < 5; attempt++) await server.browser(attacker).signIn('admin', 'wrong')
    expect(rowsOf(server, attacker)).toMatchObject([{ count: 1 }])
  })

  it('does not block other addresses', async () => {
    const server = await testServer()
    await server.browser(attacker).signIn('admin', 'wrong')
    expect((await server.browser('198.51.100.11').get('setting')).status).toBe(200)
  })

  it('is recorded with the user whose name was tried, or without one', async () => {
    const server = await testServer()
    await server.browser(attacker).signIn('member', 'wrong')
    await server.browser('198.51.100.30').signIn('ghost', 'wrong')
    const now = server.clock.now / 1000
    expect(rowsOf(server, attacker)).toMatchObject([
      { block_identifier: 2, block_reason: 1, block_timestamp: now, count: 1 },
    ])
    expect(rowsOf(server, '198.51.100.30')).toMatchObject([
      { block_identifier: -125, block_reason: 1, block_timestamp: now, count: 1 },
    ])
  })

  it('is cleared by a successful sign-in, for that user and for names that do not exist', async () => {
    const server = await testServer()
    for (const name of ['admin', 'ghost', 'member']) {
      await server.browser(attacker).signIn(name, 'wrong')
      server.clock.now += 300_000
    }
    await signedIn(server, 'admin', attacker)
    expect(rowsOf(server, attacker)).toMatchObject([{ block_identifier: 2 }])
  })

  it('gets one guess, not fifty, when it sends fifty at once', async () => {
    const server = await testServer()
    const burst = Array.from({ length: 50 }, () => server.browser(attacker).signIn('admin', 'wrong'))
    const statuses = (await Promise.all(burst)).map((reply) => reply.status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(rowsOf(server, attacker)).toMatchObject([{ count: 1 }])
  })

  it('stays blocked over a restart', async () => {
    const before = await testServer()
    await before.browser(attacker).signIn('admin', 'wrong')
    await before.app.close()
    const after = await testServer({ store: before.store })
    expect((await after.browser(attacker).get('setting')).status).toBe(403)
  })
})

describe('not counted as a failure', () => {
  it.each([
    ['a call without a session', { path: 'profile' }],
    ['a garbage session', { path: 'profile', headers: { cookie: 'nz-jwt=garbage' } }],
    ['a garbage session on a public path', { path: 'setting', headers: { cookie: 'nz-jwt=garbage' } }],
    ['a login body that is cut off', { method: 'POST', path: 'login', body: '{' }],
    ['a login without a password', { method: 'POST', path: 'login', body: { username: 'admin' } }],
  ])('is %s', async (_, { method = 'GET', path, ...options }: { method?: string; path: string; body?: unknown }) => {
    const server = await testServer()
    expect((await server.browser(attacker).call(method, path, options)).status).toBe(200)
    expect(rowsOf(server, attacker)).toEqual([])
  })

  it('is a missing CSRF header, a session from another address, or an expired session', async () => {
    const server = await testServer()
    const browser = await signedIn(server, 'admin', attacker)
    const noHeader = { body: { name: 'x' }, headers: { 'x-csrf-token': '' } }
    expect((await browser.call('POST', 'server-group', noHeader)).status).toBe(403)
    const session = { cookie: `nz-jwt=${browser.cookies.get('nz-jwt')}` }
    expect((await server.browser('198.51.100.77').get('setting', session)).status).toBe(200)
    server.clock.now += 3601_000
    expect((await browser.get('setting')).status).toBe(200)
    expect([...rowsOf(server, attacker), ...rowsOf(server, '198.51.100.77')]).toEqual([])
  })
})

describe('a session that was revoked', () => {
  it('is refused on a protected path and blocks its address on a public one', async () => {
    const server = await testServer()
    const browser = await signedIn(server, 'admin', attacker)
    createSessions(server.store, () => server.clock.now).revokeAll(1)
    expect((await browser.get('profile')).body).toEqual({ error: 'ApiErrorUnauthorized' })
    expect(rowsOf(server, attacker)).toEqual([])
    expect((await browser.get('setting')).status).toBe(403)
    expect(rowsOf(server, attacker)).toMatchObject([{ block_identifier: -126, block_reason: 2, count: 1 }])
    expect((await server.browser(attacker).get('profile')).status).toBe(403)
    expect(await blockOf(server, attacker)).toBe(3000)
  })
})

describe('the time of a block', () => {
  it.each([
    [1, 3],
    [2, 16],
    [5, 625],
    [10, 10_000],
  ])('after %i failures is %i seconds', (count, seconds) => {
    expect(blockedUntil([{ count, block_timestamp: 1000 }])).toBe(1000 + seconds)
  })

  it('counts all rows of the address together, from the latest one', () => {
    const rows = [
      { count: 1, block_timestamp: 1000 },
      { count: 2, block_timestamp: 900 },
    ]
    expect(blockedUntil(rows)).toBe(1000 + 81)
  })

  it('is unlimited when an administrator blocked the address', () => {
    let now = 0
    const waf = createWaf(openStore(':memory:'), () => now)
    waf.block(attacker)
    now = Date.parse('9999-01-01')
    expect(waf.isBlocked(attacker)).toBe(true)
  })
})
