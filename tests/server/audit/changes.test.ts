import { describe, expect, it } from 'vitest'
import { usersIn } from '../../../server/auth/users/users.ts'
import { openChangeLog } from '../../../server/changes/changeLog.ts'
import { withOrigin } from '../../../server/changes/changeOrigin.ts'
import { openStore } from '../../../server/db/store.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { type Role, roles } from '../../../src/schemas/define/access.ts'
import { describeFields, isConcealed } from '../../../src/schemas/define/describe.ts'
import type { Change } from '../../../src/schemas/endpoints/changeEndpoints.ts'
import { type EntityName, entities } from '../../../src/schemas/index.ts'
import { siteSetting } from '../../../src/schemas/settings/siteSetting.ts'
import type { Browser } from '../../support/console/browser.ts'
import { enter } from '../../support/server/fixtures/openSession.ts'
import { addMachine, creatable, createRecord, validForm } from '../../support/server/routes/validForm.ts'
import { createTestHost } from '../../support/server/testHost.ts'
import { password, signedIn, type TestServer, testServer } from '../../support/server/testServer.ts'

/** The changes as somebody is shown them, the latest first. */
async function changesFor(browser: Browser, query = '') {
  const { body, text } = await browser.get(`changes${query}`)
  const { data } = body as { data?: { value?: Change[]; pagination: { total?: number } } }
  if (!data) throw new Error(text)
  return { rows: data.value ?? [], total: data.pagination.total ?? 0 }
}

/** Everything that is stored of changes, as text. */
const storedText = ({ store }: TestServer) => JSON.stringify(store.table({ name: 'change', columns: [] }).all())

const concealed = (name: EntityName) => describeFields(entities[name]).filter((f) => f.editable && isConcealed(f))

/** A form in whose secrets, and nowhere else, stands this text. */
function formWithSecrets(name: EntityName, secret: string): Record<string, unknown> {
  const form = validForm(name)
  for (const field of concealed(name)) {
    const text = form[field.name]
    form[field.name] = typeof text === 'string' && text.includes('any') ? text.replace('any', secret) : secret
  }
  if (name === 'notification') {
    form.request_header = JSON.stringify({ a: secret })
    // Letters of base64, so that the planted text can still be found.
    form.signing_secret = `whsec_${secret.replaceAll('-', '/').padEnd(32, 'A')}`
  }
  if (name === 'ddns') form.webhook_headers = JSON.stringify({ a: secret })
  return form
}

const updatable = creatable.filter((name) => entities[name].api.verbs.includes('update'))

