import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { AuditLine } from '../../../../server/audit/auditLog.ts'
import { createAuth } from '../../../../server/auth/auth.ts'
import { keyInFile } from '../../../../server/auth/secondFactor/secretBox.ts'
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
import { temporaryFolder } from '../../../support/server/temporaryFolder.ts'
import { password, signedIn, type TestServer, testServer } from '../../../support/server/testServer.ts'

const good = { success: true, data: { token: expect.any(String), expire: expect.any(String) } }
let server: TestServer
let lines: AuditLine[]
let admin: Browser

beforeEach(async () => {
  ;({ server, lines, admin } = await auditedServer())
})

describe('setting up an authenticator app', () => {
  it('shows a secret and its address, and ten recovery codes once the app has given a code', async () => {
    const { body } = await admin.call('POST', 'wheelhouse/second-factor/totp/start')
    const { data } = body as { data: { secret: string; uri: string; state: string } }
    expect(data.secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(data.uri).toMatch(/^otpauth:\/\/totp\/Wheelhouse:admin\?.*secret=[A-Z2-7]{32}/)
    const code = codeOf(data.secret, server.clock.now)
    const added = await admin.call('POST', 'wheelhouse/second-factor/totp', { body: { state: data.state, code } })
    const { recovery_codes } = (added.body as { data: { recovery_codes: string[] } }).data
    expect(new Set(recovery_codes).size).toBe(10)
    for (const one of recovery_codes) expect(one).toMatch(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/)
    expect((await admin.get('wheelhouse/second-factor')).body).toMatchObject({
      data: { totp: { created_at: '2026-11-21T00:00:00Z' }, recovery_codes: 10, required: false },
    })
  })

  it('changes nothing before the app has given a right code', async () => {
    const { body } = await admin.call('POST', 'wheelhouse/second-factor/totp/start')
    const { state } = (body as { data: { state: string } }).data
    for (const code of ['000000', '', 'abcdef', '12345', '1234567']) {
      const reply = await admin.call('POST', 'wheelhouse/second-factor/totp', { body: { state, code } })
      expect(reply.body).toEqual(wrongCode)
    }
    expect((await server.browser().signIn('admin', password)).body).toMatchObject({ success: true })
  })

  it('goes on in each of two tabs with the secret that it shows', async () => {
    const tabs = await Promise.all([1, 2].map(() => admin.call('POST', 'wheelhouse/second-factor/totp/start')))
    for (const tab of tabs) {
      const { secret, state } = (tab.body as { data: { secret: string; state: string } }).data
      const body = { state, code: codeOf(secret, server.clock.now) }
      expect((await admin.call('POST', 'wheelhouse/second-factor/totp', { body })).body).toMatchObject({
        success: true,
      })
      // Once: the secret that was shown before must not come back later.
      const again = await admin.call('POST', 'wheelhouse/second-factor/totp', { body })
      expect(again.body).toEqual({ error: 'this took too long: start again' })
    }
  })

  it('takes a set-up once when several calls bring it at the same time, and not again after a restart', async () => {
    const { body } = await admin.call('POST', 'wheelhouse/second-factor/totp/start')
    const { secret, state } = (body as { data: { secret: string; state: string } }).data
    const form = { state, code: codeOf(secret, server.clock.now) }
    const add = (browser: Browser) => browser.call('POST', 'wheelhouse/second-factor/totp', { body: form })
    const replies = await Promise.all(Array.from({ length: 5 }, () => add(admin)))
    const late = { error: 'this took too long: start again' }
    expect(replies.map((reply) => JSON.stringify(reply.body)).filter((text) => text !== JSON.stringify(late))).toEqual([
      expect.stringContaining('recovery_codes'),
    ])
    const restarted = await testServer({ store: server.store })
    restarted.clock.now = server.clock.now
    const browser = restarted.browser()
    for (const [name, value] of admin.cookies) browser.cookies.set(name, value)
    expect((await add(browser)).body).toEqual(late)
  })

  it('takes no set-up of somebody else, and none that is older than a quarter of an hour', async () => {
    const { body } = await admin.call('POST', 'wheelhouse/second-factor/totp/start')
    const { secret, state } = (body as { data: { secret: string; state: string } }).data
    const member = await signedIn(server, 'member')
    const add = (browser: Browser) =>
      browser.call('POST', 'wheelhouse/second-factor/totp', { body: { state, code: codeOf(secret, server.clock.now) } })
    expect((await add(member)).body).toEqual({ error: 'this took too long: start again' })
    server.clock.now += 900_000
    expect((await add(admin)).body).toEqual({ error: 'this took too long: start again' })
  })

  it('ends the sessions that were opened without it in other browsers, and keeps this one', async () => {
    const elsewhere = await signedIn(server)
    await setUpTotp(server, admin)
    expect((await elsewhere.get('profile')).body).toEqual({ error: 'ApiErrorUnauthorized' })
    expect((await admin.get('profile')).body).toMatchObject({ success: true })
  })

  it('keeps neither the secret nor the codes readable in the database, and makes a private key file', async () => {
    const folder = temporaryFolder()
    mkdirSync(folder, { recursive: true })
    const keyFile = join(folder, 'second-factor.key')
    const auth = createAuth({ store: server.store, now: () => server.clock.now, secondFactorKey: keyInFile(keyFile) })
    const { secret } = auth.secondFactor.apps.newSecret('Wheelhouse', 'member')
    auth.secondFactor.apps.save(2, secret, 0)
    const codes = auth.secondFactor.recoveryCodes.renew(2)
    const copy = join(folder, 'copy.db')
    server.store.backup(copy)
    const stored = readFileSync(copy, 'latin1')
    for (const text of [secret, ...codes, readFileSync(keyFile, 'utf8').trim()]) expect(stored).not.toContain(text)
    expect(statSync(keyFile).mode & 0o777).toBe(0o600)
    expect(auth.secondFactor.apps.use(2, codeOf(secret, server.clock.now))).toBe('right')
    rmSync(keyFile)
    const restored = createAuth({
      store: server.store,
      now: () => server.clock.now,
      secondFactorKey: keyInFile(keyFile),
    })
    expect(restored.secondFactor.has(2)).toBe(true)
    expect(restored.secondFactor.apps.use(2, codeOf(secret, server.clock.now + codeStep))).toBe('unreadable')
    expect(restored.secondFactor.recoveryCodes.use(2, codes[0] as string)).toBe(true)
  })
})

describe('taking a second factor away', () => {
  it('gives the account back to the password alone, recovery codes included', async () => {
    const { recoveryCodes } = await setUpTotp(server, admin)
    expect((await admin.call('DELETE', 'wheelhouse/second-factor/totp')).body).toEqual({ success: true })
    expect((await admin.get('wheelhouse/second-factor')).body).toEqual({
      success: true,
      data: { passkeys: [], recovery_codes: 0, required: false },
    })
    expect(recoveryCodes).toHaveLength(10)
    expect((await server.browser().signIn('admin', password)).body).toMatchObject({ success: true })
    expect(lines.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['second-factor.add', 'second-factor.remove']),
    )
  })

  it('is done by an administrator for somebody who lost it: their sessions end, and it is on record', async () => {
    const member = await signedIn(server, 'member')
    await setUpTotp(server, member)
    expect((await admin.get('user')).body).toMatchObject({ data: [{ id: 1 }, { id: 2, second_factor: true }] })
    expect((await member.call('DELETE', 'wheelhouse/second-factor/users/1')).body).toEqual({
      error: 'permission denied',
    })
    expect((await admin.call('DELETE', 'wheelhouse/second-factor/users/9')).body).toEqual({
      error: 'user id 9 does not exist',
    })
    expect((await admin.call('DELETE', 'wheelhouse/second-factor/users/2')).body).toEqual({ success: true })
    expect(lines.at(-1)).toMatchObject({ action: 'user.reset-second-factor', username: 'admin', target: 'user 2' })
    expect((await member.get('profile')).body).toEqual({ error: 'ApiErrorUnauthorized' })
    expect((await server.browser().signIn('member', password)).body).toMatchObject({ success: true })
  })

  it('leaves nothing behind of a deleted user', async () => {
    const member = await signedIn(server, 'member')
    await setUpTotp(server, member)
    await admin.call('POST', 'batch-delete/user', { body: [2] })
    const { secondFactor } = createAuth({ store: server.store, now: () => server.clock.now })
    expect([secondFactor.has(2), secondFactor.recoveryCodes.count(2)]).toEqual([false, 0])
  })

  it('makes earlier recovery codes worthless when new ones are made', async () => {
    const { recoveryCodes } = await setUpTotp(server, admin)
    const renewed = await admin.call('POST', 'wheelhouse/second-factor/recovery-codes')
    const codes = (renewed.body as { data: { recovery_codes: string[] } }).data.recovery_codes
    const complete = async (code: string | undefined) => {
      const state = await beginSignIn(server.browser(), 'admin', password)
      return (await completeSignIn(server.browser(), { state, method: 'recovery', code })).body
    }
    expect(await complete(recoveryCodes[3])).toEqual(wrongCode)
    passBlock(server)
    expect(await complete(codes[3])).toEqual(good)
    const member = await signedIn(server, 'member')
    expect((await member.call('POST', 'wheelhouse/second-factor/recovery-codes')).body).toEqual({
      error: 'set up an authenticator app or a passkey first',
    })
  })
})

