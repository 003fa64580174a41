import { beforeEach, describe, expect, it } from 'vitest'
import type { AuditLine } from '../../../../server/audit/auditLog.ts'
import { usersIn } from '../../../../server/auth/users/users.ts'
import { secondFactorEndpoints } from '../../../../src/schemas/endpoints/secondFactorEndpoints.ts'
import type { Browser } from '../../../support/console/browser.ts'
import { auditedServer } from '../../../support/server/auth/auditedServer.ts'
import { setUpTotp } from '../../../support/server/auth/secondFactor.ts'
import { password, signedIn, type TestServer } from '../../../support/server/testServer.ts'

const minute = 60_000
const asked = { error: expect.stringMatching(/^ApiErrorReauthentication: /) }
const task = { name: 'x', task_type: 1, scheduler: '', command: 'id', servers: [], cover: 0, notification_group_id: 0 }
const setting = {
  ...{ site_name: 'x', language: 'en-US', user_template: 'user-dist', web_real_ip_header: 'NZ::Use-Peer-IP' },
}

/** Every call before which people are asked again. */
const guarded: [method: string, path: string, body?: unknown][] = [
  ['POST', 'terminal', { server_id: 1 }],
  ['POST', 'file?id=1'],
  ['POST', 'cron', task],
  ['PATCH', 'cron/1', task],
  ['POST', 'cron/1/manual'],
  ['POST', 'server/config', { servers: [1], config: '{}' }],
  ['PATCH', 'setting', setting],
  ['POST', 'user', { username: 'eve', password: 'a long password', role: 1 }],
  ['POST', 'batch-delete/user', [2]],
  ['POST', 'profile', { original_password: password, new_username: 'admin', new_password: 'another battery' }],
  ['DELETE', 'wheelhouse/second-factor/users/2'],
  ['POST', 'wheelhouse/second-factor/totp/start'],
  ['DELETE', 'wheelhouse/second-factor/totp'],
  ['POST', 'wheelhouse/second-factor/passkeys/start'],
  ['POST', 'wheelhouse/second-factor/recovery-codes'],
]

let server: TestServer
let admin: Browser
let lines: AuditLine[]
beforeEach(async () => {
  ;({ server, lines, admin } = await auditedServer())
})

const prove = (browser: Browser, body: object) => browser.call('POST', 'wheelhouse/reauthentication', { body })

/** Waits while the session is renewed, as an open console does. */
async function wait(minutes: number, ...browsers: Browser[]) {
  for (let left = minutes; left > 0; left -= 30) {
    server.clock.now += Math.min(left, 30) * minute
    for (const browser of browsers) await browser.call('POST', 'refresh-token')
  }
}

describe('somebody with a second factor', () => {
  let app: Awaited<ReturnType<typeof setUpTotp>>
  beforeEach(async () => {
    app = await setUpTotp(server, admin)
  })

  it.each(guarded)(
    'is asked again before %s %s, a quarter of an hour after the sign-in',
    async (method, path, body) => {
      await wait(16, admin)
      expect((await admin.call(method, path, { body })).body).toEqual(asked)
    },
  )

  it('is not asked before, nor for anything else', async () => {
    await wait(14, admin)
    expect((await admin.call('POST', 'cron', { body: task })).body).toMatchObject({ success: true })
    await wait(60, admin)
    expect((await admin.call('POST', 'server-group', { body: { name: 'x' } })).body).toMatchObject({ success: true })
    expect((await admin.get('cron')).body).toMatchObject({ success: true })
  })

  it('goes on for another quarter of an hour after a code; a renewed session proves nothing', async () => {
    await wait(60, admin)
    expect((await admin.call('POST', 'cron', { body: task })).body).toEqual(asked)
    expect((await admin.call('POST', 'wheelhouse/reauthentication/options')).body).toEqual({
      success: true,
      data: { methods: ['totp', 'recovery'] },
    })
    expect((await prove(admin, { method: 'totp', code: app.code() })).body).toEqual({ success: true })
    expect((await admin.call('POST', 'cron', { body: task })).body).toMatchObject({ success: true })
    await wait(14, admin)
    expect((await admin.call('POST', 'cron', { body: task })).body).toMatchObject({ success: true })
    await wait(2, admin)
    expect((await admin.call('POST', 'cron', { body: task })).body).toEqual(asked)
  })

  it('proves it with a code only: the password, which somebody else may know, is not enough', async () => {
    await wait(16, admin)
    expect((await prove(admin, { method: 'password', password })).body).toMatchObject({
      error: 'this account has no password to prove who you are',
    })
    expect((await admin.call('POST', 'cron', { body: task })).body).toEqual(asked)
  })

  it('is blocked after a wrong code as after a wrong password, and that is on record', async () => {
    await wait(16, admin)
    expect((await prove(admin, { method: 'totp', code: '000000' })).body).toEqual({ error: 'the code is not right' })
    const blocked = await prove(admin, { method: 'totp', code: app.code() })
    expect([blocked.status, blocked.headers['retry-after']]).toEqual([403, '3'])
    expect((await admin.get('profile')).body).toMatchObject({ success: true })
    expect(lines.at(-1)).toMatchObject({ action: 'session.sign-in-failed', target: 'user 1', detail: { by: 'totp' } })
  })

  it('proves it for one session, not for others of the account', async () => {
    const { browser } = await elsewhere()
    await wait(16, admin, browser)
    await prove(admin, { method: 'totp', code: app.code() })
    expect((await browser.call('POST', 'cron', { body: task })).body).toEqual(asked)
  })

  it.each([5, 60])('is asked after %i minutes where the settings say so', async (minutes) => {
    await save({ reauthentication_minutes: minutes })
    await wait(minutes - 1, admin)
    expect((await admin.call('POST', 'cron', { body: task })).body).toMatchObject({ success: true })
    await wait(2, admin)
    expect((await admin.call('POST', 'cron', { body: task })).body).toEqual(asked)
  })

  it('is never asked where the settings say so, but for the second factor itself', async () => {
    await save({ reauthentication_minutes: 0 })
    expect((await admin.get('setting')).body).toMatchObject({ data: { config: { reauthentication_minutes: 0 } } })
    await wait(60, admin)
    expect((await admin.call('POST', 'cron', { body: task })).body).toMatchObject({ success: true })
    expect((await admin.call('DELETE', 'wheelhouse/second-factor/totp')).body).toEqual(asked)
  })

  it('is asked again after a clock that jumped back', async () => {
    server.clock.now -= 10 * minute
    expect((await admin.call('POST', 'cron', { body: task })).body).toEqual(asked)
  })

  async function elsewhere() {
    const browser = server.browser()
    const { data } = (await browser.signIn('admin', password)).body as { data: { state: string } }
    await browser.call('POST', 'wheelhouse/sign-in', { body: { state: data.state, method: 'totp', code: app.code() } })
    server.clock.now += 30_000
    return { browser }
  }
})

