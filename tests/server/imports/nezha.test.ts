import { describe, expect, it } from 'vitest'
import { usersIn } from '../../../server/auth/users/users.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { tiers } from '../../../server/services/history/periods.ts'
import { days as everyDay } from '../../../server/services/history/serviceHistory.ts'
import { readSite } from '../../../server/site/site.ts'
import type { ImportPlanReply } from '../../../src/schemas/endpoints/importEndpoints.ts'
import { entityNamed } from '../../../src/schemas/index.ts'
import { testAgentServer } from '../../support/agent/testAgentServer.ts'
import { dataOf, fixtureBytes, fixtureSettings, importUpload, planUpload } from '../../support/imports/importFixture.ts'
import { signedIn, type TestServer, testServer } from '../../support/server/testServer.ts'

const upload = (version: 1 | 2) => ({
  kind: 'nezha' as const,
  bytes: fixtureBytes(`nezha-${version}`),
  settings: fixtureSettings(`nezha-${version}`),
})

const created = (plan: ImportPlanReply | undefined, entity: string) =>
  plan?.changes.filter((change) => change.entity === entity && change.verb === 'create').map(({ name }) => name)

function rowsOf({ store }: Pick<TestServer, 'store'>, name: string) {
  const entity = entityNamed(name)
  if (!entity) throw new Error(name)
  return entityTable(store, entity).all()
}

const named = (server: Pick<TestServer, 'store'>, entity: string, name: string) =>
  rowsOf(server, entity).find((row) => row.name === name)

/** When the files were made: results of checks that are a month old do not come along. */
const dayOfFiles = Date.parse('2026-11-27T00:00:00Z')

describe.each([1, 2] as const)('A file of Nezha %i', (version) => {
  it('is shown as a plan, which changes nothing; then it is here with owners, references, secrets and settings', async () => {
    const server = await testServer()
    const admin = await signedIn(server)
    const { file, plan } = await planUpload(admin, upload(version))
    expect(plan?.product).toBe(`Nezha ${version}`)
    expect(created(plan, 'user')).toEqual(['oldmia', 'oldada'])
    expect(created(plan, 'server')).toEqual(['old-berlin', 'old-tokyo'])
    expect(created(plan, 'server-group')).toHaveLength(3)
    expect(created(plan, 'service')).toHaveLength(4)
    expect(created(plan, 'cron')).toHaveLength(3)
    expect(created(plan, 'notification')).toHaveLength(3)
    expect(created(plan, 'notification-group')).toHaveLength(2)
    expect(created(plan, 'alert-rule')).toHaveLength(4)
    expect(created(plan, 'ddns')).toHaveLength(4)
    expect(created(plan, 'nat')).toEqual(['intranet'])
    expect(created(plan, 'oauth2')).toEqual(['oldmia'])
    expect(plan?.skipped.map(({ entity, name, code }) => `${entity} ${name}: ${code}`)).toEqual([
      ...(version === 2 ? ['api-token reader: api_token'] : []),
      'user admin: user_exists',
    ])
    expect(rowsOf(server, 'server')).toEqual([])
    expect(usersIn(server.store).count()).toBe(2)
    expect(JSON.stringify(plan)).not.toMatch(/notifier-example|cf-token-example|\$2a\$|OLDSECRET/)
    await dataOf(admin, 'wheelhouse/imports', { file, digest: plan?.digest })
    const mia = usersIn(server.store).find({ username: 'oldmia' })[0]
    const berlin = named(server, 'server', 'old-berlin')
    const tokyo = named(server, 'server', 'old-tokyo')
    expect(tokyo).toMatchObject({ user_id: mia?.id, hide_for_guest: true, note: 'private note of 1' })
    expect(berlin).toMatchObject({ user_id: 1, ddns_profiles: [named(server, 'ddns', 'cf')?.id], enable_ddns: true })
    expect(named(server, 'server-group', 'Everything')?.servers).toEqual([berlin?.id, tokyo?.id])
    expect(named(server, 'notification', 'json')).toMatchObject({
      request_header: '{"Authorization":"Bearer notifier-example"}',
      request_method: 2,
    })
    expect(named(server, 'ddns', 'cf')).toMatchObject({ access_secret: 'cf-token-example' })
    expect(named(server, 'cron', 'old task')).toMatchObject({ servers: [berlin?.id], scheduler: '0 0 3 * * *' })
    const restart = named(server, 'cron', 'restart web')?.id
    expect(named(server, 'service', 'closed port')).toMatchObject({ fail_trigger_tasks: [restart], type: 3 })
    expect(named(server, 'service', 'web ok')).toMatchObject({ hide_for_guest: false, max_latency: 500 })
    expect(named(server, 'alert-rule', 'offline')).toMatchObject({
      rules: [{ type: 'offline', duration: 120, cover: 0, ignore: { [String(berlin?.id)]: true } }],
      trigger_mode: 1,
    })
    expect(named(server, 'alert-rule', 'both')?.enable).toBe(false)
    expect(named(server, 'nat', 'intranet')?.server_id).toBe(berlin?.id)
    expect(readSite(server.store)).toMatchObject({
      site_name: 'Old panel',
      install_host: 'panel.example.org:443',
      tls: true,
      ip_change_notification_group_id: named(server, 'notification-group', 'on call')?.id,
      ignored_ip_notification: String(berlin?.id),
      ignored_ip_notification_server_ids: { [String(berlin?.id)]: true },
    })
    expect(server.app.auth.bindings.userOf('github', 'example-4711')).toBe(mia?.id)
  })
})

