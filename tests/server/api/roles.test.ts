import { beforeAll, describe, expect, it } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import type { Entity } from '../../../src/schemas/define/entity.ts'
import { type EntityName, entities } from '../../../src/schemas/index.ts'
import { enter } from '../../support/server/fixtures/openSession.ts'
import { type DescribedRoute, describedRoutes } from '../../support/server/routes/describedRoutes.ts'
import { adminsServer, bodyFor, isEnd, pathFor } from '../../support/server/routes/everyCall.ts'
import { addMachine, creatable, createRecord, validForm } from '../../support/server/routes/validForm.ts'
import { type TestServer, testServer } from '../../support/server/testServer.ts'

/** How a call is answered to a role. */
type Answer = 'yes' | 'permission denied' | 'unauthorized' | 'not signed in'

interface Row {
  member: Answer
  guest: Answer
  /** Default: `yes`. */
  admin?: Answer
}

const everybody: Row = { member: 'yes', guest: 'yes' }
const signedIn: Row = { member: 'yes', guest: 'not signed in' }
const admins: Row = { member: 'permission denied', guest: 'not signed in' }
/** The record in the path or body is an administrator's. */
const foreign = admins

/**
 * docs/contract/CONTRACT.md#4-who-may-call-what, row by row, and the calls that only this server has; `*` is the path
 * of an owned entity.
 */
