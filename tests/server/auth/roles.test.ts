import { describe, expect, it, vi } from 'vitest'
import { type AuditLine, openAuditLog } from '../../../server/audit/auditLog.ts'
import { createRoles } from '../../../server/auth/roles/roles.ts'
import { roleTables } from '../../../server/auth/roles/roleTables.ts'
import { openStore } from '../../../server/db/store.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { type TokenScope, roles as wireRoles } from '../../../src/schemas/define/access.ts'
import { entities } from '../../../src/schemas/index.ts'
import type { Browser } from '../../support/console/browser.ts'
import { programWith } from '../../support/server/auth/apiToken.ts'
import { enter } from '../../support/server/fixtures/openSession.ts'
import { addHost } from '../../support/server/mcpServer.ts'
import { addMachine, createRecord, validForm } from '../../support/server/routes/validForm.ts'
import { testServer } from '../../support/server/testServer.ts'

const [adminId, memberId] = [1, 2]
const denied = { error: 'permission denied' }
const done = { success: true }
const notHad = { error: 'permission denied: you give and take only what you have yourself' }

/** The administrator's machines 1 and 2, a group with the first one, and a third user. */
async function startFixture() {
  const lines: AuditLine[] = []
  const server = await testServer({ audit: openAuditLog({ lines }) })
  for (const name of ['web-1', 'db-1'])
    addMachine(server, adminId, { name, uuid: name, note: 'a secret', hide_for_guest: true })
  const admin = await enter(server, adminId)
  const group = await createRecord(admin, 'server-group', { name: 'web', servers: [1] })
  const otherId = await createRecord(admin, 'user', { username: 'other', role: 1, password: 'long enough' })
  const [member, other] = [await enter(server, memberId), await enter(server, otherId)]
  const give = (roles: unknown, { by = admin, to = memberId }: { by?: Browser; to?: number } = {}) =>
    by.call('PATCH', `wheelhouse/users/${to}/roles`, { body: { roles } }).then(({ body }) => body)
  return { server, lines, admin, member, other, otherId, group, give }
}

/** The administrator's machine 1 is online, and has no settings. */
async function withMachine() {
  const server = await testServer({ machines: createMachines })
  const host = addHost(server)
  entityTable(server.store, entities.server).update(1, { user_id: adminId })
  const [admin, member] = [await enter(server, adminId), await enter(server, memberId)]
  const give = (roles: unknown) => admin.call('PATCH', `wheelhouse/users/${memberId}/roles`, { body: { roles } })
  return { server, host, member, give }
}

const onServer = (role: unknown, ...servers: number[]) => ({ role, scope: { groups: [], servers } })
const onGroup = (role: unknown, ...groups: number[]) => ({ role, scope: { groups, servers: [] } })

const dataOf = async (browser: Browser, path: string) =>
  ((await browser.get(path)).body as { data?: Record<string, unknown>[] }).data ?? []
const namesFor = async (browser: Browser) => (await dataOf(browser, 'server')).map(({ name }) => name)

