import { describe, expect, it, vi } from 'vitest'
import { type AuditLine, openAuditLog } from '../../../server/audit/auditLog.ts'
import { usersIn } from '../../../server/auth/users/users.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { entities } from '../../../src/schemas/index.ts'
import type { Browser } from '../../support/console/browser.ts'
import { enter } from '../../support/server/fixtures/openSession.ts'
import { createTestHost } from '../../support/server/testHost.ts'
import { testServer } from '../../support/server/testServer.ts'

const [adminId, memberId, otherId] = [1, 2, 3]

/** Two machines, the first of the member, who has one record of each kind; a second member has nothing. */
async function startFixture() {
  const lines: AuditLine[] = []
  const hosts = [createTestHost({ uuid: 'a' }), createTestHost({ uuid: 'b' })] as const
  const server = await testServer({
    audit: openAuditLog({ lines }),
    machines: ({ store, now }) => createMachines({ store, now }),
  })
  const { app, store, clock } = server
  const report = () => {
    for (const host of hosts) host.report({ at: new Date(clock.now) })
  }
  for (const host of hosts) app.machines.add(host)
  report()
  entityTable(store, entities.server).update(1, { user_id: memberId })
  const member = usersIn(store).get(memberId) as { id: number }
  usersIn(store).insert({ ...member, id: undefined, username: 'other' } as object)
  const browsers = { admin: await enter(server, adminId), member: await enter(server, memberId) }
  const create = async (browser: Browser, path: string, body: object) =>
    expect((await browser.call('POST', path, { body })).body).toMatchObject({ success: true })
  await create(browsers.member, 'cron', {
    name: 'task',
    task_type: 0,
    scheduler: '0 * * * * *',
    command: 'whoami',
    servers: [],
    cover: 1,
  })
  await create(browsers.member, 'notification', {
    name: 'n',
    url: 'http://127.0.0.1:1/',
    request_method: 1,
    request_type: 1,
    skip_check: true,
  })
  await create(browsers.member, 'service', { name: 's', type: 3, target: 'example.org:1', duration: 30, cover: 0 })
  const rule = { type: 'cpu', max: 1, duration: 10, cover: 0 }
  await create(browsers.member, 'alert-rule', { name: 'a', enable: true, rules: [rule] })
  const pass = async (seconds: number) => {
    clock.now += seconds * 1000
    report()
    app.tasks.tick()
    await app.tasks.idle()
  }
  await pass(0)
  const remove = async (body: object) => (await browsers.admin.call('POST', 'wheelhouse/users/delete', { body })).body
  const counts = async (id: number) => (await browsers.admin.get(`wheelhouse/users/${id}/records`)).body
  return { server, ...browsers, hosts, lines, pass, remove, counts, commands: () => hosts.map((host) => host.commands) }
}

const ownedByMember = { server: 1, cron: 1, notification: 1, service: 1, 'alert-rule': 1 }