describe('An import of Nezha', () => {
  it('lets people sign in with their old passwords, whose hashes become those of this server', async () => {
    const server = await testServer()
    await importUpload(await signedIn(server), upload(2))
    const hash = () => usersIn(server.store).find({ username: 'oldmia' })[0]?.password
    expect(hash()).toMatch(/^\$2a\$10\$/)
    expect((await server.browser('203.0.113.7').signIn('oldmia', 'wrong')).body).toHaveProperty('error')
    const browser = server.browser()
    await browser.signIn('oldmia', 'old-member-pass-1')
    expect(browser.cookies.has('nz-jwt')).toBe(true)
    expect(hash()).toMatch(/^\$argon2id\$/)
    const again = server.browser()
    await again.signIn('oldmia', 'old-member-pass-1')
    expect(again.cookies.has('nz-jwt')).toBe(true)
    // The account that was here keeps its own.
    expect((await server.browser('203.0.113.8').signIn('admin', 'admin')).body).toHaveProperty('error')
  })

  it('brings the results of its checks along', async () => {
    const server = await testServer()
    server.clock.now = dayOfFiles
    await importUpload(await signedIn(server), upload(2))
    const ping = named(server, 'service', 'ping')?.id ?? 0
    const berlin = named(server, 'server', 'old-berlin')?.id ?? 0
    const { samples } = server.app.services
    const range = { from: dayOfFiles - 86_400_000, until: dayOfFiles }
    const days = await samples.days.ofOne(everyDay, range, ping)
    expect(days.map(({ sums }) => sums.slice(0, 2))).toEqual([[2, 0]])
    await samples.checks.thin(dayOfFiles)
    const checks = await samples.checks.ofOne(tiers[1], range, ping, berlin)
    expect(checks.reduce((sum, { sums }) => sum + (sums[0] ?? 0), 0)).toBe(2)
  })

  it('has nothing to do when it is made twice, and is taken back as one change', async () => {
    const server = await testServer()
    const admin = await signedIn(server)
    const { made } = await importUpload(admin, upload(2))
    const { plan } = await planUpload(admin, upload(2))
    expect(plan?.changes).toEqual([])
    expect(plan?.unchanged).toBeGreaterThan(30)
    const { kept } = await dataOf<{ kept: unknown[] }>(admin, `wheelhouse/imports/${made.id}/undo`, {})
    expect(kept).toEqual([])
    for (const entity of ['server', 'server-group', 'service', 'cron', 'notification', 'alert-rule', 'ddns', 'nat'])
      expect(rowsOf(server, entity)).toEqual([])
    expect(
      usersIn(server.store)
        .all()
        .map(({ username }) => username),
    ).toEqual(['admin', 'member'])
    expect(readSite(server.store)).toMatchObject({ site_name: '', ip_change_notification_group_id: 0 })
    expect(readSite(server.store)).not.toHaveProperty('tls')
    expect(server.app.auth.furtherSecrets.ownerOf('OLDSECRET1234567890abcdefOLDSEC')).toBeUndefined()
    const again = await admin.call('POST', `wheelhouse/imports/${made.id}/undo`)
    expect(again.body).toMatchObject({ error: 'this import was undone already' })
  })
})

