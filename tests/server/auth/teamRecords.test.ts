import { describe, expect, it } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { textPerMember } from '../../../server/entities/memberQuota.ts'
import { type EntityName, entities } from '../../../src/schemas/index.ts'
import type { Browser } from '../../support/console/browser.ts'
import { enter } from '../../support/server/fixtures/openSession.ts'
import { addMachine, createRecord, validForm } from '../../support/server/routes/validForm.ts'
import { testServer } from '../../support/server/testServer.ts'

const [adminId, memberId] = [1, 2]
const denied = { error: 'permission denied' }

/**
 * Two members in the team 1, somebody in another team, and a machine of the first member. Ids of teams: `ops` and
 * `others`.
 */
async function startFixture() {
  const server = await testServer()
  const admin = await enter(server, adminId)
  const people: { [name: string]: { id: number; browser: Browser } } = {}
  for (const username of ['colleague', 'stranger']) {
    const id = await createRecord(admin, 'user', { username, role: 1, password: 'long enough' })
    people[username] = { id, browser: await enter(server, id) }
  }
  const { colleague, stranger } = people
  if (!colleague || !stranger) throw new Error('The people are missing.')
  const { teams } = server.app.auth
  const ops = teams.create({ name: 'ops', users: [memberId, colleague.id], servers: [] })
  const others = teams.create({ name: 'others', users: [stranger.id], servers: [] })
  addMachine(server, memberId, { name: 'web-1', uuid: 'web-1', hide_for_guest: true })
  const machine = entityTable(server.store, entities.server).find({ uuid: 'web-1' })[0]?.id ?? 0
  const member = await enter(server, memberId)
  const leave = (id: number) =>
    teams.update(ops, { name: 'ops', users: [memberId, colleague.id].filter((one) => one !== id), servers: [] })
  return {
    server,
    admin,
    member,
    machine,
    ops,
    others,
    leave,
    teams,
    colleague: colleague.browser,
    colleagueId: colleague.id,
    stranger: stranger.browser,
    strangerId: stranger.id,
  }
}

const rowsOf = async (browser: Browser, name: EntityName) =>
  ((await browser.get(entities[name].api.listPath)).body as { data?: Record<string, unknown>[] }).data ?? []
const flat = (row: Record<string, unknown> | undefined) => ({ ...row, ...(row?.group as object | undefined) })
const idsFor = async (browser: Browser, name: EntityName) => (await rowsOf(browser, name)).map((row) => flat(row).id)
const save = async (browser: Browser, name: EntityName, id: number, body: object) =>
  (await browser.call('PATCH', `${entities[name].api.path}/${id}`, { body })).body
const make = (browser: Browser, name: EntityName, body: object) =>
  browser
    .call('POST', entities[name].api.path, { body })
    .then((reply) => reply.body as { data?: number; error?: string })
const remove = async (browser: Browser, name: EntityName, ids: readonly number[]) =>
  (await browser.call('POST', `batch-delete/${entities[name].api.path}`, { body: ids })).body
const done = { success: true }

/** What members make and teams own, each with a form that names nothing but the machine. */
const ownable: readonly EntityName[] = [
  'service',
  'cron',
  'notification',
  'alert-rule',
  'ddns',
  'nat',
  'server-group',
  'notification-group',
  'rota',
  'escalation',
  'maintenance-window',
]

function formOf(name: EntityName, machine: number): object {
  const { team: _, ...form } = validForm(name, { server: machine })
  const refs = { notification_group_id: 0, escalation_id: 0, fail_trigger_tasks: null, recover_trigger_tasks: null }
  const named = Object.fromEntries(Object.entries(refs).filter(([field]) => field in entities[name].form.shape))
  const lists = {
    'notification-group': { notifications: [] },
    rota: { people: [memberId], overrides: [] },
    escalation: { steps: [] },
    'maintenance-window': { servers: [machine], server_groups: [], services: [] },
  }
  return { ...form, ...named, ...lists[name as keyof typeof lists] }
}

