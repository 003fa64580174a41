import { beforeEach, describe, expect, it } from 'vitest'
import type { AuditLine } from '../../../../server/audit/auditLog.ts'
import { usersIn } from '../../../../server/auth/users/users.ts'
import { readSite, writeSite } from '../../../../server/site/site.ts'
import type { Effect } from '../../../../src/schemas/define/effects.ts'
import { secondFactorEndpoints } from '../../../../src/schemas/endpoints/secondFactorEndpoints.ts'
import { entities } from '../../../../src/schemas/index.ts'
import type { Browser } from '../../../support/console/browser.ts'
import { auditedServer } from '../../../support/server/auth/auditedServer.ts'
import { setUpTotp } from '../../../support/server/auth/secondFactor.ts'
import { enter } from '../../../support/server/fixtures/openSession.ts'
import { describedRoutes } from '../../../support/server/routes/describedRoutes.ts'
import { adminsServer, bodyFor, isEnd, pathFor } from '../../../support/server/routes/everyCall.ts'
import { addMachine, validForm } from '../../../support/server/routes/validForm.ts'
import { password, signedIn, type TestServer } from '../../../support/server/testServer.ts'

const minute = 60_000
const asked = { error: expect.stringMatching(/^ApiErrorReauthentication: /) }
const task = { name: 'x', task_type: 1, scheduler: '', command: 'id', servers: [], cover: 0, notification_group_id: 0 }
const setting = {
  site_name: 'x',
  language: 'en-US',
  user_template: 'user-dist',
  web_real_ip_header: 'NZ::Use-Peer-IP',
}