describe('a role that an administrator gives', () => {
  it('shows a viewer the servers of its scope, read-only and without what only the owner sees', async () => {
    const { member, give, lines } = await startFixture()
    expect(await namesFor(member)).toEqual([])
    expect(await give([onServer('viewer', 1)])).toEqual(done)
    const [row, ...more] = await dataOf(member, 'server')
    expect(more).toEqual([])
    expect(row).toMatchObject({ name: 'web-1', read_only: true, rights: ['see'] })
    for (const field of ['note', 'uuid', 'contract']) expect(row).not.toHaveProperty(field)
    expect((await member.call('PATCH', 'server/1', { body: { name: 'mine' } })).body).toEqual(denied)
    expect(lines.at(-1)).toMatchObject({
      action: 'user.roles',
      target: 'user 2',
      detail: { name: 'member', roles: expect.stringContaining('viewer for') },
    })
    expect(await give([])).toEqual(done)
    expect(await namesFor(member)).toEqual([])
  })

  it('for a group holds for the servers that are in it now', async () => {
    const { admin, member, give, group } = await startFixture()
    await give([onGroup('viewer', group)])
    expect(await namesFor(member)).toEqual(['web-1'])
    expect(await dataOf(member, 'server-group')).toMatchObject([{ group: { name: 'web', read_only: true } }])
    await admin.call('PATCH', `server-group/${group}`, { body: { name: 'web', servers: [2] } })
    expect(await namesFor(member)).toEqual(['db-1'])
    await admin.call('POST', 'batch-delete/server-group', { body: [group] })
    expect(await namesFor(member)).toEqual([])
    expect((await member.get('wheelhouse/roles')).body).toMatchObject({
      data: { people: [{ id: memberId, roles: [] }] },
    })
  })

  it('for a group reaches further by a program only if that may give roles', async () => {
    const { server, give, group } = await startFixture()
    await give([onGroup('operator', group)])
    const body = { name: 'web', servers: [1, 2] }
    const grow = (...scopes: TokenScope[]) =>
      programWith(server, { user_id: adminId, scopes }).call('PATCH', `server-group/${group}`, body)
    expect(await grow('nezha:server:write')).toMatchObject({
      status: 403,
      body: { error: 'ApiErrorForbidden: api token lacks scope nezha:admin:*' },
    })
    const { has } = server.app.auth.roles.grantsOf(memberId)
    expect(has('act', [2])).toBe(false)
    expect((await grow('nezha:server:write', 'nezha:admin:*')).body).toMatchObject(done)
    expect(has('act', [2])).toBe(true)
  })

  it('for a group of a member ends on a server that is moved to somebody else', async () => {
    const { server, admin, member, otherId, give } = await startFixture()
    const own = addMachine(server, memberId, { name: 'own', uuid: 'own' })
    const mine = await createRecord(member, 'server-group', { name: 'mine', servers: [own] })
    await give([onGroup('operator', mine)], { to: otherId })
    const { has } = server.app.auth.roles.grantsOf(otherId)
    expect(has('act', [own])).toBe(true)
    const { body } = await admin.call('POST', 'batch-move/server', { body: { ids: [own], to_user: adminId } })
    expect(body).toMatchObject({ data: [{ status: 'pending' }] })
    expect(has('act', [own])).toBe(false)
  })

  it('for all holds for servers that come later too', async () => {
    const { server, member, give } = await startFixture()
    await give([{ role: 'viewer', scope: 'all' }])
    addMachine(server, 0, { name: 'new-1', uuid: 'new-1' })
    expect(await namesFor(member)).toEqual(['web-1', 'db-1', 'new-1'])
  })

  it('lets an administrator of a server configure it, and neither delete nor move it or name it elsewhere', async () => {
    const { server, member, give } = await startFixture()
    await give([onServer('administrator', 1)])
    expect(await dataOf(member, 'server')).toMatchObject([
      { note: 'a secret', rights: expect.arrayContaining(['configure']) },
    ])
    const form = { ...validForm('server'), name: 'renamed', note: 'another' }
    expect((await member.call('PATCH', 'server/1', { body: form })).body).toMatchObject(done)
    expect(entityTable(server.store, entities.server).get(1)).toMatchObject({
      name: 'renamed',
      note: 'another',
      user_id: adminId,
    })
    expect((await member.call('PATCH', 'server/2', { body: form })).body).toEqual(denied)
    expect((await member.call('POST', 'batch-delete/server', { body: [1] })).body).toEqual(denied)
    const moved = await member.call('POST', 'batch-move/server', { body: { ids: [1], to_user: memberId } })
    expect(moved.text).toContain('permission_denied')
    for (const name of ['cron', 'nat', 'server-group'] as const) {
      const refused = await member.call('POST', entities[name].api.path, { body: validForm(name, { server: 1 }) })
      expect(refused.body).toEqual(denied)
    }
  })

  it('keeps what somebody was not shown when they save', async () => {
    const { server, admin, member, give } = await startFixture()
    const { body } = await admin.call('POST', 'wheelhouse/roles', { body: { name: 'Namer', rights: ['configure'] } })
    const { id } = (body as { data: { id: number } }).data
    await give([onServer(id, 1)])
    entityTable(server.store, entities.server).update(1, { depends_on: [2] })
    const form = { ...validForm('server'), name: 'renamed', note: '', enable_ddns: true, depends_on: [] }
    expect((await member.call('PATCH', 'server/1', { body: form })).body).toMatchObject(done)
    expect(entityTable(server.store, entities.server).get(1)).toMatchObject({
      name: 'renamed',
      note: 'a secret',
      enable_ddns: false,
      depends_on: [2],
    })
  })

  it('says who gave it and when, as far as that is known', async () => {
    const server = await testServer()
    const { auth } = server.app
    const admin = await enter(server, 1)
    const give = (roles: object[]) => admin.call('PATCH', 'wheelhouse/users/2/roles', { body: { roles } })
    const givenTo = async (id: number) => {
      const { body } = await admin.get('wheelhouse/roles')
      return (body as { data: { people: { id: number; roles: object[] }[] } }).data.people.find((one) => one.id === id)
        ?.roles
    }
    const viewer = { role: 'viewer', scope: 'all' }
    const operator = { role: 'operator', scope: 'all' }
    // As one that is older.
    auth.roles.assign(2, [{ role: 'viewer', scope: 'all' }])
    expect(await givenTo(1)).toEqual([{ role: 'administrator', scope: 'all', given_by: '', given_at: '' }])
    await give([viewer, operator])
    expect(await givenTo(2)).toEqual([
      { ...viewer, given_by: '', given_at: '' },
      { ...operator, given_by: 'admin', given_at: '2026-11-21T00:00:00Z' },
    ])
    server.clock.now += 60_000
    await give([{ role: 'administrator', scope: 'all' }])
    expect(await givenTo(2)).toEqual([
      { role: 'administrator', scope: 'all', given_by: 'admin', given_at: '2026-11-21T00:01:00Z' },
    ])
    const second = await enter(server, 2)
    await second.call('POST', 'batch-delete/user', { body: [1] })
    expect((await second.get('wheelhouse/roles')).body).toMatchObject({
      data: { people: [{ id: 2, roles: [{ given_by: '#1' }] }] },
    })
  })

  it('ends with a disabled account, and comes back with it', async () => {
    const { server, admin, member, give } = await startFixture()
    await give([onServer('viewer', 1)])
    const { grantsOf } = server.app.auth.roles
    expect(grantsOf(memberId).has('see', [1])).toBe(true)
    await admin.call('POST', `wheelhouse/users/${memberId}/disable`)
    expect(grantsOf(memberId).has('see', [1])).toBe(false)
    await admin.call('POST', `wheelhouse/users/${memberId}/enable`)
    expect(grantsOf(memberId).has('see', [1])).toBe(true)
    await admin.call('POST', 'batch-delete/user', { body: [memberId] })
    expect(grantsOf(memberId).has('see', [1])).toBe(false)
    expect(server.app.auth.roles.of(memberId)).toEqual([])
    expect((await member.get('server')).body).toMatchObject({ error: 'ApiErrorUnauthorized' })
  })

  it('counts on no server for records that name none, and for those that name others as well', async () => {
    const { server, give } = await startFixture()
    await give([onServer('operator', 1)])
    const { has } = server.app.auth.roles.grantsOf(memberId)
    expect([has('act', [1]), has('act', []), has('act', [1, 2]), has('act', 'all'), has('configure', [1])]).toEqual([
      true,
      false,
      false,
      false,
      false,
    ])
  })
})