describe('Taking an import of Nezha back', () => {
  it('leaves what somebody has changed since', async () => {
    const server = await testServer()
    const admin = await signedIn(server)
    const { made } = await importUpload(admin, upload(2))
    const task = named(server, 'cron', 'old task')
    await admin.call('PATCH', `cron/${task?.id}`, { body: { ...task, command: 'true' } })
    await admin.call('PATCH', 'setting', { body: { ...readSite(server.store), site_name: 'Mine' } })
    const { kept } = await dataOf<{ kept: unknown[] }>(admin, `wheelhouse/imports/${made.id}/undo`, {})
    expect(kept).toEqual([
      { entity: 'setting', name: 'site_name' },
      { entity: 'cron', name: 'old task' },
    ])
    expect(rowsOf(server, 'cron')).toHaveLength(1)
    expect(readSite(server.store).site_name).toBe('Mine')
  })
})

describe('A file of Nezha whose records belong to a team by now', () => {
  it('takes nothing from the team when it comes again, and leaves it all when it is taken back', async () => {
    const server = await testServer()
    const admin = await signedIn(server)
    const { made } = await importUpload(admin, upload(2))
    const team = server.app.auth.teams.create({ name: 'ops', users: [2], servers: [] })
    const give = async (entity: string, name: string, change: object = {}) => {
      const { id, path, ...row } = { ...named(server, entity, name), path: entityNamed(entity)?.api.path }
      const { body } = await admin.call('PATCH', `${path}/${id}`, { body: { ...row, ...change, team } })
      expect(body).toMatchObject({ success: true })
    }
    await give('server', 'old-berlin')
    await give('cron', 'old task')
    const [service] = rowsOf(server, 'service')
    await give('service', String(service?.name))
    const owners = () =>
      [
        named(server, 'server', 'old-berlin'),
        named(server, 'cron', 'old task'),
        named(server, 'service', String(service?.name)),
      ].map((row) => [row?.user_id, row?.team])
    const ofTeam = Array(3).fill([-team, team])
    expect(owners()).toEqual(ofTeam)
    expect((await planUpload(admin, upload(2))).plan?.changes).toEqual([])
    await give('cron', 'old task', { command: 'true' })
    const again = await planUpload(admin, upload(2))
    expect(again.plan?.changes).toMatchObject([{ verb: 'update', entity: 'cron', name: 'old task' }])
    await dataOf(admin, 'wheelhouse/imports', { file: again.file, digest: again.plan?.digest })
    expect(named(server, 'cron', 'old task')).not.toMatchObject({ command: 'true' })
    expect(owners()).toEqual(ofTeam)
    const { kept } = await dataOf<{ kept: { name: string }[] }>(admin, `wheelhouse/imports/${made.id}/undo`, {})
    expect(kept.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['old-berlin', 'old task', String(service?.name)]),
    )
    expect(owners()).toEqual(ofTeam)
  })
})

describe('Agents of a Nezha server that was imported', () => {
  it('go on as the same servers with the secrets that they have', async () => {
    const server = await testAgentServer()
    await importUpload(await server.admin(), upload(2))
    const secrets = {
      'old-berlin': 'OLDSECRET1234567890abcdefOLDSEC',
      'old-tokyo': 'dh4nQ3H9ZyzPBMmQbBI3z6khnrLuOLxx',
    }
    for (const [name, secret] of Object.entries(secrets)) {
      const row = named(server, 'server', name)
      await server.agent({ uuid: String(row?.uuid), secret })
      expect(named(server, 'server', name)?.id).toBe(row?.id)
    }
    expect(rowsOf(server, 'server')).toHaveLength(2)
  })
})