describe('somebody without a second factor', () => {
  it('is not asked, unless an administrator says so; then for the password', async () => {
    await wait(60, admin)
    expect((await admin.call('POST', 'cron', { body: task })).body).toMatchObject({ success: true })
    await save({ reauthentication_everybody: true })
    const member = await signedIn(server, 'member')
    await wait(16, admin, member)
    expect((await member.call('POST', 'cron', { body: task })).body).toEqual(asked)
    expect((await member.call('POST', 'wheelhouse/reauthentication/options')).body).toEqual({
      success: true,
      data: { methods: ['password'] },
    })
    expect((await prove(member, { method: 'password', password })).body).toEqual({ success: true })
    expect((await member.call('POST', 'cron', { body: task })).body).toMatchObject({ success: true })
  })

  it('is asked for the password before a second factor is added: an open session alone must not add one', async () => {
    await wait(16, admin)
    expect((await admin.call('POST', 'wheelhouse/second-factor/totp/start')).body).toEqual(asked)
    expect((await prove(admin, { method: 'password', password: 'wrong' })).body).toEqual({
      error: 'incorrect password',
    })
    server.clock.now += 2 * minute
    expect((await prove(admin, { method: 'password', password })).body).toEqual({ success: true })
    expect((await admin.call('POST', 'wheelhouse/second-factor/totp/start')).body).toMatchObject({ success: true })
  })

  it('who signs in by OAuth2 only has nothing to be asked for, and signs in again', async () => {
    usersIn(server.store).update(1, { reject_password: true })
    expect((await admin.call('POST', 'wheelhouse/reauthentication/options')).body).toEqual({
      success: true,
      data: { methods: [] },
    })
    expect((await prove(admin, { method: 'password', password })).body).toMatchObject({ error: expect.any(String) })
  })

  it('is asked in the settings only for minutes that there are', async () => {
    expect((await save({ reauthentication_minutes: 7 })).body).toEqual({
      error: 'reauthentication_minutes must be one of 0, 5, 15, 60',
    })
  })
})

it('every call about second factors is in openapi.json, and closed without a session', async () => {
  const document = (await server.browser().get('openapi.json')).body as {
    paths: Record<string, Record<string, object>>
  }
  for (const { method, path, access } of Object.values(secondFactorEndpoints)) {
    const described = document.paths[`/api/v1/${path.replace(':id', '{id}')}`]?.[method.toLowerCase()]
    expect(described, path).toBeDefined()
    if (access === 'anyone') continue
    const reply = await server.browser().call(method, path.replace(':id', '1'))
    expect(reply.body, path).toEqual({ error: 'ApiErrorUnauthorized' })
  }
})

const save = (changes: object) => admin.call('PATCH', 'setting', { body: { ...setting, ...changes } })