describe('administrator for all', () => {
  it('is the role 0 of the wire, and its absence the role 1', async () => {
    const { server, admin, member, give } = await startFixture()
    const roleOnWire = async () => (await dataOf(admin, 'user')).find(({ id }) => id === memberId)?.role
    expect(await give([{ role: 'administrator', scope: 'all' }, onServer('viewer', 1)])).toEqual(done)
    expect(await roleOnWire()).toBe(wireRoles.admin)
    expect((await member.get('profile')).body).toMatchObject({ data: { role: wireRoles.admin } })
    expect((await admin.get('wheelhouse/roles')).body).toMatchObject({
      data: {
        people: expect.arrayContaining([
          expect.objectContaining({
            id: memberId,
            roles: [expect.objectContaining({ role: 'administrator', scope: 'all' })],
          }),
        ]),
      },
    })
    expect(server.app.auth.roles.of(memberId)).toEqual([])
    expect(await give([])).toEqual(done)
    expect(await roleOnWire()).toBe(wireRoles.user)
    expect((await member.get('user')).body).toEqual(denied)
  })

  it('stays with one at least: nobody changes their own roles', async () => {
    const { server, admin, give } = await startFixture()
    const own = { error: 'these are your own roles: somebody else has to change them' }
    expect(await give([], { to: adminId })).toEqual(own)
    expect(await give([{ role: 'administrator', scope: 'all' }], { to: adminId })).toEqual(own)
    expect(server.app.auth.users.get(adminId)).toMatchObject({ role: wireRoles.admin })
    expect((await admin.get('user')).body).toMatchObject(done)
  })

  it('lets what a member made reach no more than before', async () => {
    const { server, member, give } = await startFixture()
    const own = addMachine(server, memberId, { name: 'own', uuid: 'own' })
    const task = await createRecord(member, 'cron', { ...validForm('cron', { server: own }), cover: 1, servers: [] })
    // An id that nobody had when the task was made.
    const named = await createRecord(member, 'cron', { ...validForm('cron', { server: own }), servers: [own, own + 1] })
    addMachine(server, adminId, { name: 'later', uuid: 'later' })
    await give([{ role: 'administrator', scope: 'all' }])
    expect(entityTable(server.store, entities.cron).get(named)?.servers).toEqual([own])
    expect(entityTable(server.store, entities.cron).get(task)).toMatchObject({
      cover: 0,
      servers: [own],
      user_id: memberId,
      has_member_rights: true,
    })
  })
})