describe.each(updatable)('the history of a %s', (name) => {
  const { path } = entities[name].api

  it('has who created, changed and deleted it, with the values of every field but secrets', async () => {
    const server = await testServer()
    addMachine(server, 1)
    const admin = await enter(server, 1)
    const id = await createRecord(admin, name, formWithSecrets(name, 'planted-one'))
    const query = `?entity=${name}&id=${id}`
    const [created] = (await changesFor(admin, query)).rows
    expect(created).toMatchObject({
      entity: name,
      record_id: id,
      action: 'created',
      user_id: 1,
      username: 'admin',
      address: '127.0.0.1',
    })
    const field = describeFields(entities[name]).find(
      (one) => one.editable && !isConcealed(one) && ['text', 'ref', 'refs', 'multiline'].includes(one.kind),
    )?.name as string
    const before = (created?.fields.find((one) => one.name === field) as { to: unknown } | undefined)?.to
    const after = typeof before === 'string' ? `${before}2` : before === 1 ? 2 : [1, 2]
    addMachine(server, 1, { uuid: 'another' })
    const changed = { ...formWithSecrets(name, 'planted-two'), [field]: after }
    expect((await admin.call('PATCH', `${path}/${id}`, { body: changed })).body).toMatchObject({ success: true })
    const [updated, ...older] = (await changesFor(admin, query)).rows
    expect(older).toHaveLength(1)
    expect(updated).toMatchObject({ action: 'updated', username: 'admin' })
    expect(updated?.fields).toContainEqual({ name: field, from: before, to: after })
    for (const secret of concealed(name)) {
      expect(created?.fields).toContainEqual({ name: secret.name, secret: true })
      expect(updated?.fields).toContainEqual({ name: secret.name, secret: true })
    }
    expect(updated?.fields).toHaveLength(1 + concealed(name).length)

    await admin.call('POST', `batch-delete/${path}`, { body: [id] })
    const { rows, total } = await changesFor(admin, query)
    expect(total).toBe(3)
    expect(rows[0]).toMatchObject({ action: 'deleted', username: 'admin' })
    expect(rows[0]?.fields).toContainEqual({ name: field, from: after })
    expect(storedText(server)).not.toContain('planted')
    expect(JSON.stringify(rows)).not.toContain('planted')
  })

  it('has no entry for a save that changes nothing, or that is refused', async () => {
    const server = await testServer()
    addMachine(server, 1)
    const admin = await enter(server, 1)
    const form = formWithSecrets(name, 'planted')
    const id = await createRecord(admin, name, form)
    await admin.call('PATCH', `${path}/${id}`, { body: form })
    await admin.call('PATCH', `${path}/${id}`, { body: '{' })
    await admin.call('PATCH', `${path}/${id}`, { body: { ...form, servers: [77], server_id: 77 } })
    const member = await enter(server, 2)
    await member.call('PATCH', `${path}/${id}`, { body: form })
    const { rows } = await changesFor(admin, `?entity=${name}&id=${id}`)
    expect(rows.filter(({ action }) => action === 'created')).toHaveLength(1)
    // Entities of the contract take ids that they do not know; then something has changed.
    expect(rows.every(({ fields, user_id }) => fields.length > 0 && user_id === 1)).toBe(true)
  })
})