const rows: Record<string, Row> = {
  'GET setting': everybody,
  'POST login': everybody,
  'GET oauth2/{provider}': everybody,
  'GET oauth2/callback': everybody,
  'GET server-group': everybody,
  'GET wheelhouse/status': everybody,
  'GET service': everybody,
  'GET service/server': everybody,
  'GET service/{id}/history': everybody,
  'GET server/{id}/service': everybody,
  'GET server/{id}/metrics': everybody,
  'GET profile': signedIn,
  'POST profile': signedIn,
  'POST refresh-token': signedIn,
  'GET refresh-token': signedIn,
  'POST oauth2/{provider}/unbind': signedIn,
  'GET api-tokens': signedIn,
  'POST api-tokens': signedIn,
  'DELETE api-tokens/{id}': signedIn,
  'GET *': signedIn,
  'POST *': signedIn,
  'PATCH *': foreign,
  'POST batch-delete/*': foreign,
  'POST */{id}/*': foreign,
  'PATCH server-group/{id}': { member: 'unauthorized', guest: 'not signed in' },
  'GET server/config/{id}': foreign,
  'POST server/config': foreign,
  // Somebody else's machine is listed as offline: the reply does not show that it exists.
  'POST force-update/server': signedIn,
  // The machine is offline here; the tests of the sessions have machines that are online.
  'POST terminal': signedIn,
  'POST file': signedIn,
  // No terminal is open here.
  'GET wheelhouse/terminals': signedIn,
  'POST wheelhouse/terminals/{session}/attach': signedIn,
  'POST wheelhouse/terminals/{session}/end': signedIn,
  'POST wheelhouse/terminals/{session}/share': signedIn,
  'POST wheelhouse/terminals/{session}/unshare': signedIn,
  'POST wheelhouse/terminals/{session}/record': signedIn,
  'POST wheelhouse/terminals/{session}/type': signedIn,
  'POST wheelhouse/shared-terminals/{code}/join': signedIn,
  // Nothing is recorded here.
  'GET wheelhouse/recordings': signedIn,
  'GET wheelhouse/recordings/{recording}': signedIn,
  'GET wheelhouse/recordings/{recording}/play': signedIn,
  'GET wheelhouse/recordings/{recording}/download': signedIn,
  'DELETE wheelhouse/recordings/{recording}': signedIn,
  'GET wheelhouse/snippets': signedIn,
  'POST wheelhouse/snippets': admins,
  'DELETE wheelhouse/snippets/{id}': admins,
  'GET ddns/providers': signedIn,
  'GET wheelhouse/ddns': signedIn,
  'GET wheelhouse/ddns/{id}': foreign,
  'POST wheelhouse/ddns/{id}/update': foreign,
  'POST wheelhouse/nat/{id}/release': admins,
  'GET cron/{id}/runs': foreign,
  'GET server/{id}/runs': foreign,
  // There is no run here; `tests/server/tasks/taskRuns.test.ts` has them.
  'GET wheelhouse/task-runs/{id}': signedIn,
  'POST wheelhouse/alert-rule/backtest': foreign,
  'POST wheelhouse/notification/preview': foreign,
  'POST wheelhouse/checks/try': foreign,
  'POST wheelhouse/checks/{id}/renew': foreign,
  'GET wheelhouse/servers/{id}/processes': foreign,
  'GET wheelhouse/servers/{id}/processes/{pid}/files': foreign,
  'POST wheelhouse/questions': foreign,
  'POST wheelhouse/questions/command': foreign,
  'GET wheelhouse/questions/{question}': signedIn,
  'POST wheelhouse/questions/{question}/end': signedIn,
  'GET wheelhouse/servers/{id}/containers': foreign,
  'GET wheelhouse/servers/{id}/containers/{container}/logs': foreign,
  'GET wheelhouse/servers/{id}/containers/{container}/inspect': foreign,
  'GET wheelhouse/servers/{id}/units': foreign,
  'GET wheelhouse/servers/{id}/logs': foreign,
  'GET wheelhouse/servers/{id}/logs/files': foreign,
  'GET wheelhouse/servers/{id}/disks': foreign,
  'GET wheelhouse/servers/{id}/disks/folders': foreign,
  'GET wheelhouse/servers/{id}/network': foreign,
  'GET wheelhouse/servers/{id}/packages': foreign,
  'GET wheelhouse/servers/{id}/hardware': foreign,
  // No alarm has one here; `tests/server/inspect/snapshot.test.ts` has some.
  'GET wheelhouse/alarms/{id}/snapshot': signedIn,
  // No machine is asked for anything here.
  'GET wheelhouse/conditions': signedIn,
  'POST wheelhouse/servers/{id}/processes/{pid}/signal': foreign,
  'POST wheelhouse/servers/{id}/processes/{pid}/priority': foreign,
  'POST wheelhouse/servers/{id}/containers/{container}/{act}': foreign,
  'POST wheelhouse/servers/{id}/units/{name}/{act}': foreign,
  'GET wheelhouse/servers/{id}/files': foreign,
  'GET wheelhouse/servers/{id}/files/search': foreign,
  'GET wheelhouse/servers/{id}/files/sizes': foreign,
  'GET wheelhouse/servers/{id}/files/checksum': foreign,
  'GET wheelhouse/servers/{id}/files/left-parts': foreign,
  'GET wheelhouse/servers/{id}/files/part': foreign,
  'GET wheelhouse/servers/{id}/files/follow': foreign,
  'GET wheelhouse/servers/{id}/files/blocks': foreign,
  'GET wheelhouse/servers/{id}/files/content': foreign,
  'POST wheelhouse/servers/{id}/files/upload': foreign,
  'POST wheelhouse/servers/{id}/files/upload/place': foreign,
  'POST wheelhouse/servers/{id}/files/upload/discard': foreign,
  'POST wheelhouse/servers/{id}/files/archive': foreign,
  'POST wheelhouse/servers/{id}/files/send': foreign,
  'POST wheelhouse/servers/{id}/files/folders': foreign,
  'GET wheelhouse/file-transfers': signedIn,
  // Of a person's own transfers, of which there is none here: `tests/server/inspect/sendFiles.test.ts`.
  'GET wheelhouse/file-transfers/{transfer}/archive': signedIn,
  'POST wheelhouse/file-transfers/{transfer}/cancel': signedIn,
  'POST wheelhouse/servers/{id}/files/pack': foreign,
  'POST wheelhouse/servers/{id}/files/unpack': foreign,
  'POST wheelhouse/servers/{id}/files/measure': foreign,
  'POST wheelhouse/servers/{id}/files/create': foreign,
  'POST wheelhouse/servers/{id}/files/move': foreign,
  'POST wheelhouse/servers/{id}/files/copy': foreign,
  'POST wheelhouse/servers/{id}/files/delete': foreign,
  'POST wheelhouse/servers/{id}/files/rights': foreign,
  'POST wheelhouse/import-files': admins,
  'POST wheelhouse/import-files/{file}/parts': admins,
  'POST wheelhouse/import-files/{file}/plan': admins,
  'DELETE wheelhouse/import-files/{file}': admins,
  'GET wheelhouse/imports': admins,
  'POST wheelhouse/imports': admins,
  'POST wheelhouse/imports/{id}/undo': admins,
  'POST batch-move/server': foreign,
  'GET transfer': signedIn,
  // Nobody takes part in a transfer that does not exist.
  'POST transfer/{id}/cancel': { ...foreign, admin: 'permission denied' },
  'POST transfer/{id}/retry': admins,
  'GET wheelhouse/security': admins,
  'GET wheelhouse/users/{id}/records': admins,
  'POST wheelhouse/users/delete': admins,
  'POST wheelhouse/users/{id}/disable': admins,
  'POST wheelhouse/users/{id}/enable': admins,
  'POST wheelhouse/users/{id}/end-access': admins,
  'GET wheelhouse/roles': signedIn,
  'POST wheelhouse/roles': admins,
  'PATCH wheelhouse/roles/{id}': admins,
  'DELETE wheelhouse/roles/{id}': admins,
  // An administrator's own roles are for another one to change.
  'PATCH wheelhouse/users/{id}/roles': admins,
  'GET wheelhouse/teams': signedIn,
  'POST wheelhouse/teams': admins,
  'PATCH wheelhouse/teams/{id}': admins,
  'DELETE wheelhouse/teams/{id}': admins,
  'PATCH wheelhouse/teams/{id}/roles': admins,
  'GET wheelhouse/sign-in-providers': admins,
  'POST wheelhouse/sign-in-providers': admins,
  'POST wheelhouse/sign-in-providers/test': admins,
  'PATCH wheelhouse/sign-in-providers/{id}': admins,
  'DELETE wheelhouse/sign-in-providers/{id}': admins,
  'PATCH wheelhouse/only-providers': admins,
  'GET wheelhouse/invitations': admins,
  'GET wheelhouse/invitations/mailers': admins,
  'POST wheelhouse/invitations': admins,
  'DELETE wheelhouse/invitations/{id}': admins,
  'POST wheelhouse/invitations/read': everybody,
  'POST wheelhouse/invitations/accept': everybody,
  'GET user': admins,
  'POST user': admins,
  'POST batch-delete/user': admins,
  'POST wheelhouse/notification/{id}/dismiss': foreign,
  'POST wheelhouse/notification/{id}/test': foreign,
  'POST wheelhouse/notification/{id}/reveal': foreign,
  'POST wheelhouse/deliveries/{id}/send-again': admins,
  'GET wheelhouse/incidents': signedIn,
  // There is no incident here; `tests/server/incidents` has them.
  'GET wheelhouse/incidents/{id}': signedIn,
  'POST wheelhouse/incidents/{id}/acknowledge': signedIn,
  'POST wheelhouse/incidents/{id}/unacknowledge': signedIn,
  'POST wheelhouse/incidents/{id}/note': signedIn,
  'POST wheelhouse/incidents/{id}/resolve': signedIn,
  'GET wheelhouse/rotas/{id}/shifts': foreign,
  'POST wheelhouse/rotas/{id}/feed': foreign,
  'POST wheelhouse/profile/notifiers': signedIn,
  // Of a person's own devices, of which there is none here: `tests/server/notifications/devices.isolated.test.ts`.
  // There is no directory here; `tests/server/auth/ldap/bindDirectory.test.ts` has one.
  'POST wheelhouse/profile/directory': signedIn,
  'GET wheelhouse/push': signedIn,
  'POST wheelhouse/push': signedIn,
  'DELETE wheelhouse/push/{id}': signedIn,
  'GET wheelhouse/last-hour': signedIn,
  'GET wheelhouse/silences': signedIn,
  'GET wheelhouse/server-shares': admins,
  'POST wheelhouse/server-shares': admins,
  'PATCH wheelhouse/server-shares/{id}': admins,
  'POST batch-delete/wheelhouse/server-shares': admins,
  'GET waf': admins,
  'POST batch-delete/waf': admins,
  'GET online-user': admins,
  'POST online-user/batch-block': admins,
  'PATCH setting': admins,
  'GET wheelhouse/stored-secrets': signedIn,
  'GET wheelhouse/configuration/names': signedIn,
  'POST wheelhouse/configuration': admins,
  'GET wheelhouse/alarms': signedIn,
  'GET wheelhouse/trouble': signedIn,
  'GET wheelhouse/traffic': signedIn,
  'GET wheelhouse/traffic/{id}': foreign,
  'POST wheelhouse/traffic/{id}/correct': foreign,
  'GET wheelhouse/costs': signedIn,
  'GET wheelhouse/contract-troubles': signedIn,
  'GET wheelhouse/contract-setting': admins,
  'PATCH wheelhouse/contract-setting': admins,
  'GET changes': signedIn,
  'GET wheelhouse/audit': admins,
  // Only on PostgreSQL.
  'GET wheelhouse/cluster': admins,
  'GET wheelhouse/deliveries': signedIn,
  'GET wheelhouse/service/{id}/outages': signedIn,
  'GET wheelhouse/service/{id}/details': signedIn,
  'GET wheelhouse/address/{header}': admins,
  'GET wheelhouse/agents/turned-away': signedIn,
  'POST wheelhouse/agents/admit': signedIn,
  'GET wheelhouse/agents/own': signedIn,
  'POST profile/agent-secret': signedIn,
  'GET wheelhouse/sessions': signedIn,
  'DELETE wheelhouse/sessions': signedIn,
  'DELETE wheelhouse/sessions/{id}': signedIn,
  'POST wheelhouse/logout': signedIn,
  'POST wheelhouse/sign-in/options': everybody,
  'POST wheelhouse/sign-in': everybody,
  'POST wheelhouse/reauthentication/options': signedIn,
  'POST wheelhouse/reauthentication': signedIn,
  'GET wheelhouse/second-factor': signedIn,
  'POST wheelhouse/second-factor/totp/start': signedIn,
  'POST wheelhouse/second-factor/totp': signedIn,
  'DELETE wheelhouse/second-factor/totp': signedIn,
  'POST wheelhouse/second-factor/passkeys/start': signedIn,
  'POST wheelhouse/second-factor/passkeys': signedIn,
  'DELETE wheelhouse/second-factor/passkeys/{id}': signedIn,
  'POST wheelhouse/second-factor/recovery-codes': signedIn,
  'DELETE wheelhouse/second-factor/users/{id}': admins,
}