describe('somebody who may give roles', () => {
  it('gives and takes what they have where they have it, and nothing else', async () => {
    const { server, admin, member, otherId, group, give } = await startFixture()
    const made = await admin.call('POST', 'wheelhouse/roles', { body: { name: 'Lead', rights: ['act', 'people'] } })
    const { id: lead } = (made.body as { data: { id: number } }).data
    await give([onServer(lead, 1), onServer('administrator', 2)])
    const to = otherId
    const refused = [
      [onServer('viewer', 1, 2), onServer('administrator', 1)],
      [{ role: 'viewer', scope: 'all' }],
      // It may get further servers.
      [onGroup('viewer', group)],
      [{ role: 'administrator', scope: 'all' }],
    ]
    for (const roles of refused) expect(await give(roles, { by: member, to })).toEqual(notHad)
    expect(server.app.auth.roles.of(otherId)).toEqual([])
    expect(
      await give([onServer('operator', 1), onServer(lead, 1), onServer('viewer', 1, 2)], { by: member, to }),
    ).toEqual(done)
    await give([{ role: 'viewer', scope: 'all' }, onServer('operator', 1)], { to })
    expect(await give([], { by: member, to })).toEqual(notHad)
    expect(await give([{ role: 'viewer', scope: 'all' }], { by: member, to })).toEqual(done)
    expect(await give([], { by: member, to: adminId })).toEqual(notHad)
    expect(await give([], { by: member })).toEqual({
      error: 'these are your own roles: somebody else has to change them',
    })
    expect((await member.get('wheelhouse/roles')).body).toMatchObject({ data: { people: { length: 3 } } })
  })

  it('is nobody without the right: not an operator, and no program of theirs', async () => {
    const { server, member, otherId, give } = await startFixture()
    await give([{ role: 'operator', scope: 'all' }])
    expect(await give([onServer('viewer', 1)], { by: member, to: otherId })).toEqual(denied)
    expect(await give([onServer('viewer', 1)], { by: member, to: 99 })).toEqual(denied)
    await give([onServer('administrator', 1)])
    const program = programWith(server, { user_id: memberId })
    // The scope of administrators is given to administrators only.
    const { body } = await member.call('POST', 'api-tokens', { body: { name: 'x', scopes: ['nezha:admin:*'] } })
    expect(body).toEqual({ error: 'only admin can issue scope: nezha:admin:*' })
    const reply = await program.call('PATCH', `wheelhouse/users/${memberId}/roles`, {
      roles: [{ role: 'viewer', scope: 'all' }],
    })
    expect(reply.body).toEqual({ error: 'these are your own roles: somebody else has to change them' })
  })
})

