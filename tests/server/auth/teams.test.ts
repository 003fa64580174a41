import { describe, expect, it } from 'vitest'
import { type AuditLine, openAuditLog } from '../../../server/audit/auditLog.ts'
import type { RoleAssignment } from '../../../src/schemas/define/access.ts'
import { teamLimits } from '../../../src/schemas/endpoints/roleAndTeamEndpoints.ts'
import type { Browser } from '../../support/console/browser.ts'
import { mailServer } from '../../support/fakes/mailServer.ts'
import { enter } from '../../support/server/fixtures/openSession.ts'
import { addMachine, createRecord } from '../../support/server/routes/validForm.ts'
import { testServer } from '../../support/server/testServer.ts'

const [adminId, memberId] = [1, 2]
const done = { success: true }
const denied = { error: 'permission denied' }
const notHad = { error: 'permission denied: you give and take only what you have yourself' }

/** The administrator's machines 1 and 2, a group with the first one, and a third user. */
async function startFixture() {
  const lines: AuditLine[] = []
  const server = await testServer({ audit: openAuditLog({ lines }) })
  for (const name of ['web-1', 'db-1']) addMachine(server, adminId, { name, uuid: name, hide_for_guest: true })
  const admin = await enter(server, adminId)
  const group = await createRecord(admin, 'server-group', { name: 'web', servers: [1] })
  const otherId = await createRecord(admin, 'user', { username: 'other', role: 1, password: 'long enough' })
  const [member, other] = [await enter(server, memberId), await enter(server, otherId)]
  const { teams, roles } = server.app.auth
  /** A team of the member, with the machine 1. */
  const makeTeam = async (values: object = {}, given: readonly object[] = []) => {
    const body = { name: 'on call', users: [memberId], servers: [1], ...values }
    const made = await admin.call('POST', 'wheelhouse/teams', { body })
    const { id } = (made.body as { data: { id: number } }).data
    if (given.length > 0) await give(id, given)
    return id
  }
  const give = (id: number, given: readonly object[], by: Browser = admin) =>
    by.call('PATCH', `wheelhouse/teams/${id}/roles`, { body: { roles: given } }).then(({ body }) => body)
  const change = (id: number, values: object, by: Browser = admin) =>
    by
      .call('PATCH', `wheelhouse/teams/${id}`, {
        body: { name: 'on call', users: [memberId], servers: [1], ...values },
      })
      .then(({ body }) => body)
  return { server, lines, admin, member, other, otherId, group, teams, roles, makeTeam, give, change }
}

const operator = { role: 'operator', scope: 'team' }
const onServer = (role: RoleAssignment['role'], ...servers: number[]): RoleAssignment => ({
  role,
  scope: { groups: [], servers },
})

const dataOf = async (browser: Browser, path: string) =>
  ((await browser.get(path)).body as { data?: Record<string, unknown>[] }).data ?? []
const namesFor = async (browser: Browser) => (await dataOf(browser, 'server')).map(({ name }) => name)