describe('a second factor that is required of everybody', () => {
  /** What another console sends: it does not know our settings. */
  const others = {
    site_name: 'x',
    language: 'en-US',
    user_template: 'user-dist',
    web_real_ip_header: 'NZ::Use-Peer-IP',
  }
  const require = (browser = admin) =>
    browser.call('PATCH', 'setting', { body: { ...others, require_second_factor: true } })
  const missing = { error: expect.stringMatching(/^ApiErrorSecondFactorSetup: /) }

  it('can be required only by who has one', async () => {
    expect((await require()).body).toEqual({ error: expect.stringContaining('set up a second factor of your own') })
    await setUpTotp(server, admin)
    expect((await require()).body).toEqual({ success: true })
  })

  it('leaves others nothing to do but to set one up', async () => {
    await setUpTotp(server, admin)
    await require()
    const member = await signedIn(server, 'member')
    for (const path of ['server', 'service', 'wheelhouse/sessions', 'cron']) {
      expect((await member.get(path)).body).toEqual(missing)
    }
    expect((await member.call('POST', 'server-group', { body: { name: 'x' } })).body).toEqual(missing)
    expect((await member.get('profile')).body).toMatchObject({ success: true })
    expect((await member.get('setting')).body).toMatchObject({ data: { wheelhouse: { second_factor: true } } })
    expect((await member.get('wheelhouse/second-factor')).body).toMatchObject({ data: { required: true } })
    await setUpTotp(server, member)
    expect((await member.get('server')).body).toMatchObject({ success: true })
    expect((await member.call('DELETE', 'wheelhouse/second-factor/totp')).body).toEqual({
      error: expect.stringContaining('set up another one before you remove the last'),
    })
    expect((await server.browser().get('service')).body).toMatchObject({ success: true })
  })

  it('stays required when another console saves the settings without it', async () => {
    await setUpTotp(server, admin)
    await require()
    expect((await admin.call('PATCH', 'setting', { body: others })).body).toEqual({ success: true })
    expect((await admin.get('setting')).body).toMatchObject({ data: { config: { require_second_factor: true } } })
  })
})