const owned: EntityName[] = ['server', ...creatable.filter((name) => entities[name].access.create !== 'admin')]
const ownedPaths = owned.flatMap((name) => [entities[name].api.path, entities[name].api.listPath])

const rowOf = ({ name }: DescribedRoute): Row | undefined => {
  if (rows[name]) return rows[name]
  const [method, path = ''] = name.split(' ')
  const [, before = '', entity = '', action = ''] = /^(batch-delete\/)?(.*?)(?:\/\{id\}(\/\w+)?)?$/.exec(path) ?? []
  return ownedPaths.includes(entity) ? rows[`${method} ${before}*${action && '/{id}/*'}`] : undefined
}

const answers: Record<string, Answer> = {
  ApiErrorUnauthorized: 'not signed in',
  'permission denied': 'permission denied',
  'only the owner of a notifier may see its address': 'permission denied',
  unauthorized: 'unauthorized',
  // The machine is offline here.
  'This machine is offline.': 'yes',
  'the server is not connected: choose another one': 'yes',
  'no job reports to this service': 'yes',
  // Nothing was sent here.
  'delivery id 1 does not exist': 'yes',
  'incident id 1 does not exist': 'yes',
  'question not found: ask it again': 'yes',
}

let routes: DescribedRoute[]
/** For what changes nothing that others look at. */
let shared: TestServer
beforeAll(async () => {
  routes = await describedRoutes(await testServer())
  shared = await adminsServer()
})