describe('a team', () => {
  it('gives its roles to who is in it, and takes them at once from who leaves', async () => {
    const { member, makeTeam, give, change, lines } = await startFixture()
    const id = await makeTeam()
    expect(await namesFor(member)).toEqual([])
    expect(await give(id, [operator])).toEqual(done)
    expect(await dataOf(member, 'server')).toMatchObject([{ name: 'web-1', read_only: true, rights: ['see', 'act'] }])
    expect(await dataOf(member, 'wheelhouse/teams')).toEqual([
      { id, name: 'on call', users: [memberId], signed_in_users: [], servers: [1], roles: [operator] },
    ])
    expect(lines.at(-1)).toMatchObject({
      action: 'team.roles',
      detail: { name: 'on call', roles: 'operator for team' },
    })
    expect(await change(id, { users: [] })).toEqual(done)
    expect(await namesFor(member)).toEqual([])
    expect(await dataOf(member, 'wheelhouse/teams')).toEqual([])
  })

  it('gives nothing any more once it is deleted', async () => {
    const { server, admin, member, makeTeam } = await startFixture()
    const id = await makeTeam({}, [operator])
    const { has } = server.app.auth.roles.grantsOf(memberId)
    expect(has('act', [1])).toBe(true)
    expect((await admin.call('DELETE', `wheelhouse/teams/${id}`)).body).toEqual(done)
    expect(has('act', [1])).toBe(false)
    expect(await namesFor(member)).toEqual([])
  })

  it('has roles for the servers that are its own at the moment', async () => {
    const { member, makeTeam, change } = await startFixture()
    const id = await makeTeam({}, [operator])
    await change(id, { servers: [2] })
    expect(await namesFor(member)).toEqual(['db-1'])
  })

  it('may have roles for groups, single servers and all', async () => {
    const { member, makeTeam, give, group } = await startFixture()
    const id = await makeTeam({ servers: [] })
    await give(id, [{ role: 'viewer', scope: { groups: [group] } }])
    expect(await namesFor(member)).toEqual(['web-1'])
    await give(id, [onServer('viewer', 2)])
    expect(await namesFor(member)).toEqual(['db-1'])
    await give(id, [{ role: 'viewer', scope: 'all' }])
    expect(await namesFor(member)).toEqual(['web-1', 'db-1'])
  })

  it('makes nobody an administrator of everything', async () => {
    const { makeTeam, give } = await startFixture()
    const id = await makeTeam()
    expect(await give(id, [{ role: 'administrator', scope: 'all' }])).toMatchObject({
      error: expect.stringContaining('give this role to people'),
    })
  })

  it('gives a disabled account nothing, and forgets a deleted one', async () => {
    const { admin, roles, teams, makeTeam } = await startFixture()
    const id = await makeTeam({}, [operator])
    const { has } = roles.grantsOf(memberId)
    await admin.call('POST', `wheelhouse/users/${memberId}/disable`)
    expect(has('act', [1])).toBe(false)
    await admin.call('POST', 'batch-delete/user', { body: [memberId] })
    expect(teams.get(id).users).toEqual([])
  })

  it('has a name of its own, and people and servers that there are', async () => {
    const { admin, makeTeam, change } = await startFixture()
    const id = await makeTeam()
    const make = (body: object) => admin.call('POST', 'wheelhouse/teams', { body }).then(({ body }) => body)
    expect(await make({ name: 'On Call' })).toMatchObject({ error: expect.stringContaining('a team with this name') })
    expect(await make({ name: 'x', users: [99] })).toEqual({ error: 'users: user id 99 does not exist' })
    expect(await make({ name: 'x', servers: [99] })).toEqual({ error: 'servers: server id 99 does not exist' })
    expect(await change(99, {})).toEqual({ error: 'team id 99 does not exist' })
    await admin.call('POST', 'batch-delete/server', { body: [1] })
    expect(await dataOf(admin, 'wheelhouse/teams')).toMatchObject([{ servers: [] }])
    expect(await change(id, { servers: [], name: 'renamed' })).toEqual(done)
  })

  it('lets nobody give roles, or read who there is, for a server that was deleted', async () => {
    const { admin, member, makeTeam } = await startFixture()
    const peopleRead = async () => ((await member.get('wheelhouse/roles')).body as { data: { people: [] } }).data.people
    const named = { roles: [onServer('administrator', 2)] }
    expect((await admin.call('PATCH', `wheelhouse/users/${memberId}/roles`, { body: named })).body).toEqual(done)
    await makeTeam({}, [{ role: 'administrator', scope: 'team' }])
    expect(await peopleRead()).toHaveLength(3)
    await admin.call('POST', 'batch-delete/server', { body: [2] })
    expect(await peopleRead()).toHaveLength(3)
    await admin.call('POST', 'batch-delete/server', { body: [1] })
    expect(await peopleRead()).toHaveLength(1)
  })

  it('is one of a limited number', async () => {
    const { admin, teams } = await startFixture()
    for (let count = 0; count < teamLimits.teams; count++) {
      teams.create({ name: `team ${count}`, users: [], servers: [] })
    }
    const { body } = await admin.call('POST', 'wheelhouse/teams', { body: { name: 'one more' } })
    expect(body).toMatchObject({ error: expect.stringContaining('delete those that nobody needs') })
  })

  it('keeps an own role from being deleted that it has', async () => {
    const { admin, makeTeam, give } = await startFixture()
    const { body } = await admin.call('POST', 'wheelhouse/roles', { body: { name: 'Watch', rights: ['act'] } })
    const { id: role } = (body as { data: { id: number } }).data
    const id = await makeTeam({}, [{ role, scope: 'team' }])
    const remove = () => admin.call('DELETE', `wheelhouse/roles/${role}`).then(({ body }) => body)
    expect(await remove()).toEqual({ error: 'the team "on call" has this role: take it from the team first' })
    await give(id, [])
    expect(await remove()).toEqual(done)
    expect(await give(id, [{ role, scope: 'team' }])).toEqual({ error: `role id ${role} does not exist` })
  })
})