describe('an own role', () => {
  it('is made of rights, which all who have it get and lose at once', async () => {
    const { admin, member, give } = await startFixture()
    const made = await admin.call('POST', 'wheelhouse/roles', { body: { name: 'Watch', rights: ['act'] } })
    const { id } = (made.body as { data: { id: number } }).data
    expect((await admin.get('wheelhouse/roles')).body).toMatchObject({
      data: {
        roles: [
          { id: 'viewer' },
          { id: 'operator' },
          { id: 'administrator' },
          { id, name: 'Watch', rights: ['see', 'act'] },
        ],
      },
    })
    await give([onServer(id, 1)])
    expect(await dataOf(member, 'server')).toMatchObject([{ rights: ['see', 'act'] }])
    await admin.call('PATCH', `wheelhouse/roles/${id}`, { body: { name: 'Watch', rights: ['see'] } })
    expect(await dataOf(member, 'server')).toMatchObject([{ rights: ['see'] }])
    const used = { error: '1 people have this role: take it from them first' }
    expect((await admin.call('DELETE', `wheelhouse/roles/${id}`)).body).toEqual(used)
    await give([])
    expect((await admin.call('DELETE', `wheelhouse/roles/${id}`)).body).toEqual(done)
    expect(await give([onServer(id, 1)])).toEqual({ error: `role id ${id} does not exist` })
  })

  it('is deleted where it is left on servers alone that are deleted', async () => {
    const { server, admin, member, give } = await startFixture()
    const { body } = await admin.call('POST', 'wheelhouse/roles', { body: { name: 'Watch', rights: ['act'] } })
    const { id } = (body as { data: { id: number } }).data
    await give([onServer(id, 1)])
    await admin.call('POST', 'batch-delete/server', { body: [1] })
    expect(await dataOf(member, 'wheelhouse/roles')).toMatchObject({ people: [{ roles: [] }] })
    expect((await admin.call('DELETE', `wheelhouse/roles/${id}`)).body).toEqual(done)
    expect(server.app.auth.roles.of(memberId)).toEqual([])
  })

  it('is deleted with all who have it, or not at all', async () => {
    const { server } = await startFixture()
    const { roles } = server.app.auth
    const id = roles.create({ name: 'Watch', rights: ['act'] })
    roles.assign(memberId, [{ role: id, scope: { groups: [], servers: [1] } }])
    const write = vi.spyOn(roleTables(server.store).assignments, 'remove').mockImplementation(() => {
      throw new Error('the disk failed')
    })
    expect(() => roles.remove(id)).toThrow('the disk failed')
    write.mockRestore()
    expect(roles.all()).toContainEqual({ id, name: 'Watch', rights: ['see', 'act'] })
    roles.remove(id)
    expect(roles.of(memberId)).toEqual([])
  })

  it('may be called as anything but a role that there is', () => {
    const roles = createRoles(openStore(':memory:'), { get: () => undefined })
    for (const name of ['constructor', '__proto__', 'toString']) roles.create({ name, rights: ['see'] })
    expect(() => roles.create({ name: 'Constructor', rights: ['see'] })).toThrow('there is a role with this name')
    expect(() => roles.create({ name: 'Operator', rights: ['see'] })).toThrow('there is a role with this name')
  })

  it('has a name of its own, and rights that there are', async () => {
    const { admin } = await startFixture()
    const make = (body: unknown) => admin.call('POST', 'wheelhouse/roles', { body }).then(({ body }) => body)
    expect(await make({ name: 'Watch', rights: ['see'] })).toMatchObject(done)
    const taken = { error: 'name: there is a role with this name: choose another' }
    expect(await make({ name: ' watch', rights: ['see'] })).toEqual(taken)
    expect(await make({ name: 'Viewer', rights: ['see'] })).toEqual(taken)
    for (const rights of [[], ['everything'], undefined]) {
      expect(await make({ name: 'x', rights })).toEqual({ error: expect.stringMatching(/^rights\S* is not valid/) })
    }
  })
})