describe('a deleted user', () => {
  it('has no task that runs any more, whoever deleted the account and however', async () => {
    const { admin, hosts, pass, commands, server } = await startFixture()
    await pass(60)
    expect(commands()).toEqual([['whoami'], []])
    let signal: AbortSignal | undefined
    hosts[0].answer = (_command, given) => {
      signal = given
      return new Promise((resolve) =>
        given?.addEventListener('abort', () =>
          resolve({ exitCode: -1, ended: 'aborted', output: '', truncated: false }),
        ),
      )
    }
    server.clock.now += 60_000
    for (const host of hosts) host.report({ at: new Date(server.clock.now) })
    server.app.tasks.tick()
    // In a cluster an order waits until the run is durable.
    await vi.waitFor(() => expect(commands()[0]).toHaveLength(2))
    await admin.call('POST', 'batch-delete/user', { body: [memberId] })
    await pass(1)
    expect(signal?.aborted).toBe(true)
    await pass(120)
    expect(commands()).toEqual([['whoami', 'whoami'], []])
    expect((await admin.call('POST', 'cron/1/manual')).body).toEqual({
      error: 'the owner of task id 1 was deleted, so it does not run: make a new one',
    })
    server.app.tasks.trigger([1], undefined)
    await server.app.tasks.idle()
    expect(commands()[0]).toHaveLength(2)
  })

  it('is asked about first: the records are counted by kind', async () => {
    const { counts, member } = await startFixture()
    expect(await counts(memberId)).toEqual({ success: true, data: ownedByMember })
    expect(await counts(otherId)).toEqual({ success: true, data: {} })
    expect((await member.get('wheelhouse/users/1/records')).body).toEqual({ error: 'permission denied' })
  })

  it('goes with all records, and others keep theirs', async () => {
    const { remove, counts, admin, lines } = await startFixture()
    await admin.call('POST', 'server-group', { body: { name: 'mine', servers: [1, 2] } })
    expect(await remove({ ids: [memberId], records: 'delete' })).toEqual({ success: true })
    expect(await counts(memberId)).toEqual({ success: true, data: {} })
    expect(await counts(adminId)).toEqual({ success: true, data: { 'server-group': 1 } })
    expect((await admin.get('server-group')).body).toMatchObject({ data: [{ servers: [2] }] })
    expect(lines.at(-1)).toMatchObject({ action: 'user.delete', target: 'user 2', detail: { records: 'delete' } })
  })

  it('leaves the records to another member, with whom they go on', async () => {
    const { remove, counts, pass, commands } = await startFixture()
    expect(await remove({ ids: [memberId], records: 'move', to: otherId })).toEqual({ success: true })
    expect(await counts(otherId)).toEqual({ success: true, data: ownedByMember })
    await pass(60)
    expect(commands()).toEqual([['whoami'], []])
  })

  it('leaves nothing to an administrator that reaches more than before', async () => {
    const { remove, pass, commands, server, admin } = await startFixture()
    expect(await remove({ ids: [memberId], records: 'move', to: adminId })).toEqual({ success: true })
    await pass(60)
    expect(commands()).toEqual([['whoami'], []])
    expect(entityTable(server.store, entities.cron).get(1)).toMatchObject({ user_id: adminId, cover: 0, servers: [1] })
    expect((await admin.get('service/list')).body).toMatchObject({ data: [{ cover: 1, skip_servers: { 1: true } }] })
    expect((await admin.get('alert-rule')).body).toMatchObject({
      data: [{ rules: [{ cover: 1, ignore: { 1: true } }] }],
    })
    const notifiers = entityTable(server.store, entities.notification)
    const mayCallPrivate = () => server.app.mayCallPrivateTargets(notifiers.get(1) as { user_id: number })
    expect(mayCallPrivate()).toBe(false)
    const body = { name: 'n', url: '', request_method: 1, request_type: 1, skip_check: true }
    expect((await admin.call('PATCH', 'notification/1', { body })).body).toEqual({ success: true })
    expect(mayCallPrivate()).toBe(true)
  })

  it.each([
    [{ ids: [memberId], records: 'move' }, 'choose an existing user to whom the records are moved'],
    [{ ids: [memberId], records: 'move', to: 99 }, 'choose an existing user to whom the records are moved'],
    [
      { ids: [memberId, otherId], records: 'move', to: otherId },
      'the records cannot be moved to a user that is deleted: choose another one',
    ],
    [{ ids: [adminId], records: 'delete' }, "can't delete yourself"],
    [{ ids: [memberId] }, expect.stringMatching(/^records is not valid/)],
  ])('is not deleted by %j, and nothing changes', async (body, error) => {
    const { remove, counts, server } = await startFixture()
    expect(await remove(body)).toEqual({ error })
    expect(await counts(memberId)).toEqual({ success: true, data: ownedByMember })
    expect(usersIn(server.store).get(memberId)).toBeDefined()
  })
})