describe('a record that belongs to a team', () => {
  it.each(ownable)('is for everybody in the team to see, change and delete, and for nobody else: %s', async (name) => {
    const { member, colleague, stranger, admin, machine, ops } = await startFixture()
    expect(await save(member, 'server', machine, { name: 'web-1', team: ops })).toMatchObject(done)
    const { data: id = 0, error } = await make(member, name, { ...formOf(name, machine), team: ops })
    expect(error).toBeUndefined()
    expect(await idsFor(colleague, name)).toEqual([id])
    expect(flat((await rowsOf(colleague, name))[0])).toMatchObject({ team: ops })
    expect(await idsFor(stranger, name)).toEqual([])
    expect(await idsFor(admin, name)).toContain(id)
    const form = { ...formOf(name, machine), name: 'changed by a colleague' }
    expect(await save(stranger, name, id, form)).toMatchObject({
      error: expect.stringMatching(/permission denied|unauthorized/),
    })
    expect(await save(colleague, name, id, form)).toMatchObject(done)
    expect(flat((await rowsOf(member, name))[0])).toMatchObject({ id, name: 'changed by a colleague', team: ops })
    expect(await remove(stranger, name, [id])).toEqual(denied)
    expect(await remove(colleague, name, [id])).toMatchObject(done)
    expect(await idsFor(member, name)).toEqual([])
  })

  it.each(ownable)('can be given to it by its owner: %s', async (name) => {
    const { server, member, colleague, machine, ops } = await startFixture()
    const { data: id = 0 } = await make(member, name, formOf(name, machine))
    expect(await idsFor(colleague, name)).toEqual([])
    await save(member, 'server', machine, { name: 'web-1', team: ops })
    expect(await save(member, name, id, { ...formOf(name, machine), team: ops })).toMatchObject(done)
    expect(entityTable(server.store, entities[name]).get(id)).toMatchObject({
      user_id: -ops,
      made_by: memberId,
      team: ops,
    })
    expect(await idsFor(colleague, name)).toEqual([id])
  })

  it('is lost at once to whoever leaves, also to who made it, and stays with the team', async () => {
    const { member, colleague, colleagueId, admin, leave, ops } = await startFixture()
    const { data: id = 0 } = await make(member, 'notification-group', { name: 'all', notifications: [], team: ops })
    leave(memberId)
    expect(await idsFor(member, 'notification-group')).toEqual([])
    expect(await save(member, 'notification-group', id, { name: 'mine', notifications: [], team: 0 })).toEqual(denied)
    expect(await idsFor(colleague, 'notification-group')).toEqual([id])
    expect(await remove(admin, 'user', [memberId])).toMatchObject(done)
    expect(await idsFor(colleague, 'notification-group')).toEqual([id])
    leave(colleagueId)
    expect(await idsFor(colleague, 'notification-group')).toEqual([])
    expect(await idsFor(admin, 'notification-group')).toEqual([id])
  })

  it('stays when who made it is deleted with all that is theirs', async () => {
    const { admin, member, colleague, ops } = await startFixture()
    const { data: id = 0 } = await make(member, 'notification-group', { name: 'all', notifications: [], team: ops })
    await make(member, 'notification-group', { name: 'own', notifications: [] })
    const body = { ids: [memberId], records: 'delete' }
    expect((await admin.call('POST', 'wheelhouse/users/delete', { body })).body).toMatchObject(done)
    expect(await idsFor(colleague, 'notification-group')).toEqual([id])
    expect(await idsFor(admin, 'notification-group')).toEqual([id])
  })

  it('keeps its team from being deleted, which says how many there are', async () => {
    const { admin, member, ops } = await startFixture()
    const { data: id = 0 } = await make(member, 'notification-group', { name: 'all', notifications: [], team: ops })
    expect((await admin.call('DELETE', `wheelhouse/teams/${ops}`)).body).toEqual({
      error: '1 records belong to the team "ops": take them from the team, or delete them, before you delete it',
    })
    await remove(member, 'notification-group', [id])
    expect((await admin.call('DELETE', `wheelhouse/teams/${ops}`)).body).toMatchObject(done)
  })

  it('counts as one of the team, and of who made it while they are in it: teams raise nobody’s limit', async () => {
    const { server, admin, member, colleague, ops, teams, leave } = await startFixture()
    const second = teams.create({ name: 'second', users: [memberId], servers: [] })
    const { config } = ((await admin.get('setting')).body as { data: { config: object } }).data
    await admin.call('PATCH', 'setting', { body: { ...config, site_name: 'Mine', records_per_member: 2 } })
    expect(server.app.recordsPerMember()).toBe(2)
    const form = (name: string, team: number) => ({ name, notifications: [], team })
    expect(await make(member, 'notification-group', form('a', ops))).toMatchObject(done)
    expect(await make(colleague, 'notification-group', form('b', ops))).toMatchObject(done)
    const ofTeam = { error: 'a team may have at most 2 records of the kind "notification group": delete one first' }
    expect(await make(member, 'notification-group', form('c', ops))).toEqual(ofTeam)
    const { data: own = 0 } = await make(member, 'notification-group', form('c', 0))
    expect(own).toBeGreaterThan(0)
    expect(await save(member, 'notification-group', own, form('c', ops))).toEqual(ofTeam)
    const ofMaker = {
      error:
        'a member may have at most 2 records of the kind "notification group", with those that they made for teams: ' +
        'delete one first',
    }
    for (const team of [0, second]) expect(await make(member, 'notification-group', form('d', team))).toEqual(ofMaker)
    // Given or taken back, nothing is made.
    expect(await save(member, 'notification-group', own, form('c', second))).toMatchObject(done)
    expect(await save(member, 'notification-group', own, form('c', 0))).toMatchObject(done)
    // What they could not delete any more does not count.
    leave(memberId)
    expect(await make(member, 'notification-group', form('d', second))).toMatchObject(done)
  })

  it('becomes no longer than what its maker may have in all teams together, and can be shortened', async () => {
    const { server, member, colleague, ops, teams, colleagueId } = await startFixture()
    const second = teams.create({ name: 'second', users: [memberId, colleagueId], servers: [] })
    const table = entityTable(server.store, entities.cron)
    const command = 'x'.repeat(65_536)
    const task = { ...validForm('cron'), command }
    const stamps = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' }
    const idIn = (team: number, made_by: number) => table.insert({ ...stamps, ...task, user_id: -team, made_by })
    for (let length = 0; length < textPerMember / 2; length += command.length)
      for (const team of [ops, second]) idIn(team, memberId)
    const [shorter, ofColleague] = [idIn(second, memberId), idIn(second, colleagueId)]
    const saveAs = (browser: Browser, id: number, length: number) =>
      save(browser, 'cron', id, { ...task, team: second, command: 'y'.repeat(length) })
    expect(await saveAs(member, shorter, 10)).toMatchObject(done)
    expect(await saveAs(member, shorter, 60_000)).toMatchObject({
      error: expect.stringContaining('characters together'),
    })
    // What others have made counts for them.
    expect(await saveAs(colleague, ofColleague, 10)).toMatchObject(done)
    for (const browser of [member, colleague]) expect(await saveAs(browser, ofColleague, 60_000)).toMatchObject(done)
  })

  it('has its changes in the history of the whole team, by the name of who made each', async () => {
    const { member, colleague, stranger, ops } = await startFixture()
    const { data: id = 0 } = await make(member, 'notification-group', { name: 'all', notifications: [] })
    await save(member, 'notification-group', id, { name: 'all', notifications: [], team: ops })
    const historyFor = async (browser: Browser) =>
      (await browser.get(`changes?entity=notification-group&id=${id}`)).body as { data?: { value?: object[] } }
    const found = JSON.stringify(await historyFor(colleague))
    expect(found).toContain('"team"')
    expect(found).not.toContain('user_id":-')
    expect(found).not.toContain('"name":"user_id"')
    expect(JSON.stringify(await historyFor(stranger))).not.toContain('"team"')
  })

  it('is by its number told to nobody who sees it by a role and is in another team', async () => {
    const { server, stranger, strangerId, member, machine, ops, others } = await startFixture()
    await save(member, 'server', machine, { name: 'web-1', team: ops })
    const scope = { groups: [], servers: [machine] }
    const { roles } = server.app.auth
    roles.assign(strangerId, [{ role: 'administrator', scope }], { given_by: adminId, given_at: '' })
    const [row] = await rowsOf(stranger, 'server')
    expect(row).toMatchObject({ name: 'web-1' })
    expect(row).not.toHaveProperty('team')
    // Left out, it stays.
    expect(await save(stranger, 'server', machine, { name: 'web-2' })).toMatchObject(done)
    expect((await rowsOf(member, 'server'))[0]).toMatchObject({ name: 'web-2', team: ops })
    expect(await save(stranger, 'server', machine, { name: 'web-2', team: others })).toMatchObject({
      error: expect.stringContaining('team: '),
    })
  })

  it('is not told of where nobody has to do with teams', async () => {
    const { server, admin, member, stranger, ops, others } = await startFixture()
    const announced = async (browser: Browser) =>
      ((await browser.get('setting')).body as { data: { wheelhouse: { teams?: true } } }).data.wheelhouse.teams
    expect(await announced(member)).toBe(true)
    await make(stranger, 'notification-group', { name: 'own', notifications: [] })
    server.app.auth.teams.remove(others)
    expect(await announced(stranger)).toBeUndefined()
    expect(flat((await rowsOf(stranger, 'notification-group'))[0])).not.toHaveProperty('team')
    expect(await announced(admin)).toBe(true)
    server.app.auth.teams.remove(ops)
    expect(await announced(admin)).toBeUndefined()
  })
})