describe('what is given', () => {
  it.each([
    ['a server that is not there', [onServer('viewer', 9)], 'servers: server id 9 does not exist'],
    ['a group that is not there', [onGroup('viewer', 9)], 'groups: server group id 9 does not exist'],
    ['a role that is not there', [onServer(9, 1)], 'role id 9 does not exist'],
    ['no server at all', [onServer('viewer')], expect.stringContaining('name a server or a group')],
    ['a role of no name', [onServer('owner', 1)], expect.stringContaining('is not valid')],
    ['more than anybody overlooks', Array(51).fill(onServer('viewer', 1)), expect.stringContaining('is not valid')],
  ])('is refused where it names %s', async (_, roles, error) => {
    const { server, give } = await startFixture()
    await give([onServer('viewer', 1)])
    expect(await give(roles)).toEqual({ error })
    expect(server.app.auth.roles.of(memberId)).toEqual([onServer('viewer', 1)])
  })

  it('is refused for somebody who is not there', async () => {
    const { give } = await startFixture()
    expect(await give([], { to: 99 })).toEqual({ error: 'user id 99 does not exist' })
  })
})

describe('a role on a server of somebody else', () => {
  it('changes nothing of its DDNS names, whatever rights it has: they lead into zones of the owner', async () => {
    const { server, member, give } = await startFixture()
    await give([onServer('administrator', 1)])
    const rows = entityTable(server.store, entities.server)
    rows.update(1, { enable_ddns: true, ddns_profiles: [7], override_ddns_domains: { 7: ['web.example.org'] } })
    const form = { ...validForm('server'), name: 'renamed', ddns_profiles: [8], depends_on: [2] }
    const domains = { override_ddns_domains: { 7: ['www.bank.example'] } }
    expect((await member.call('PATCH', 'server/1', { body: { ...form, ...domains } })).body).toMatchObject(done)
    expect(rows.get(1)).toMatchObject({
      name: 'renamed',
      enable_ddns: true,
      ddns_profiles: [7],
      override_ddns_domains: { 7: ['web.example.org'] },
    })
    expect(rows.get(1)?.depends_on ?? []).toEqual([])
  })

  it('does not tell the names of others by what a server may not depend on', async () => {
    const { server, member, give } = await startFixture()
    await give([onServer('administrator', 1)])
    entityTable(server.store, entities.server).update(2, { depends_on: [1] })
    const body = { ...validForm('server'), name: 'web-1', depends_on: [2] }
    expect((await member.call('PATCH', 'server/1', { body })).body).toMatchObject(done)
  })

  it('that somebody has by a group only is not given by the name of the server', async () => {
    const { member, otherId, group, give } = await startFixture()
    await give([onGroup('administrator', group)])
    expect(await give([onServer('operator', 1)], { by: member, to: otherId })).toEqual(notHad)
    expect(await give([onGroup('operator', group)], { by: member, to: otherId })).toEqual(done)
  })

  it('counts a group once, however often it is named', async () => {
    const { admin, group, give } = await startFixture()
    expect(await give([onGroup('operator', ...Array.from({ length: 1000 }, () => group))])).toEqual(done)
    const { people } = ((await admin.get('wheelhouse/roles')).body as { data: { people: { roles: unknown[] }[] } }).data
    expect(people[memberId - 1]?.roles).toMatchObject([onGroup('operator', group)])
  })

  it('that is gone shows nobody else, and keeps nobody from changing who has more', async () => {
    const { server, admin, member, otherId, group, give } = await startFixture()
    await give([onGroup('administrator', group)])
    await give([onGroup('viewer', group), onServer('viewer', 1)], { to: otherId })
    const second = await createRecord(admin, 'server-group', { name: 'more', servers: [2] })
    await give([onGroup('administrator', group), onGroup('administrator', second)])
    await admin.call('POST', 'batch-delete/server-group', { body: [group] })
    server.app.auth.roles.assign(otherId, [{ role: 'viewer', scope: { groups: [group, second], servers: [] } }])
    expect(await give([onGroup('operator', second)], { by: member, to: otherId })).toEqual(done)
    await admin.call('POST', 'batch-delete/server-group', { body: [second] })
    const { people } = ((await member.get('wheelhouse/roles')).body as { data: { people: { id: number }[] } }).data
    expect(people.map(({ id }) => id)).toEqual([memberId])
  })
})