describe('who may give roles without being an administrator', () => {
  it('gives and takes by a team what they have themselves, and nothing else', async () => {
    const { other, otherId, roles, makeTeam, give, change, teams } = await startFixture()
    roles.assign(otherId, [onServer('administrator', 1)])
    const id = await makeTeam({}, [{ role: 'viewer', scope: 'team' }])
    expect(await give(id, [operator], other)).toEqual(done)
    expect(await give(id, [operator, onServer('viewer', 2)], other)).toEqual(notHad)
    expect(await give(id, [operator, { role: 'viewer', scope: 'all' }], other)).toEqual(notHad)
    // The team would have a server that is none of theirs.
    expect(await change(id, { servers: [1, 2] }, other)).toEqual(notHad)
    expect(await change(id, { users: [] }, other)).toEqual(done)
    expect(await change(id, { users: [adminId] }, other)).toEqual(notHad)
    expect(await change(id, { users: [otherId] }, other)).toMatchObject({ error: expect.stringContaining('own roles') })
    teams.setRoles(id, [{ role: 'viewer', scope: { groups: [], servers: [2] } }])
    expect(await change(id, { users: [memberId] }, other)).toEqual(notHad)
    expect((await other.call('DELETE', `wheelhouse/teams/${id}`)).body).toEqual(notHad)
    expect(await give(id, [], other)).toEqual(notHad)
  })

  it('makes teams with roles that they have, for others and with servers of theirs', async () => {
    const { member, other, otherId, roles } = await startFixture()
    roles.assign(otherId, [onServer('administrator', 1)])
    const make = (values: object) =>
      other
        .call('POST', 'wheelhouse/teams', {
          body: { name: 'theirs', users: [memberId], servers: [1], roles: [operator], ...values },
        })
        .then(({ body }) => body)
    expect(await make({ roles: [] })).toEqual(notHad)
    expect(await make({ servers: [1, 2] })).toEqual(notHad)
    expect(await make({ roles: [onServer('viewer', 2)] })).toEqual(notHad)
    // No role is for the servers of the team yet, but one could be.
    expect(await make({ servers: [2], roles: [onServer('viewer', 1)] })).toEqual(notHad)
    expect(await make({ users: [otherId] })).toMatchObject({ error: expect.stringContaining('own roles') })
    expect(await make({})).toMatchObject(done)
    expect(await namesFor(member)).toEqual(['web-1'])
  })

  it('changes nothing of a team that has no roles yet, which may be meant to get greater ones', async () => {
    const { other, otherId, roles, makeTeam, give, change } = await startFixture()
    roles.assign(otherId, [onServer('administrator', 1)])
    const id = await makeTeam({ users: [], servers: [] })
    expect(await change(id, { users: [memberId], servers: [] }, other)).toEqual(notHad)
    expect(await change(id, { users: [], servers: [], name: 'renamed' }, other)).toEqual(notHad)
    expect(await give(id, [onServer('viewer', 1)], other)).toEqual(notHad)
    expect((await other.call('DELETE', `wheelhouse/teams/${id}`)).body).toEqual(notHad)
  })

  it('cannot give on what they have by a team for the servers of the team', async () => {
    const { other, otherId, makeTeam, give } = await startFixture()
    await makeTeam({ users: [otherId] }, [{ role: 'administrator', scope: 'team' }])
    const id = await makeTeam({ name: 'theirs' }, [operator])
    expect(await give(id, [operator, onServer('viewer', 1)], other)).toEqual(notHad)
  })

  it('is nobody without the right: a member sees their own teams alone, and changes none', async () => {
    const { member, other, makeTeam, give, change } = await startFixture()
    const id = await makeTeam({}, [operator])
    expect(await dataOf(other, 'wheelhouse/teams')).toEqual([])
    for (const browser of [member, other]) {
      expect((await browser.call('POST', 'wheelhouse/teams', { body: { name: 'mine' } })).body).toEqual(denied)
      expect(await change(id, {}, browser)).toEqual(denied)
      expect(await give(id, [], browser)).toEqual(denied)
      expect((await browser.call('DELETE', `wheelhouse/teams/${id}`)).body).toEqual(denied)
    }
  })
})

describe('the teams that a source gives somebody', () => {
  it('follow it, and leave alone what was done by hand or by another source', async () => {
    const { member, makeTeam, teams, change } = await startFixture()
    const [first, second] = [await makeTeam({ users: [] }, [operator]), await makeTeam({ name: 'two', servers: [2] })]
    teams.setFrom('oidc:company', memberId, [first, 999])
    teams.setFrom('ldap', memberId, [first, second])
    expect(await namesFor(member)).toEqual(['web-1'])
    expect(teams.get(second)).toMatchObject({ users: [memberId], signed_in_users: [memberId] })
    // A save of the form keeps who is in it by a source.
    await change(first, { users: [] })
    expect(teams.get(first)).toMatchObject({ users: [], signed_in_users: [memberId] })
    teams.setFrom('oidc:company', memberId, [])
    expect(teams.get(first).signed_in_users).toEqual([memberId])
    teams.setFrom('ldap', memberId, [])
    expect(await namesFor(member)).toEqual([])
    expect(teams.get(second)).toMatchObject({ users: [memberId], signed_in_users: [] })
  })
})