describe('a hostile member', () => {
  it('gives nothing to a team that they are not in, nor takes it from one', async () => {
    const { member, stranger, ops, others } = await startFixture()
    const none = (team: number) => ({ error: `team: team id ${team} does not exist, or you are not in it` })
    const group = { name: 'all', notifications: [] }
    expect(await make(member, 'notification-group', { ...group, team: others })).toEqual(none(others))
    expect(await make(member, 'notification-group', { ...group, team: 99 })).toEqual(none(99))
    const { data: id = 0 } = await make(member, 'notification-group', group)
    expect(await save(member, 'notification-group', id, { ...group, team: others })).toEqual(none(others))
    const { data: theirs = 0 } = await make(stranger, 'notification-group', { ...group, team: others })
    for (const team of [0, ops, others]) {
      expect(await save(member, 'notification-group', theirs, { ...group, team })).toEqual(denied)
    }
  })

  it('takes along nothing of the team that others made', async () => {
    const { server, member, colleague, colleagueId, machine, leave, ops } = await startFixture()
    const group = { name: 'all', notifications: [] }
    const { data: id = 0 } = await make(colleague, 'notification-group', { ...group, team: ops })
    const refused = { error: expect.stringContaining('only the person who gave this to the team') }
    expect(await save(member, 'notification-group', id, { ...group, team: 0 })).toMatchObject(refused)
    const table = entityTable(server.store, entities['notification-group'])
    expect(table.get(id)).toMatchObject({ user_id: -ops, made_by: colleagueId, team: ops })
    expect(await save(colleague, 'notification-group', id, { ...group, team: 0 })).toMatchObject(done)
    expect(table.get(id)).toMatchObject({ user_id: colleagueId, made_by: 0, team: 0 })
    expect(await save(colleague, 'notification-group', id, { ...group, team: ops })).toMatchObject(done)
    leave(colleagueId)
    expect(await save(member, 'notification-group', id, { ...group, team: 0 })).toMatchObject(refused)
    expect(table.get(id)).toMatchObject({ user_id: -ops, made_by: colleagueId })
    // The call of the contract that moves servers takes none of a team.
    await save(member, 'server', machine, { name: 'web-1', team: ops })
    const moved = await member.call('POST', 'batch-move/server', { body: { ids: [machine], to_user: memberId } })
    expect(JSON.stringify(moved.body)).toMatch(/permission.denied/)
  })

  it('names what is a team’s in nothing of their own, and reads no secret by it', async () => {
    const { server, member, colleague, machine, ops } = await startFixture()
    const url = 'https://example.org/hook?token=secret-token'
    const notifier = { ...validForm('notification'), url, skip_check: true, team: ops }
    const { data: id = 0 } = await make(colleague, 'notification', notifier)
    expect(await make(member, 'notification-group', { name: 'own', notifications: [id] })).toEqual({
      error: `notifications: notification id ${id} and this record belong to different owners: give both to one team`,
    })
    const { data: group = 0 } = await make(colleague, 'notification-group', {
      name: 'all',
      notifications: [id],
      team: ops,
    })
    const rule = { ...formOf('alert-rule', machine), notification_group_id: group }
    expect(await make(member, 'alert-rule', rule)).toMatchObject({ error: expect.stringContaining('different owners') })
    expect(await make(member, 'alert-rule', { ...rule, team: ops })).toMatchObject(done)
    // Nor the other way round.
    const { data: own = 0 } = await make(member, 'notification-group', { name: 'own', notifications: [] })
    expect(await make(member, 'alert-rule', { ...rule, notification_group_id: own, team: ops })).toMatchObject({
      error: expect.stringContaining('different owners'),
    })
    expect(JSON.stringify(await rowsOf(member, 'notification'))).not.toContain('secret-token')
    expect(entityTable(server.store, entities.notification).get(id)).toMatchObject({ url })
  })

  it('keeps no way into the team by a reference from before it was given', async () => {
    const { server, member, colleague, machine, ops, leave } = await startFixture()
    const sent: string[] = []
    const { data: notifier = 0 } = await make(member, 'notification', {
      ...validForm('notification'),
      url: 'http://127.0.0.1:1/',
      skip_check: true,
    })
    const { data: group = 0 } = await make(member, 'notification-group', { name: 'g', notifications: [notifier] })
    const { data: rule = 0 } = await make(member, 'alert-rule', {
      ...formOf('alert-rule', machine),
      notification_group_id: group,
    })
    await save(member, 'notification', notifier, {
      ...validForm('notification'),
      url: 'http://127.0.0.1:1/',
      skip_check: true,
      team: ops,
    })
    await save(member, 'notification-group', group, { name: 'g', notifications: [notifier], team: ops })
    leave(memberId)
    expect(await idsFor(colleague, 'notification-group')).toEqual([group])
    expect(await idsFor(member, 'alert-rule')).toEqual([rule])
    const { notifications, deliveries } = server.app
    const send = (ownerId: number) =>
      notifications.send({
        groupId: group,
        ownerId,
        message: `of ${ownerId}`,
        onSent: () => sent.push(String(ownerId)),
      })
    for (const owner of [memberId, -ops, adminId]) send(owner)
    expect(sent).toEqual([String(-ops), String(adminId)])
    deliveries.flush()
  })

  it('gives no roles, and changes no team, by being in it', async () => {
    const { server, member, strangerId, ops } = await startFixture()
    await make(member, 'notification-group', { name: 'all', notifications: [], team: ops })
    const { teams, roles } = server.app.auth
    teams.setRoles(ops, [{ role: 'operator', scope: 'all' }])
    const body = { name: 'ops', users: [memberId, strangerId], servers: [] }
    expect((await member.call('PATCH', `wheelhouse/teams/${ops}`, { body })).body).toEqual(denied)
    const given = { body: { roles: [{ role: 'operator', scope: 'all' }] } }
    expect((await member.call('PATCH', `wheelhouse/users/${strangerId}/roles`, given)).body).toEqual(denied)
    // Who gives roles, and is not in the team, lets nobody into what belongs to it.
    roles.assign(strangerId, [{ role: 'administrator', scope: 'all' }])
    expect(server.app.auth.users.get(strangerId)?.role).toBe(1)
  })

  it('lets nobody into a team with records who gives its roles from outside', async () => {
    const { server, member, stranger, strangerId, ops, teams } = await startFixture()
    const own = server.app.auth.roles.create({ name: 'lead', rights: ['see', 'people'] })
    server.app.auth.roles.assign(strangerId, [{ role: own, scope: 'all' }])
    teams.setRoles(ops, [{ role: own, scope: 'all' }])
    const { id: friend } = await addFriend(server)
    const body = { name: 'ops', users: [memberId, friend], servers: [] }
    await make(member, 'notification-group', { name: 'all', notifications: [], team: ops })
    expect((await stranger.call('PATCH', `wheelhouse/teams/${ops}`, { body })).body).toMatchObject({
      error: expect.stringContaining('permission denied'),
    })
  })

  it('reaches nothing that is a colleague’s own by what they change in the team', async () => {
    const { server, admin, member, colleague, machine, ops } = await startFixture()
    addMachine(server, memberId, { name: 'web-2', uuid: 'web-2' })
    await save(member, 'server', machine, { name: 'web-1', team: ops })
    const { team: _, ...form } = validForm('cron')
    const task = { ...form, cover: 1, servers: [], notification_group_id: 0 }
    const { data: id = 0 } = await make(member, 'cron', { ...task, team: ops })
    const evil = { ...task, command: 'reboot' }
    expect(await save(colleague, 'cron', id, { ...evil, team: 0 })).toMatchObject({
      error: expect.stringContaining('only the person who gave this to the team'),
    })
    expect(await save(colleague, 'cron', id, evil)).toMatchObject(done)
    // Nor when who gave it, or an administrator, takes it back without having read it.
    expect(await save(member, 'cron', id, { ...evil, team: 0 })).toMatchObject(done)
    const kept = { user_id: memberId, made_by: 0, cover: 0, servers: [machine], has_member_rights: false }
    const table = entityTable(server.store, entities.cron)
    expect(table.get(id)).toMatchObject(kept)
    expect(await save(member, 'cron', id, { ...evil, team: ops })).toMatchObject(done)
    expect(await save(admin, 'cron', id, { ...evil, team: 0 })).toMatchObject(done)
    expect(table.get(id)).toMatchObject(kept)
  })

  it('makes no administrator’s record reach further by writing it for them', async () => {
    const { server, admin, colleague, teams, ops, colleagueId } = await startFixture()
    teams.update(ops, { name: 'ops', users: [adminId, colleagueId], servers: [] })
    const { team: _, ...form } = validForm('cron')
    const task = { ...form, cover: 1, servers: [], notification_group_id: 0 }
    const { data: id = 0 } = await make(admin, 'cron', { ...task, team: ops })
    expect(await save(colleague, 'cron', id, { ...task, command: 'reboot' })).toMatchObject(done)
    expect(await save(admin, 'cron', id, { ...task, command: 'reboot', team: 0 })).toMatchObject(done)
    expect(entityTable(server.store, entities.cron).get(id)).toMatchObject({
      user_id: adminId,
      team: 0,
      cover: 0,
      servers: [],
      has_member_rights: true,
    })
  })
})

async function addFriend(server: Awaited<ReturnType<typeof testServer>>) {
  const admin = await enter(server, adminId)
  return { id: await createRecord(admin, 'user', { username: 'friend', role: 1, password: 'long enough' }) }
}
