import { beforeEach, describe, expect, it } from 'vitest'
import { type AuditLine, openAuditLog } from '../../../server/audit/auditLog.ts'
import { usersIn } from '../../../server/auth/users/users.ts'
import type { Browser } from '../../support/console/browser.ts'
import { password, signedIn, type TestServer, testServer } from '../../support/server/testServer.ts'

const tooShort = { error: 'the new password is too short: it needs at least 8 characters' }
const invisible = { error: 'the username has characters that cannot be seen: remove them' }
const wrongLength = { error: 'the username needs 2 to 64 characters' }

/** Names with which nobody could sign in on the form, or which look like another name. */
const badNames: [string, object][] = [
  ['x', wrongLength],
  ['x'.repeat(65), wrongLength],
  ['adm\u200bin', invisible],
  ['admin\u00ad', invisible],
  ['ad\u0007min', invisible],
  ['ad\u202emin', invisible],
  ['ad\u00a0min', invisible],
  ['\u3164\u3164', invisible],
  ['a\u001b[31mb', invisible],
  [' admin', { error: 'the username must not begin or end with a space' }],
]

/** Names that people take for that of the administrator. */
const lookAlikes = ['Admin', 'ADMIN', '\uff41dmin', '\uff21\uff24\uff2d\uff29\uff2e', '\u{1d41a}dmin', 'adm\u2170n']
const looksLikeAdmin = { error: 'the username looks like "admin", which somebody has: choose another one' }

describe('somebody who makes a user', () => {
  let admin: Browser
  beforeEach(async () => {
    admin = await signedIn(await testServer())
  })
  const create = async (username: string, given = 'long enough') =>
    (await admin.call('POST', 'user', { body: { username, password: given, role: 1 } })).body

  it.each(['abc', '1234567', 'é'.repeat(7)])('is refused the password %j', async (short) => {
    expect(await create('anna', short)).toEqual(tooShort)
  })

  it.each(badNames)('is refused the name %j', async (name, error) => {
    expect(await create(name)).toEqual(error)
  })

  it.each(lookAlikes)('is refused the name %j, which looks like that of another user', async (name) => {
    expect(await create(name)).toEqual(looksLikeAdmin)
  })

  it('is refused a name that differs by how its letters are composed, folded or spaced', async () => {
    for (const [name, alike] of [
      ['J\u00f6rg', 'jo\u0308rg'],
      ['Strauss', 'Strau\u00df'],
      ['Anna B', 'anna  b'],
    ] as const) {
      expect(await create(name)).toMatchObject({ success: true })
      expect(await create(alike)).toEqual({ error: expect.stringContaining(`looks like "${name}"`) })
    }
  })

  it.each(['ab', 'Anna Müller', '管理员', 'x'.repeat(64)])('may choose the name %j', async (name) => {
    expect(await create(name)).toMatchObject({ success: true })
  })
})

describe('somebody who changes the own account', () => {
  const own = { original_password: password, new_username: 'member', new_password: 'another battery' }
  let server: TestServer
  let lines: AuditLine[]
  beforeEach(async () => {
    const audit = openAuditLog()
    server = await testServer({ audit })
    lines = []
    const { write } = audit
    audit.write = (event) => {
      lines.push(event as AuditLine)
      write(event)
    }
  })
  const change = async (browser: Browser, body: object) =>
    (await browser.call('POST', 'profile', { body: { ...own, ...body } })).body

  it('is refused a short password and a name that cannot be seen', async () => {
    const member = await signedIn(server, 'member')
    expect(await change(member, { new_password: 'abc' })).toEqual(tooShort)
    for (const [name, error] of badNames) expect(await change(member, { new_username: name })).toEqual(error)
  })

  it('cannot take a name that looks like that of another user, and may write their own otherwise', async () => {
    const member = await signedIn(server, 'member')
    for (const name of lookAlikes) expect(await change(member, { new_username: name })).toEqual(looksLikeAdmin)
    expect(await change(member, { new_username: 'Member' })).toEqual({ success: true })
    expect((await server.browser().signIn('member', 'another battery')).body).toMatchObject({
      error: expect.anything(),
    })
  })

  it('may keep a name that looked like another one before, and signs in with it letter by letter', async () => {
    usersIn(server.store).update(2, { username: 'Admin' })
    const member = await signedIn(server, 'Admin')
    expect((await member.get('profile')).body).toMatchObject({ data: { id: 2 } })
    expect(await change(member, { new_username: 'Admin' })).toEqual({ success: true })
  })

  it('may keep a name that is older than the rules', async () => {
    usersIn(server.store).update(2, { username: 'x' })
    const member = await signedIn(server, 'x')
    expect(await change(member, { new_username: 'x' })).toEqual({ success: true })
  })

  it('is blocked after a wrong current password, longer each time, and it is on record', async () => {
    const member = await signedIn(server, 'member')
    for (const seconds of [3, 16, 81]) {
      expect(await change(member, { original_password: 'guessed wrong' })).toEqual({ error: 'incorrect password' })
      const guess = () => member.call('POST', 'profile', { body: { ...own, original_password: 'another guess' } })
      const reply = await guess()
      expect([reply.status, reply.headers['retry-after']]).toEqual([403, String(seconds)])
      expect((await member.get('profile')).body).toMatchObject({ success: true })
      server.clock.now += seconds * 1000 - 1
      expect((await guess()).status).toBe(403)
      server.clock.now += 1
    }
    expect(lines.filter(({ action }) => action === 'user.wrong-password')).toHaveLength(3)
    expect(lines.at(-1)).toMatchObject({ address: '127.0.0.1', target: 'user 2', person: { username: 'member' } })
    expect(server.app.auth.waf.rows()).toMatchObject([{ block_identifier: 2, block_reason: 1, count: 3 }])
    expect(await change(member, {})).toEqual({ success: true })
    expect(server.app.auth.waf.rows()).toEqual([])
  })

  it('gets one guess for twenty that are sent at once', async () => {
    const member = await signedIn(server, 'member')
    await Promise.all(Array.from({ length: 20 }, () => change(member, { original_password: 'guessed wrong' })))
    expect(server.app.auth.waf.rows()).toMatchObject([{ count: 1 }])
  })
})