describe('the history of changes', () => {
  it('has what a deletion changes in other records, with the same person', async () => {
    const server = await testServer()
    const machine = addMachine(server, 1)
    const admin = await enter(server, 1)
    await createRecord(admin, 'server-group', { name: 'g', servers: [machine] })
    await admin.call('POST', 'batch-delete/server', { body: [machine] })
    const [group] = (await changesFor(admin, '?entity=server-group&id=1')).rows
    expect(group).toMatchObject({ username: 'admin', fields: [{ name: 'servers', from: [machine], to: [] }] })
    expect((await changesFor(admin, '?entity=server')).rows[0]).toMatchObject({ action: 'deleted', username: 'admin' })
  })

  it('has nobody for a machine that registers by itself, and nothing of its reports', async () => {
    const server = await testServer({ machines: ({ store, now }) => createMachines({ store, now }) })
    const host = createTestHost({ uuid: 'a' })
    server.app.machines.add(host)
    host.report({ at: new Date(server.clock.now) })
    host.report({ at: new Date(server.clock.now + 3000) })
    const { rows } = await changesFor(await enter(server, 1), '?entity=server')
    expect(rows).toHaveLength(1)
    expect(rows[0]).not.toHaveProperty('user_id')
    expect(rows[0]).not.toHaveProperty('address')
  })

  it('has the settings that changed, and no others', async () => {
    const server = await testServer()
    const admin = await enter(server, 1)
    const { body } = await admin.get('setting')
    const { config } = (body as { data: { config: Record<string, unknown> } }).data
    await admin.call('PATCH', 'setting', { body: { ...config, site_name: 'New' } })
    const { rows } = await changesFor(admin, `?entity=${siteSetting.name}`)
    expect(rows.map(({ fields, username }) => ({ fields, username }))).toEqual([
      { username: 'admin', fields: [{ name: 'site_name', from: '', to: 'New' }] },
    ])
  })

  it('has new names and passwords of users, without the passwords, and shows them to the user', async () => {
    const server = await testServer()
    const member = await signedIn(server, 'member')
    const body = { original_password: password, new_password: 'planted and long', new_username: 'renamed' }
    expect((await member.call('POST', 'profile', { body })).body).toMatchObject({ success: true })
    const fields = [
      { name: 'username', from: 'member', to: 'renamed' },
      { name: 'password', secret: true },
    ]
    const again = await enter(server, 2)
    expect((await changesFor(again, '?entity=user&id=2')).rows[0]).toMatchObject({ fields, address: '127.0.0.1' })
    expect((await changesFor(again, '?entity=user&id=1')).rows).toEqual([])
    await again.call('POST', 'profile/agent-secret')
    const admin = await enter(server, 1)
    expect((await changesFor(admin, '?entity=user&id=2')).rows[0]?.fields).toEqual([
      { name: 'agent_secret', secret: true },
    ])
    const secrets = usersIn(server.store)
      .all()
      .flatMap((user) => [user.password, user.agent_secret])
    for (const secret of [...secrets, 'planted']) expect(storedText(server)).not.toContain(secret)
  })

  it('has nothing of a sign-in, also when it hashes the password anew', async () => {
    const server = await testServer({ passwordCost: { memory: 8, passes: 2, parallelism: 1 } })
    const before = usersIn(server.store).get(1)?.password
    const admin = await signedIn(server)
    expect(usersIn(server.store).get(1)?.password).not.toBe(before)
    const { rows } = await changesFor(admin, '?entity=user&id=1')
    expect(rows.map(({ action }) => action)).toEqual(['created'])
  })

  it('shows members the changes of records that are theirs, and not from where others came', async () => {
    const server = await testServer()
    const [admin, member] = [await enter(server, 1), await enter(server, 2)]
    const mine = await createRecord(member, 'cron', { ...validForm('cron'), servers: [] })
    await createRecord(admin, 'cron', { ...validForm('cron'), servers: [], command: 'of the admin' })
    await admin.call('PATCH', `cron/${mine}`, { body: { ...validForm('cron'), servers: [], command: 'second' } })
    const { rows, total } = await changesFor(member, '?entity=cron')
    expect(total).toBe(2)
    expect(rows).toMatchObject([
      { username: 'admin', record_id: mine, fields: [{ name: 'command', from: 'any', to: 'second' }] },
      { username: 'member', address: '127.0.0.1' },
    ])
    expect(rows[0]).not.toHaveProperty('address')
    expect(JSON.stringify(await changesFor(member))).not.toContain('of the admin')
    expect((await changesFor(admin, '?entity=cron')).total).toBe(3)
    expect((await server.browser().get('changes')).body).toEqual({ error: 'ApiErrorUnauthorized' })
  })

  it('has the new owner of records that are moved, who is shown it', async () => {
    const server = await testServer()
    const [admin, member] = [await enter(server, 1), await enter(server, 2)]
    await createRecord(member, 'cron', { ...validForm('cron'), servers: [], command: 'mine' })
    await admin.call('POST', 'wheelhouse/users/delete', { body: { ids: [2], records: 'move', to: 1 } })
    expect((await changesFor(admin, '?entity=cron&id=1')).rows[0]).toMatchObject({
      username: 'admin',
      fields: [{ name: 'user_id', from: 2, to: 1 }],
    })
  })

  it('is read page by page, and from a change on without what one did oneself', async () => {
    const server = await testServer()
    const [admin, member] = [await enter(server, 1), await enter(server, 2)]
    for (const text of ['a', 'b', 'c']) await createRecord(member, 'server-group', { name: text, servers: [] })
    const { rows, total } = await changesFor(admin, '?entity=server-group&offset=1&limit=1')
    expect({ total, names: rows.map(({ record_name }) => record_name) }).toEqual({ total: 3, names: ['b'] })
    await createRecord(admin, 'server-group', { name: 'mine', servers: [] })
    await createRecord(member, 'server-group', { name: 'd', servers: [] })
    const later = await changesFor(admin, `?after=${rows[0]?.id}&limit=1`)
    expect({ total: later.total, names: later.rows.map(({ record_name }) => record_name) }).toEqual({
      total: 2,
      names: ['d'],
    })
    for (const query of ['?id=1', '?entity=cron&id=x', '?after=-1']) {
      expect((await admin.get(`changes${query}`)).body).toHaveProperty('error')
    }
    expect((await admin.get('setting')).body).toMatchObject({ data: { wheelhouse: { changes: true } } })
  })

  it('is undone with the write that it belongs to', async () => {
    const { store } = await testServer()
    const groups = entityTable(store, entities['server-group'])
    const count = () => store.table({ name: 'change', columns: [] }).count()
    const before = count()
    const fail = () =>
      store.transaction(() => {
        groups.insert({ name: 'g', servers: [], user_id: 1 })
        throw new Error('later')
      })
    expect(fail).toThrow('later')
    expect(count()).toBe(before)
  })
})