/** Every call that changes something: what it can lead to, or why nobody is asked before it. */
const calls: Record<string, Effect | `no: ${string}`> = {
  'POST terminal': 'command',
  'POST wheelhouse/terminals/{session}/attach': 'command',
  'POST wheelhouse/terminals/{session}/share': 'command',
  'POST wheelhouse/terminals/{session}/type': 'command',
  'POST wheelhouse/shared-terminals/{code}/join': 'command',
  'POST wheelhouse/snippets': 'command',
  'POST wheelhouse/questions/command': 'command',
  'POST file': 'command',
  'POST cron': 'command',
  'PATCH cron/{id}': 'command',
  'POST cron/{id}/manual': 'command',
  'POST server/config': 'command',
  'POST wheelhouse/configuration': 'command',
  'POST batch-move/server': 'command',
  'POST transfer/{id}/retry': 'command',
  'POST wheelhouse/servers/{id}/processes/{pid}/signal': 'command',
  'POST wheelhouse/servers/{id}/processes/{pid}/priority': 'command',
  'POST wheelhouse/servers/{id}/containers/{container}/{act}': 'command',
  'POST wheelhouse/servers/{id}/units/{name}/{act}': 'command',
  'POST wheelhouse/servers/{id}/files/upload': 'command',
  'POST wheelhouse/servers/{id}/files/upload/place': 'command',
  'POST wheelhouse/servers/{id}/files/upload/discard': 'command',
  'POST wheelhouse/servers/{id}/files/archive': 'command',
  'POST wheelhouse/servers/{id}/files/send': 'command',
  'POST wheelhouse/servers/{id}/files/folders': 'command',
  'POST wheelhouse/servers/{id}/files/pack': 'command',
  'POST wheelhouse/servers/{id}/files/unpack': 'command',
  'POST wheelhouse/servers/{id}/files/create': 'command',
  'POST wheelhouse/servers/{id}/files/move': 'command',
  'POST wheelhouse/servers/{id}/files/copy': 'command',
  'POST wheelhouse/servers/{id}/files/delete': 'command',
  'POST wheelhouse/servers/{id}/files/rights': 'command',
  'POST user': 'access',
  'POST batch-delete/user': 'access',
  'POST wheelhouse/users/delete': 'access',
  'POST wheelhouse/users/{id}/disable': 'access',
  'POST wheelhouse/users/{id}/enable': 'access',
  'POST wheelhouse/users/{id}/end-access': 'access',
  'POST wheelhouse/invitations': 'access',
  'PATCH wheelhouse/users/{id}/roles': 'access',
  'PATCH wheelhouse/roles/{id}': 'access',
  'POST wheelhouse/teams': 'access',
  'PATCH wheelhouse/teams/{id}': 'access',
  'DELETE wheelhouse/teams/{id}': 'access',
  'PATCH wheelhouse/teams/{id}/roles': 'access',
  'POST wheelhouse/sign-in-providers': 'access',
  'PATCH wheelhouse/sign-in-providers/{id}': 'access',
  'DELETE wheelhouse/sign-in-providers/{id}': 'access',
  'POST wheelhouse/sign-in-providers/test': 'access',
  'PATCH wheelhouse/only-providers': 'access',
  'POST wheelhouse/server-shares': 'access',
  'PATCH wheelhouse/server-shares/{id}': 'access',
  'PATCH setting': 'access',
  'POST profile': 'access',
  'POST oauth2/{provider}/unbind': 'access',
  'POST nat': 'opening',
  'PATCH nat/{id}': 'opening',
  'POST wheelhouse/nat/{id}/release': 'opening',
  'POST profile/agent-secret': 'secret',
  'POST wheelhouse/notification/{id}/reveal': 'secret',
  'POST wheelhouse/checks/{id}/renew': 'secret',
  'POST wheelhouse/imports/{id}/undo': 'access',
  'POST api-tokens': 'credential',
  'POST wheelhouse/profile/directory': 'credential',
  'POST wheelhouse/imports': 'credential',
  'DELETE wheelhouse/second-factor/users/{id}': 'credential',
  'POST wheelhouse/second-factor/totp/start': 'credential',
  'POST wheelhouse/second-factor/totp': 'credential',
  'DELETE wheelhouse/second-factor/totp': 'credential',
  'POST wheelhouse/second-factor/passkeys/start': 'credential',
  'POST wheelhouse/second-factor/passkeys': 'credential',
  'DELETE wheelhouse/second-factor/passkeys/{id}': 'credential',
  'POST wheelhouse/second-factor/recovery-codes': 'credential',

  'POST login': 'no: it is a proof itself',
  'DELETE wheelhouse/invitations/{id}': 'no: it only takes a right away',
  'POST wheelhouse/roles': 'no: nobody has it yet',
  'DELETE wheelhouse/roles/{id}': 'no: nobody has it any more',
  'POST wheelhouse/invitations/read': 'no: it only reads',
  'POST wheelhouse/invitations/accept': 'no: the invitation was asked for',
  'POST wheelhouse/sign-in/options': 'no: it is a proof itself',
  'POST wheelhouse/sign-in': 'no: it is a proof itself',
  'POST wheelhouse/reauthentication/options': 'no: it is a proof itself',
  'POST wheelhouse/reauthentication': 'no: it is a proof itself',
  'POST refresh-token': 'no: it adds no proof',

  // Who wants to take something away from a thief must not be held up.
  'POST wheelhouse/logout': 'no: it ends something',
  'POST wheelhouse/terminals/{session}/end': 'no: it ends something',
  'POST wheelhouse/terminals/{session}/unshare': 'no: it ends something',
  'POST wheelhouse/terminals/{session}/record': 'no: nothing runs and nobody gets in',
  'DELETE wheelhouse/recordings/{recording}': 'no: nothing runs and nobody gets in',
  'DELETE wheelhouse/snippets/{id}': 'no: nothing runs and nobody gets in',
  'POST wheelhouse/file-transfers/{transfer}/cancel': 'no: it ends something',
  'POST wheelhouse/questions': 'no: it reads',
  'POST wheelhouse/questions/{question}/end': 'no: it ends something',
  'DELETE wheelhouse/sessions': 'no: it ends something',
  'DELETE wheelhouse/sessions/{id}': 'no: it ends something',
  'DELETE api-tokens/{id}': 'no: it ends something',
  'POST batch-delete/wheelhouse/server-shares': 'no: it ends something',
  'POST batch-delete/nat': 'no: it ends something',
  'POST batch-delete/cron': 'no: it ends something',
  'POST online-user/batch-block': 'no: it ends something',
  'POST transfer/{id}/cancel': 'no: the machine goes back to its owner',

  'POST wheelhouse/import-files': 'no: nothing is made of the file yet',
  'POST wheelhouse/import-files/{file}/parts': 'no: nothing is made of the file yet',
  'POST wheelhouse/import-files/{file}/plan': 'no: nothing is made of the file yet',
  'DELETE wheelhouse/import-files/{file}': 'no: nothing was made of the file',

  'POST wheelhouse/servers/{id}/files/measure': 'no: it counts files',
  'POST batch-delete/waf': 'no: who is let in again still has to sign in',
  'POST wheelhouse/agents/admit': 'no: the agent has its secret already',
  'POST force-update/server': 'no: agents install what their makers released',
  'POST batch-delete/server': 'no: nothing runs and nobody gets in',

  // Asked when the form names tasks, and when a group gets servers that is shared or that somebody has a role for.
  'POST alert-rule': 'no: unless it names tasks',
  'PATCH alert-rule/{id}': 'no: unless it names tasks',
  'POST service': 'no: unless it names tasks',
  'PATCH service/{id}': 'no: unless it names tasks',
  'POST server-group': 'no: nothing shares it yet',
  'PATCH server-group/{id}': 'no: unless it is shared or somebody has a role for it, and it gets servers',

  ...Object.fromEntries(
    [
      'PATCH server/{id}',
      'POST wheelhouse/alert-rule/backtest',
      'POST wheelhouse/notification/preview',
      'POST wheelhouse/checks/try',
      'POST wheelhouse/ddns/{id}/update',
      'POST wheelhouse/deliveries/{id}/send-again',
      ...['acknowledge', 'unacknowledge', 'note', 'resolve'].map((verb) => `POST wheelhouse/incidents/{id}/${verb}`),
      'POST wheelhouse/notification/{id}/dismiss',
      'POST wheelhouse/notification/{id}/test',
      'POST wheelhouse/rotas/{id}/feed',
      'POST wheelhouse/profile/notifiers',
      'POST wheelhouse/push',
      'DELETE wheelhouse/push/{id}',
      'PATCH wheelhouse/contract-setting',
      'POST wheelhouse/traffic/{id}/correct',
      ...['alert-rule', 'service', 'server-group'].map((path) => `POST batch-delete/${path}`),
      ...[
        'notification',
        'notification-group',
        'ddns',
        'wheelhouse/mutes',
        'wheelhouse/maintenance-windows',
        'wheelhouse/rotas',
        'wheelhouse/escalations',
      ].flatMap((path) => [`POST ${path}`, `PATCH ${path}/{id}`, `POST batch-delete/${path}`]),
    ].map((name) => [name, 'no: watching and telling'] as const),
  ),
}

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