describe('an operator', () => {
  it('gets no order through that waited for the agent while the role was taken away', async () => {
    const { server, host, member, give } = await withMachine()
    await give([onServer('administrator', 1)])
    host.orderUpdate = async (judge) => {
      server.app.auth.roles.assign(memberId, [{ role: 'viewer', scope: { groups: [], servers: [1] } }])
      judge?.()
      host.updates++
    }
    host.config = async () => {
      server.app.auth.roles.assign(memberId, [{ role: 'operator', scope: { groups: [], servers: [1] } }])
      return '{"client_secret":"known"}'
    }
    const update = () => member.call('POST', 'force-update/server', { body: [1] })
    expect((await update()).body).toMatchObject({ data: { failure: [1], reasons: { 1: 'permission denied' } } })
    expect(host.updates).toBe(0)
    await give([onServer('administrator', 1)])
    const configured = await member.call('POST', 'server/config', {
      body: { servers: [1], config: '{"client_secret":"known","debug":true}' },
    })
    expect(configured.body).toMatchObject({ data: { failure: [1], reasons: { 1: 'permission denied' } } })
    expect(host.settings).toBe('{}')
  })

  it('mutes a server of their scope and single alarms there, for the rules of others, as long as they have the role', async () => {
    const { server, admin, member, give } = await startFixture()
    const form = (server: number) => validForm('mute', { server })
    await give([onServer('operator', 1)])
    expect((await member.call('POST', 'wheelhouse/mutes', { body: form(2) })).body).toMatchObject({
      error: expect.stringContaining('does not exist'),
    })
    await createRecord(member, 'mute', form(1))
    const { silences } = server.app
    expect(silences.ofServer(1, adminId)).toBe('muted')
    const rule = await createRecord(admin, 'alert-rule', validForm('alert-rule'))
    const alarm = (server_id: number) => silences.ofAlarm({ server_id, rule_id: rule }, adminId)
    const onRule = (server: number) => ({ ...form(server), rule_id: rule })
    for (const refused of [onRule(2), onRule(0)]) {
      const { body } = await member.call('POST', 'wheelhouse/mutes', { body: refused })
      expect(body).toMatchObject({ error: expect.stringContaining('does not exist') })
    }
    await member.call('POST', 'batch-delete/wheelhouse/mutes', { body: [1] })
    expect(alarm(1)).toBeUndefined()
    await createRecord(member, 'mute', onRule(1))
    expect([alarm(1), alarm(2), silences.ofServer(1, adminId)]).toEqual(['muted', undefined, undefined])
    await give([onServer('viewer', 1)])
    expect(alarm(1)).toBeUndefined()
  })
})