describe('every call of the server', () => {
  it('has a row in the table', () => {
    expect(routes.length).toBeGreaterThan(40)
    expect(routes.filter((route) => !rowOf(route)).map(({ name }) => name)).toEqual([])
  })

  it.each([
    ['an administrator', 1, (row: Row) => row.admin ?? ('yes' as const)],
    ['a member', 2, (row: Row) => row.member],
    ['a guest', undefined, (row: Row) => row.guest],
  ] as const)('answers %s as the row says, on the records of an administrator', async (_, userId, expected) => {
    const wrong: unknown[] = []
    const server = await adminsServer()
    addMachine(server, 2)
    for (const route of routes.toSorted((one, other) => Number(isEnd(one)) - Number(isEnd(other)))) {
      // A session of its own for each: some calls end it.
      const browser = await enter(server, userId)
      const reply = await browser.call(route.method, pathFor(route), { body: bodyFor(route) })
      const { error = '' } = (reply.body ?? {}) as { error?: string }
      // A sign-in that fails says the same as a session that is missing.
      const answer = route.name === 'POST login' ? 'yes' : (answers[error] ?? (reply.status < 400 ? 'yes' : reply.text))
      const row = rowOf(route) as Row
      if (answer !== expected(row)) wrong.push([route.name, answer])
    }
    expect(wrong).toEqual([])
  })
})

