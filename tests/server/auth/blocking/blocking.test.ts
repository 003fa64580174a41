import { describe, expect, it } from 'vitest'
import { createWaf } from '../../../../server/auth/blocking/blockedAddresses.ts'
import type { Attempt } from '../../../../server/auth/blocking/blockRules.ts'
import { createSessions } from '../../../../server/auth/sessions/sessions.ts'
import { openStore } from '../../../../server/db/store.ts'
import { blockedUntil } from '../../../../src/schemas/waf.ts'
import { password, signedIn, type TestServer, testServer } from '../../../support/server/testServer.ts'

const attacker = '198.51.100.10'
const hour = 3_600_000

/** Milliseconds until this attempt is answered again, to the second. */
async function blockOf(server: TestServer, attempt: () => Promise<{ status: number }>): Promise<number> {
  const start = server.clock.now
  while ((await attempt()).status === 403) server.clock.now += 1000
  const lasted = server.clock.now - start
  return lasted
}

function rowsOf({ app }: TestServer, ip: string) {
  return app.auth.waf.rows().filter((row) => row.ip === ip)
}

describe('an address that fails to sign in', () => {
  it('is kept from this account at once, with a page that loads nothing else; everything public goes on', async () => {
    const server = await testServer()
    const browser = server.browser(attacker)
    expect((await browser.signIn('admin', 'wrong')).status).toBe(200)
    const reply = await browser.signIn('admin', password)
    expect([reply.status, reply.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8'])
    expect(reply.text).toContain('failed sign-ins to this account from your address')
    expect(reply.text).not.toMatch(/<(script|link|img|iframe)|url\(|src=|href=/i)
    expect((await browser.get('setting')).status).toBe(200)
    expect((await browser.get('/')).status).toBe(200)
    expect((await signedIn(server, 'member', attacker)).cookies.has('nz-jwt')).toBe(true)
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
    const reply = await server
      .browser(attacker)
      .call('POST', 'login', { body: { username: 'admin', password }, headers: { accept } })
    expect([reply.status, reply.headers['content-type']]).toEqual([403, type])
    expect(reply.headers.vary).toContain('accept')
    if (type.startsWith('application/json')) {
      const error = 'ApiErrorForbidden: this address is blocked after failed sign-ins'
      expect(reply.body).toEqual({ error, data: { reason: 'account' } })
    }
  })

  it.each([
    ['de-AT,de;q=0.9,en;q=0.8', 'de-DE', 'in 16 Sekunden'],
    ['en;q=0.5, it', 'it', 'tra 16 secondi'],
    ['zh-HK', 'zh-TW', '16 秒後'],
    ['zh', 'zh-CN', '16秒钟后'],
    ['pt', 'pt-BR', 'em 16 segundos'],
    ['sw, *;q=0.1', 'en-US', 'in 16 seconds'],
    ['', 'en-US', 'in 16 seconds'],
  ])('reads "%s" and is told in %s why and until when', async (language, locale, wait) => {
    const server = await testServer()
    for (let n = 0; n < 2; n++) {
      await server.browser(attacker).signIn('admin', 'wrong')
      server.clock.now += 3000
    }
    server.clock.now -= 3000
    const body = { username: 'admin', password }
    const reply = await server
      .browser(attacker)
      .call('POST', 'login', { body, headers: { 'accept-language': language } })
    expect(reply.text).toContain(`<html lang="${locale}">`)
    expect(reply.text).toContain(wait)
    expect(reply.text).toMatch(/00:00:19.*UTC/)
    server.app.auth.waf.block(attacker)
    const byAdmin = await server.browser(attacker).get('/', { 'accept-language': language })
    expect(byAdmin.text).toContain(`<html lang="${locale}">`)
    expect(byAdmin.text).not.toMatch(/UTC|\{\{/)
  })

  it('gets Retry-After, unless the block is permanent', async () => {
    const server = await testServer()
    const wait = async () => (await server.browser(attacker).signIn('admin', password)).headers['retry-after']
    await server.browser(attacker).signIn('admin', 'wrong')
    expect(await wait()).toBe('3')
    server.clock.now += 1500
    expect(await wait()).toBe('2')
    server.app.auth.waf.block(attacker)
    expect(await wait()).toBeUndefined()
  })

  it('waits 3, 16, 81 and 256 seconds after one to four failures', async () => {
    const server = await testServer()
    const attempt = () => server.browser(attacker).signIn('admin', 'wrong')
    expect((await attempt()).status).toBe(200)
    for (const seconds of [3, 16, 81, 256]) expect(await blockOf(server, attempt)).toBe(seconds * 1000)
  })

  it('does not wait longer because of requests during the block', async () => {
    const server = await testServer()
    for (let attempt = 0; attempt < 5; attempt++) await server.browser(attacker).signIn('admin', 'wrong')
    expect(rowsOf(server, attacker)).toMatchObject([{ count: 1 }])
  })

  it('does not block other addresses', async () => {
    const server = await testServer()
    await server.browser(attacker).signIn('admin', 'wrong')
    await signedIn(server, 'admin', '198.51.100.11')
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
    expect((await after.browser(attacker).signIn('admin', password)).status).toBe(403)
    expect((await after.browser(attacker).signIn('member', password)).status).toBe(200)
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

describe('who holds a valid session', () => {
  it('goes on where others fail, and an administrator sets the address free from there', async () => {
    const server = await testServer()
    const [admin, member] = [await signedIn(server, 'admin', attacker), await signedIn(server, 'member', attacker)]
    for (let n = 0; n < 8; n++) await server.browser(attacker).signIn(`ghost ${n}`, 'wrong')
    await server.browser(attacker).call('POST', '/mcp', { headers: { authorization: 'Bearer nzp_wrong' } })
    expect((await server.browser(attacker).signIn('member', password)).status).toBe(403)
    expect((await member.get('profile')).body).toMatchObject({ success: true })
    expect((await member.get('/dashboard/')).status).not.toBe(403)
    const { body } = await admin.get('waf')
    expect(body).toMatchObject({
      data: { value: [{ block_identifier: -126 }, { ip: attacker, count: 5, block_identifier: -125 }] },
    })
    await admin.call('POST', 'batch-delete/waf', { body: [attacker] })
    await signedIn(server, 'member', attacker)
  })

  it('is out when an administrator blocks the address by hand', async () => {
    const server = await testServer()
    const member = await signedIn(server, 'member', attacker)
    server.app.auth.waf.block(attacker)
    expect((await member.get('profile')).status).toBe(403)
    expect((await member.get('/')).status).toBe(403)
  })
})

describe('a session that was revoked', () => {
  it('is signed out on protected paths, nobody on public ones, and no guess', async () => {
    const server = await testServer()
    const browser = await signedIn(server, 'admin', attacker)
    const colleague = await signedIn(server, 'member', attacker)
    createSessions(server.store, () => server.clock.now).revokeAll(1)
    for (const path of ['setting', '/', 'wheelhouse/status', 'profile', 'setting']) {
      expect([path, (await browser.get(path)).status]).toEqual([path, 200])
    }
    expect((await browser.get('profile')).body).toEqual({ error: 'ApiErrorUnauthorized' })
    expect(((await browser.get('setting')).body as { data: object }).data).not.toHaveProperty('version')
    expect(rowsOf(server, attacker)).toEqual([])
    expect((await colleague.get('profile')).body).toMatchObject({ success: true })
  })
})

describe('a browser in which somebody signed in before', () => {
  const statusOf = async (reply: Promise<{ status: number }>) => (await reply).status

  /** Admin has signed in, and out again; from then on somebody at the address guesses until nobody else can sign in. */
  async function office() {
    const server = await testServer()
    const browser = await signedIn(server, 'admin', attacker)
    const leave = () => browser.call('POST', 'wheelhouse/logout')
    expect((await leave()).body).toEqual({ success: true })
    const guess = async () => {
      for (const name of ['admin', 'member', 'a', 'b', 'c', 'd']) await server.browser(attacker).signIn(name, 'guess')
    }
    await guess()
    return { server, browser, leave, guess }
  }

  it('signs in every morning at an address where a program guesses day and night, at this account too', async () => {
    const { server, browser, leave, guess } = await office()
    for (let morning = 0; morning < 5; morning++) {
      for (let hours = 0; hours < 24; hours++) {
        server.clock.now += hour
        await guess()
      }
      expect(await statusOf(server.browser(attacker).signIn('admin', password))).toBe(403)
      expect((await browser.signIn('admin', password)).body).toMatchObject({ success: true })
      expect((await leave()).body).toEqual({ success: true })
    }
    // The sign-ins have not set the guesser free.
    expect(await statusOf(server.browser(attacker).signIn('admin', password))).toBe(403)
  })

  it('waits after typing errors of its own, which a sign-in forgives and which keep nobody else waiting', async () => {
    const server = await testServer()
    const browser = await signedIn(server, 'admin', attacker)
    const attempt = () => browser.signIn('admin', 'typing error')
    expect(await statusOf(attempt())).toBe(200)
    for (const seconds of [3, 16, 81]) expect(await blockOf(server, attempt)).toBe(seconds * 1000)
    expect(rowsOf(server, attacker)).toMatchObject([{ block_identifier: 1, count: 4 }])
    await signedIn(server, 'admin', attacker)
    expect(await statusOf(browser.signIn('admin', password))).toBe(403)
    server.clock.now += 256_000
    expect((await browser.signIn('admin', password)).body).toMatchObject({ success: true })
    expect(rowsOf(server, attacker)).toEqual([])
  })

  it('is known for the accounts that signed in there, and at others it is one of many', async () => {
    const { server, browser } = await office()
    expect(await statusOf(browser.signIn('member', password))).toBe(403)
    server.clock.now += 86_400_000
    for (const name of ['member', 'admin']) expect((await browser.signIn(name, password)).status).toBe(200)
    for (const name of ['admin', 'member', 'a', 'b', 'c', 'd']) await server.browser(attacker).signIn(name, 'guess')
    for (const name of ['member', 'admin']) expect((await browser.signIn(name, password)).status).toBe(200)
  })

  it('is no more known after a new password, but for the browser in which it was changed', async () => {
    const server = await testServer()
    const [one, other] = [await signedIn(server, 'admin', attacker), await signedIn(server, 'admin', attacker)]
    const changed = 'a better battery'
    const body = { original_password: password, new_username: 'admin', new_password: changed }
    server.clock.now += 1000
    expect((await one.call('POST', 'profile', { body })).body).toMatchObject({ success: true })
    await server.browser(attacker).signIn('admin', 'guess')
    expect(await statusOf(other.signIn('admin', changed))).toBe(403)
    expect((await one.signIn('admin', changed)).body).toMatchObject({ success: true })
  })

  it.each(['garbage', 'of another server'])('cannot be made up: %s', async (kind) => {
    const { browser } = await office()
    const foreign = await signedIn(await testServer(), 'admin', attacker)
    browser.cookies.set('nz-kb', kind === 'garbage' ? kind : (foreign.cookies.get('nz-kb') ?? ''))
    expect(await statusOf(browser.signIn('admin', password))).toBe(403)
  })

  it('and a session whose password is asked for again do not wait for what others guess', async () => {
    const server = await testServer()
    const browser = await signedIn(server, 'admin', attacker)
    browser.cookies.delete('nz-kb')
    for (const name of ['admin', 'a', 'b', 'c', 'd']) await server.browser(attacker).signIn(name, 'guess')
    const body = { original_password: password, new_username: 'admin', new_password: 'a better battery' }
    expect((await browser.call('POST', 'profile', { body })).body).toMatchObject({ success: true })
  })
})

describe('a wrong API token', () => {
  it('keeps out wrong ones only: people and good tokens at the address go on', async () => {
    const server = await testServer()
    const admin = await signedIn(server, 'admin', attacker)
    const form = { name: 'x', scopes: ['nezha:*'], expires_in_days: 0 }
    const created = await admin.call('POST', 'api-tokens', { body: form })
    const { data } = created.body as { data: { token: string } }
    const call = (token: string) => server.browser(attacker).get('server', { authorization: `Bearer ${token}` })
    expect((await call('nzp_wrong')).status).toBe(401)
    expect((await call('nzp_wrong')).status).toBe(403)
    expect(rowsOf(server, attacker)).toMatchObject([{ block_identifier: -126, block_reason: 2, count: 1 }])
    await signedIn(server, 'member', attacker)
    expect((await call(data.token)).body).toMatchObject({ success: true })
    expect(rowsOf(server, attacker)).toEqual([])
  })

  it('and a rejected OAuth2 code are one row of the list, and block each its own kind', () => {
    let now = 1_800_000_000_000
    const waf = createWaf(openStore(':memory:'), () => now)
    const isBlocked = (attempt: Attempt) => waf.blockFor(attacker, attempt) !== undefined
    waf.recordFailure(attacker, { kind: 'oauth2' })
    expect([isBlocked({ kind: 'oauth2' }), isBlocked({ kind: 'api-token' })]).toEqual([true, false])
    now += 5000
    waf.recordFailure(attacker, { kind: 'api-token' })
    expect([isBlocked({ kind: 'oauth2' }), isBlocked({ kind: 'api-token' })]).toEqual([false, true])
    expect(waf.rows()).toMatchObject([{ ip: attacker, block_identifier: -126, block_reason: 2, count: 2 }])
  })
})

describe('the time of a block of a server that does not say it', () => {
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
    expect(waf.isBlockedByAdmin(attacker)).toBe(true)
  })
})