describe('an invitation', () => {
  const invite = (browser: Browser, body: object) => browser.call('POST', 'wheelhouse/invitations', { body })
  const accept = async ({ server }: Awaited<ReturnType<typeof startFixture>>, token: string) => {
    const browser = server.browser('192.0.2.7')
    const body = { token, username: 'grace', password: 'long enough' }
    await browser.call('POST', 'wheelhouse/invitations/accept', { body })
    return browser
  }

  it('puts the new account into its team', async () => {
    const fixture = await startFixture()
    const team = await fixture.makeTeam({}, [operator])
    const { body } = await invite(fixture.admin, { team })
    const { token } = (body as { data: { token: string } }).data
    expect(await dataOf(fixture.admin, 'wheelhouse/invitations')).toMatchObject([{ team }])
    expect(await namesFor(await accept(fixture, token))).toEqual(['web-1'])
    expect((await invite(fixture.admin, { team: 99 })).body).toEqual({ error: 'team: team id 99 does not exist' })
  })

  it('makes an account without a team once the team is deleted', async () => {
    const fixture = await startFixture()
    const team = await fixture.makeTeam({}, [operator])
    const { body } = await invite(fixture.admin, { team })
    await fixture.admin.call('DELETE', `wheelhouse/teams/${team}`)
    expect(await dataOf(fixture.admin, 'wheelhouse/invitations')).toMatchObject([{ team: 0 }])
    const browser = await accept(fixture, (body as { data: { token: string } }).data.token)
    expect((await browser.get('profile')).body).toMatchObject({ data: { username: 'grace' } })
    expect(await namesFor(browser)).toEqual([])
  })

  it('is mailed by a notifier of who invites, in their language', async () => {
    const { admin, server } = await startFixture()
    const { mails, url } = await mailServer()
    const notifier = { name: 'Mail', url: url('to=oncall@example.org'), verify_tls: false, skip_check: true }
    const form = { request_method: 1, request_type: 1, request_header: '', request_body: '' }
    const id = await createRecord(admin, 'notification', { ...form, ...notifier })
    expect(await dataOf(admin, 'wheelhouse/invitations/mailers')).toEqual([{ id, name: 'Mail' }])
    const mail = { notification_id: id, to: 'grace@example.org', language: 'de-DE' }
    const { body } = await invite(admin, { mail })
    const { data } = body as { data: { url: string } }
    expect(data).toMatchObject({ mailed: true })
    expect(mails).toMatchObject([{ to: ['grace@example.org'] }])
    expect(mails[0]?.headers.subject).toMatch(/^Einladung zu /)
    expect(mails[0]?.text).toContain(data.url)
    expect(mails[0]?.text).toContain('admin lädt zu')
    expect(server.app.auth.invitations.open()).toHaveLength(1)
  })

  it('is there all the same when the mail is not sent, and says why', async () => {
    const { admin } = await startFixture()
    const { url } = await mailServer({
      onRcptTo: (_to, _session, done) => done(Object.assign(new Error('no such mailbox'), { responseCode: 550 })),
    })
    const notifier = { name: 'Mail', url: url(), verify_tls: false, skip_check: true }
    const form = { request_method: 1, request_type: 1, request_header: '', request_body: '' }
    const notification_id = await createRecord(admin, 'notification', { ...form, ...notifier })
    const { body } = await invite(admin, { mail: { notification_id, to: 'grace@example.org' } })
    expect(body).toMatchObject({ data: { mailed: false, mail_error: 'no such mailbox', url: expect.any(String) } })
  })

  it('is mailed by no notifier of somebody else, to no list of addresses, and not without end', async () => {
    const { admin, member } = await startFixture()
    const form = { request_method: 1, request_type: 1, request_header: '', request_body: '', verify_tls: false }
    // Nothing listens there: each attempt fails at once.
    const url = 'smtps://u:p@127.0.0.1:1/?from=a@example.org&to=b@example.org'
    const foreign = await createRecord(member, 'notification', { ...form, name: 'theirs', url, skip_check: true })
    const own = await createRecord(admin, 'notification', { ...form, name: 'Mail', url, skip_check: true })
    const mailTo = (notification_id: number, to: string) => invite(admin, { mail: { notification_id, to } })
    expect((await mailTo(foreign, 'c@example.org')).body).toMatchObject({ error: expect.stringContaining('your own') })
    for (const to of ['c@example.org,d@example.org', 'c@example.org\r\nBcc: d@example.org', 'nobody']) {
      expect((await mailTo(own, to)).body, to).toMatchObject({ error: expect.stringContaining('mail address') })
    }
    expect(await dataOf(admin, 'wheelhouse/invitations')).toEqual([])
    for (let count = 0; count < 20; count++) {
      expect((await mailTo(own, 'c@example.org')).body).toMatchObject({ data: { mailed: false } })
    }
    expect((await mailTo(own, 'c@example.org')).status).toBe(429)
  })
})