describe.each(owned)('%s of an administrator', (name) => {
  it('cannot be seen, changed or deleted by a member', async () => {
    const { api } = entities[name]
    const table = entityTable(shared.store, entities[name])
    const before = table.get(1)
    const member = await enter(shared, 2)
    for (const query of ['', '?id=1']) {
      expect((await member.get(api.listPath + query)).body).toEqual({ success: true })
    }
    await member.call('PATCH', `${api.path}/1`, { body: validForm(name, { text: 'taken' }) })
    await member.call('POST', `batch-delete/${api.path}`, { body: [1] })
    expect(table.get(1)).toEqual(before)
  })

  it('does not prevent a member from creating, changing and deleting an own one as the schema allows', async () => {
    const server = await adminsServer()
    const machine = addMachine(server, 2)
    const member = await enter(server, 2)
    const { api, access }: Entity = entities[name]
    const form = { ...validForm(name, { server: machine }), name: 'mine' }
    const id = name === 'server' ? machine : await createRecord(member, name, form)
    const done = { success: true }
    const denied = { error: 'permission denied' }
    const mayDelete = access.delete !== 'admin'
    expect((await member.call('PATCH', `${api.path}/${id}`, { body: form })).body).toMatchObject(done)
    expect((await member.get(api.listPath)).body).toMatchObject({ data: [{}] })
    const deletion = await member.call('POST', `batch-delete/${api.path}`, { body: [id] })
    expect(deletion.body).toEqual(mayDelete ? done : denied)
    expect((await member.get(api.listPath)).body).toEqual(mayDelete ? done : { ...done, data: [expect.anything()] })
  })
})

describe('a member who names in a form', () => {
  const named: [string, EntityName, Record<string, unknown>][] = [
    ['a machine, in a task', 'cron', { servers: [1] }],
    ['a machine, in a NAT profile', 'nat', { server_id: 1 }],
    ['a machine, in a server group', 'server-group', { servers: [1] }],
    ['a machine, in a service', 'service', { skip_servers: { 1: true } }],
    [
      'a machine, in an alert rule',
      'alert-rule',
      { rules: [{ type: 'offline', duration: 10, cover: 0, ignore: { 1: true } }] },
    ],
    ['a notifier, in a group', 'notification-group', { notifications: [1] }],
    ['a notifier group, in a task', 'cron', { servers: [], notification_group_id: 1 }],
    ['a notifier group, in a service', 'service', { notification_group_id: 1 }],
    ['a notifier group, in an alert rule', 'alert-rule', { notification_group_id: 1 }],
    ['a task, in a service', 'service', { fail_trigger_tasks: [1] }],
    ['a task, in an alert rule', 'alert-rule', { recover_trigger_tasks: [1] }],
  ]

  let machine: number
  beforeAll(() => {
    machine = addMachine(shared, 2)
  })

  it.each(named)('%s, that is somebody else’s, is refused', async (_, name, fields) => {
    const member = await enter(shared, 2)
    const body = { ...validForm(name, { server: machine }), ...fields }
    const reply = await member.call('POST', entities[name].api.path, { body })
    expect(reply.body).toEqual({ error: 'permission denied' })
  })
})