describe('what is kept of changes', () => {
  const group = entities['server-group']
  const limits = {
    ageMs: 86_400_000,
    all: { rows: 40, characters: 100_000 },
    member: { rows: 10, characters: 20_000 },
  }

  function openLog() {
    const clock = { now: 1_000_000_000 }
    const log = openChangeLog(openStore(':memory:'), { now: () => clock.now, limits })
    const add = (userId: number, role: Role, id: number, text = '') =>
      withOrigin({ person: { id: userId, username: `user ${userId}`, role } }, () =>
        log.add(group, { action: 'updated', record: { id }, ownerId: 0, fields: [{ name: 'name', to: text }] }),
      )
    const ids = () => log.page({}, 0, 1000).rows.map(({ record_id }) => record_id)
    return { log, add, ids, clock }
  }

  it('has an age', () => {
    const { log, add, ids, clock } = openLog()
    add(1, roles.admin, 1)
    clock.now += limits.ageMs / 2
    add(1, roles.admin, 2)
    clock.now += limits.ageMs / 2 + 1
    add(1, roles.admin, 3)
    log.removeOld(clock.now)
    expect(ids()).toEqual([3, 2])
  })

  it('has a number and a size, of which the oldest go', () => {
    const { add, ids, log } = openLog()
    for (let id = 1; id <= 100; id++) add(1, roles.admin, id)
    expect(ids().length).toBeLessThanOrEqual(limits.all.rows)
    expect(ids().slice(0, 30)).toEqual(Array.from({ length: 30 }, (_, index) => 100 - index))
    for (let id = 101; id <= 110; id++) add(1, roles.admin, id, 'x'.repeat(30_000))
    expect(ids().slice(0, 3)).toEqual([110, 109, 108])
    expect(JSON.stringify(log.page({}, 0, 1000)).length).toBeLessThan(limits.all.characters + 10_000)
  })

  it('lets no member push out the changes of others', () => {
    const { add, ids } = openLog()
    for (let id = 1; id <= 5; id++) add(1, roles.admin, id)
    for (let id = 1001; id <= 1200; id++) add(2, roles.user, id, id % 2 ? 'x'.repeat(5_000) : '')
    const left = ids()
    expect(left.filter((id) => id < 1000)).toEqual([5, 4, 3, 2, 1])
    expect(left[0]).toBe(1200)
    expect(left.filter((id) => id > 1000).length).toBeLessThanOrEqual(limits.member.rows)
  })

  it('is the beginning of names that are very long', () => {
    const { log } = openLog()
    const record = { id: 1, name: 'ü'.repeat(100_000) }
    log.add(group, { action: 'deleted', record, ownerId: 0, fields: [] })
    expect(log.page({}, 0, 1).rows[0]?.record_name).toBe('ü'.repeat(256))
  })

  it('is the beginning of values that are very long', async () => {
    const server = await testServer()
    const admin = await enter(server, 1)
    const { body } = await admin.get('setting')
    const { config } = (body as { data: { config: Record<string, unknown> } }).data
    const code = 'ü'.repeat(100_000)
    await admin.call('PATCH', 'setting', { body: { ...config, site_name: 'a', custom_code: code } })
    const [change] = (await changesFor(admin, '?entity=setting')).rows
    expect(change?.fields).toContainEqual({ name: 'custom_code', from: null, to: 'ü'.repeat(256), cut: true })
  })
})