describe('every call that changes something', () => {
  it('has a row in the table', async () => {
    const names = (await describedRoutes(server)).filter(({ method }) => method !== 'GET').map(({ name }) => name)
    expect(Object.keys(calls).toSorted()).toEqual(names.toSorted())
  })

  it.each([
    ['what its row says', 15, (answer: string) => !answer.startsWith('no')],
    ['where the settings say never, a way to sign in', 0, (answer: string) => answer === 'credential'],
  ])(
    'asks again a quarter of an hour after the sign-in before %s, and no call that only reads',
    async (_, minutes, isAsked) => {
      const server = await adminsServer()
      writeSite(server.store, { ...readSite(server.store), reauthentication_minutes: minutes })
      server.app.auth.secondFactor.apps.save(1, 'SECRET', 0)
      const wrong: unknown[] = []
      const routes = await describedRoutes(server)
      for (const route of routes.toSorted((one, other) => Number(isEnd(one)) - Number(isEnd(other)))) {
        const browser = await enter(server, 1)
        server.clock.now += 16 * minute
        const { text } = await browser.call(route.method, pathFor(route), { body: bodyFor(route) })
        const expected = route.method !== 'GET' && isAsked(calls[route.name] ?? '')
        if (text.includes('ApiErrorReauthentication') !== expected) wrong.push([route.name, text])
      }
      expect(wrong).toEqual([])
    },
  )

  it.each(['alert-rule', 'service'] as const)('asks again before a %s is saved that names tasks', async (name) => {
    const server = await adminsServer()
    const { api } = entities[name]
    const browser = await enter(server, 1)
    const named = { ...validForm(name), fail_trigger_tasks: [1] }
    await browser.call('PATCH', `${api.path}/1`, { body: named })
    server.app.auth.secondFactor.apps.save(1, 'SECRET', 0)
    server.clock.now += 16 * minute
    const body = { ...validForm(name), recover_trigger_tasks: [1] }
    expect((await browser.call('POST', api.path, { body })).body).toEqual(asked)
    // What triggers the task is changed, not which.
    expect((await browser.call('PATCH', `${api.path}/1`, { body: { ...named, name: 'other' } })).body).toEqual(asked)
    expect((await browser.call('PATCH', `${api.path}/1`, { body: validForm(name) })).body).toMatchObject({
      success: true,
    })
  })

  it.each([
    ['that is shared', 'POST', 'wheelhouse/server-shares', { name: 'x', users: [2], servers: [], server_groups: [1] }],
    [
      'that somebody has a role for',
      'PATCH',
      'wheelhouse/users/2/roles',
      { roles: [{ role: 'operator', scope: { groups: [1], servers: [] } }] },
    ],
  ])('asks again before a group %s gets a server, and not before it loses one', async (_, method, path, body) => {
    const server = await adminsServer()
    const machine = addMachine(server, 1)
    const browser = await enter(server, 1)
    expect((await browser.call(method, path, { body })).body).toMatchObject({ success: true })
    server.app.auth.secondFactor.apps.save(1, 'SECRET', 0)
    server.clock.now += 16 * minute
    const change = (servers: number[]) => browser.call('PATCH', 'server-group/1', { body: { name: 'x', servers } })
    expect((await change([1, machine])).body).toEqual(asked)
    expect((await change([])).body).toMatchObject({ success: true })
  })
})

describe('somebody with a second factor', () => {
  let app: Awaited<ReturnType<typeof setUpTotp>>
  beforeEach(async () => {
    app = await setUpTotp(server, admin)
  })

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
