import { beforeEach, describe, expect, it } from 'vitest'
import type { AuditLine } from '../../../../server/audit/auditLog.ts'
import { usersIn } from '../../../../server/auth/users/users.ts'
import type { Browser } from '../../../support/console/browser.ts'
import { auditedServer } from '../../../support/server/auth/auditedServer.ts'
import {
  beginSignIn,
  codeOf,
  codeStep,
  completeSignIn,
  passBlock,
  setUpTotp,
  wrongCode,
} from '../../../support/server/auth/secondFactor.ts'
import { password, signedIn, type TestServer, testServer } from '../../../support/server/testServer.ts'

const used = { error: 'this code has been used already: wait for the next one' }
const good = { success: true, data: { token: expect.any(String), expire: expect.any(String) } }
let server: TestServer
let lines: AuditLine[]
let admin: Browser

beforeEach(async () => {
  ;({ server, lines, admin } = await auditedServer())
})

describe('signing in with an authenticator app', () => {
  let app: Awaited<ReturnType<typeof setUpTotp>>
  beforeEach(async () => {
    app = await setUpTotp(server, admin)
  })

  it('opens no session for the password alone, and sends older consoles a sentence with the reason', async () => {
    const browser = server.browser()
    const reply = await browser.signIn('admin', password)
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({
      error: expect.stringMatching(/^ApiErrorSecondFactorNeeded: this account has a second factor.*/),
      data: { state: expect.any(String) },
    })
    expect(browser.cookies.size).toBe(0)
    expect((await browser.get('profile')).body).toEqual({ error: 'ApiErrorUnauthorized' })
  })

  it('opens the session with a code, records how, and lists which methods there are', async () => {
    const browser = server.browser()
    const state = await beginSignIn(browser, 'admin', password)
    const options = await browser.call('POST', 'wheelhouse/sign-in/options', { body: { state } })
    expect(options.body).toEqual({ success: true, data: { methods: ['totp', 'recovery'] } })
    expect((await completeSignIn(browser, { state, method: 'totp', code: app.code() })).body).toEqual(good)
    expect((await browser.get('profile')).body).toMatchObject({ data: { username: 'admin' } })
    expect(lines.at(-1)).toMatchObject({ action: 'session.sign-in', detail: { by: 'password', second_factor: 'totp' } })
  })

  it('takes codes of one step before and after, and no others', async () => {
    const drifted = async (steps: number) => {
      server.clock.now += 10 * codeStep
      const state = await beginSignIn(server.browser(), 'admin', password)
      const code = codeOf(app.secret, server.clock.now + steps * codeStep)
      const reply = await completeSignIn(server.browser(), { state, method: 'totp', code })
      return (reply.body as { success?: true }).success === true
    }
    expect([await drifted(-1), await drifted(0), await drifted(1)]).toEqual([true, true, true])
    expect([await drifted(-2), await drifted(2)]).toEqual([false, false])
  })

  it('takes codes again once a clock that was a day ahead is right, and none of them twice', async () => {
    const dayMs = 86_400_000
    const first = server.clock.now
    const signInWith = async (code: string, on = server) => {
      const browser = on.browser()
      const state = await beginSignIn(browser, 'admin', password)
      return (await completeSignIn(browser, { state, method: 'totp', code })).body
    }
    const before = app.code()
    expect(await signInWith(before)).toEqual(good)
    server.clock.now = first + dayMs
    const ahead = app.code()
    expect(await signInWith(ahead)).toEqual(good)
    server.clock.now = first
    expect(await signInWith(before)).toEqual(used)
    server.clock.now = first + codeStep
    expect(await signInWith(app.code())).toEqual(good)
    const after = await testServer({ store: server.store })
    after.clock.now = first + codeStep
    expect(await signInWith(codeOf(app.secret, first), after)).toEqual(used)
    expect(await signInWith(codeOf(app.secret, first + codeStep), after)).toEqual(used)
    after.clock.now = first + dayMs
    expect(await signInWith(ahead, after)).toEqual(used)
    after.clock.now += codeStep
    expect(await signInWith(codeOf(app.secret, after.clock.now), after)).toEqual(good)
  })

  it('takes a code once, also after a restart, and no earlier one after it', async () => {
    const code = app.code()
    const signInWith = async (given: string, on = server) => {
      const browser = on.browser()
      return (
        await completeSignIn(browser, {
          state: await beginSignIn(browser, 'admin', password),
          method: 'totp',
          code: given,
        })
      ).body
    }
    expect(await signInWith(code)).toEqual(good)
    expect(await signInWith(code)).toEqual(used)
    expect(await signInWith(codeOf(app.secret, server.clock.now - codeStep))).toEqual(used)
    const restarted = await testServer({ store: server.store })
    restarted.clock.now = server.clock.now
    expect(await signInWith(code, restarted)).toEqual(used)
  })

  it('counts wrong codes as wrong passwords: the address is blocked, and a right password does not clear them', async () => {
    for (let attempt = 0; attempt < 3; attempt++) {
      const browser = server.browser('203.0.113.9')
      const state = await beginSignIn(browser, 'admin', password)
      expect((await completeSignIn(browser, { state, method: 'totp', code: '000000' })).body).toEqual(wrongCode)
      expect((await browser.signIn('admin', password)).status).toBe(403)
      passBlock(server)
    }
    const rows = (await admin.get('waf')).body as { data: { value: { ip: string; count: number }[] } }
    expect(rows.data.value).toMatchObject([{ ip: '203.0.113.9', count: 3 }])
    expect(
      lines.filter(({ action, detail }) => action === 'session.sign-in-failed' && detail?.by === 'totp'),
    ).toHaveLength(3)
    const browser = server.browser('203.0.113.9')
    const state = await beginSignIn(browser, 'admin', password)
    expect((await completeSignIn(browser, { state, method: 'totp', code: app.code() })).body).toEqual(good)
    expect(((await admin.get('waf')).body as { data: { value?: unknown[] } }).data.value ?? []).toEqual([])
  })

  it('takes no more codes after twenty wrong ones from many addresses, but still a recovery code', async () => {
    for (let address = 1; address <= 20; address++) {
      const browser = server.browser(`203.0.113.${address}`)
      const state = await beginSignIn(browser, 'admin', password)
      expect((await completeSignIn(browser, { state, method: 'totp', code: '000000' })).body).toEqual(wrongCode)
    }
    const browser = server.browser('198.51.100.1')
    const state = await beginSignIn(browser, 'admin', password)
    expect((await completeSignIn(browser, { state, method: 'totp', code: app.code() })).body).toEqual({
      error: expect.stringContaining('too many wrong codes for this account'),
    })
    const code = app.recoveryCodes[0]
    expect((await completeSignIn(browser, { state, method: 'recovery', code })).body).toEqual(good)
    expect((await server.browser('198.51.100.2').signIn('member', password)).body).toMatchObject({ success: true })
  })

  it('does not refuse codes for longer than an hour because the clock was set back', async () => {
    const tryCode = async (address: string) => {
      const browser = server.browser(address)
      const state = await beginSignIn(browser, 'admin', password)
      return (await completeSignIn(browser, { state, method: 'totp', code: '000000' })).body
    }
    for (let address = 1; address <= 20; address++) await tryCode(`203.0.113.${address}`)
    expect(await tryCode('198.51.100.1')).not.toEqual(wrongCode)
    server.clock.now -= 2 * 3_600_000
    expect(await tryCode('198.51.100.2')).toEqual(wrongCode)
  })

  it('takes each recovery code once, in capitals and without dashes too', async () => {
    const [code = ''] = app.recoveryCodes
    const signInWith = async (given: string) => {
      passBlock(server)
      const state = await beginSignIn(server.browser(), 'admin', password)
      return (await completeSignIn(server.browser(), { state, method: 'recovery', code: given })).body
    }
    expect(await signInWith(code.replaceAll('-', '').toUpperCase())).toEqual(good)
    expect(await signInWith(code)).toEqual(wrongCode)
    expect(await signInWith('')).toEqual(wrongCode)
    expect((await (await completed()).get('wheelhouse/second-factor')).body).toMatchObject({
      data: { recovery_codes: 9 },
    })
  })

  it('completes a sign-in once, from its own address, within five minutes, and not after a new password', async () => {
    const expired = { error: 'this took too long: start again' }
    const begin = () => beginSignIn(server.browser(), 'admin', password)
    const complete = (state: string, address?: string) =>
      completeSignIn(server.browser(address), { state, method: 'totp', code: app.code() })
    const first = await begin()
    expect((await complete(first, '203.0.113.7')).body).toEqual(expired)
    expect((await complete(first)).body).toEqual(good)
    server.clock.now += codeStep
    expect((await complete(first)).body).toEqual(expired)
    const late = await begin()
    server.clock.now += 300_000
    expect((await complete(late)).body).toEqual(expired)
    const stale = await begin()
    usersIn(server.store).update(1, { updated_at: '2026-11-21T09:00:00Z' })
    expect((await complete(stale)).body).toEqual(expired)
    expect((await complete('garbage')).body).toEqual(expired)
    expect((await complete('')).body).toEqual(expired)
  })

  it.each([
    ['the same network', '203.0.113.200', true],
    ['a network of the other family', '2001:db8::1', true],
    ['another network', '203.0.114.1', false],
  ])('completes a sign-in that was begun elsewhere from %s, %s: %s', async (_, address, isAccepted) => {
    const state = await beginSignIn(server.browser('203.0.113.1'), 'admin', password)
    const options = await server.browser(address).call('POST', 'wheelhouse/sign-in/options', { body: { state } })
    expect(options.body).toMatchObject(isAccepted ? { success: true } : { error: 'this took too long: start again' })
    const reply = await completeSignIn(server.browser(address), { state, method: 'totp', code: app.code() })
    expect(reply.body).toEqual(isAccepted ? good : { error: 'this took too long: start again' })
  })

  it('takes the codes of this user only, and only methods that the user has', async () => {
    const member = await signedIn(server, 'member')
    const other = await setUpTotp(server, member)
    const state = await beginSignIn(server.browser(), 'admin', password)
    const complete = (body: object) => completeSignIn(server.browser(), { state, ...body })
    expect((await complete({ method: 'recovery', code: other.recoveryCodes[0] })).body).toEqual(wrongCode)
    passBlock(server)
    expect((await complete({ method: 'password', password })).body).toEqual({
      error: 'this account has no password to prove who you are',
    })
    expect((await complete({ method: 'sms', code: '1' })).body).toEqual({ error: expect.stringContaining('method') })
    expect((await complete({ method: 'totp', code: 'x'.repeat(65) })).body).toEqual({
      error: expect.stringContaining('code'),
    })
  })

  it('works on after a wrong code, once the pause is over', async () => {
    const browser = server.browser()
    const state = await beginSignIn(browser, 'admin', password)
    expect((await completeSignIn(browser, { state, method: 'totp', code: '111111' })).body).toEqual(wrongCode)
    server.clock.now += 3000
    expect((await completeSignIn(browser, { state, method: 'totp', code: app.code() })).body).toEqual(good)
  })

  async function completed(): Promise<Browser> {
    const browser = server.browser()
    passBlock(server)
    const state = await beginSignIn(browser, 'admin', password)
    await completeSignIn(browser, { state, method: 'totp', code: app.code() })
    return browser
  }
})
