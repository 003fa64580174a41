import { describe, expect, it } from 'vitest'
import { createAuth } from '../../../server/auth/auth.ts'
import { createGuard } from '../../../server/auth/guard.ts'
import { password, signedIn, testServer } from '../../support/server/testServer.ts'

const csrfFailure = { error: 'ApiErrorForbidden: missing or invalid CSRF token' }

describe('a path for administrators', () => {
  it('is open to them, and closed to members and without a session', async () => {
    const server = await testServer()
    const guard = createGuard(createAuth({ store: server.store, now: () => server.clock.now }))
    server.app.get('/api/v1/toy', { onRequest: guard('admin') }, () => ({ success: true }))
    const answer = async (username?: string) =>
      (await (username ? await signedIn(server, username) : server.browser()).get('toy')).body
    expect(await answer('admin')).toEqual({ success: true })
    expect(await answer('member')).toEqual({ error: 'permission denied' })
    expect(await answer()).toEqual({ error: 'ApiErrorUnauthorized' })
  })
})

describe('a client without a session', () => {
  it('is refused before the body is read', async () => {
    const body = 'x'.repeat(9 * 1024 * 1024)
    const reply = await (await testServer()).browser().call('POST', 'server-group', { body })
    expect([reply.status, reply.body]).toEqual([200, { error: 'ApiErrorUnauthorized' }])
  })

  it('gets no CSRF value', async () => {
    const browser = (await testServer()).browser()
    await browser.get('profile')
    await browser.get('setting')
    expect(browser.cookies.size).toBe(0)
  })
})

describe('the CSRF value', () => {
  it('is set again by any GET when it is missing or invalid', async () => {
    const browser = await signedIn(await testServer())
    for (const broken of [undefined, 'x', `${'0'.repeat(64)}.${'0'.repeat(64)}`]) {
      if (broken === undefined) browser.cookies.delete('nz-csrf')
      else browser.cookies.set('nz-csrf', broken)
      expect((await browser.call('POST', 'refresh-token')).body).toEqual(csrfFailure)
      await browser.get('profile')
      expect((await browser.call('POST', 'refresh-token')).body).toMatchObject({ success: true })
    }
  })

  it('stays the same after a renewal, for calls that are under way', async () => {
    const browser = await signedIn(await testServer())
    const before = browser.cookies.get('nz-csrf')
    await browser.call('POST', 'refresh-token')
    expect(browser.cookies.get('nz-csrf')).toBe(before)
  })

  it.each(['POST', 'PATCH'] as const)('is required for %s, with a cookie and with a bearer token', async (method) => {
    const browser = await signedIn(await testServer())
    const path = method === 'POST' ? 'batch-delete/server-group' : 'server-group/1'
    const bearer = { authorization: `Bearer ${browser.cookies.get('nz-jwt')}` }
    browser.cookies.delete('nz-csrf')
    for (const headers of [{}, bearer, { ...bearer, 'x-csrf-token': 'x' }]) {
      const reply = await browser.call(method, path, { body: '[]', headers })
      expect([reply.status, reply.body]).toEqual([403, csrfFailure])
    }
  })
})

describe('a CSRF value of another session', () => {
  it('is refused, and replaced by the next GET', async () => {
    const server = await testServer()
    const [attacker, victim] = [await signedIn(server, 'member'), await signedIn(server, 'admin')]
    const [own, foreign] = [victim.cookies.get('nz-csrf'), attacker.cookies.get('nz-csrf') ?? '']
    victim.cookies.set('nz-csrf', foreign)
    const reply = await victim.call('POST', 'refresh-token')
    expect([reply.status, reply.body]).toEqual([403, csrfFailure])
    await victim.get('profile')
    expect(victim.cookies.get('nz-csrf')).not.toBe(foreign)
    expect(victim.cookies.get('nz-csrf')).not.toBe(own)
    expect((await victim.call('POST', 'refresh-token')).body).toMatchObject({ success: true })
  })

  it('is replaced by a sign-in as somebody else in the same browser', async () => {
    const server = await testServer()
    const browser = await signedIn(server, 'member')
    const before = browser.cookies.get('nz-csrf')
    await browser.signIn('admin', password)
    expect(browser.cookies.get('nz-csrf')).not.toBe(before)
    expect((await browser.call('POST', 'refresh-token')).body).toMatchObject({ success: true })
  })
})

it('a session that was opened while the clock was ahead is none after the clock was set back', async () => {
  const server = await testServer()
  server.clock.now += 365 * 86_400_000
  const browser = await signedIn(server)
  server.clock.now -= 365 * 86_400_000
  expect((await browser.get('profile')).body).toEqual({ error: 'ApiErrorUnauthorized' })
  expect((await browser.get('setting')).status).toBe(200)
})
