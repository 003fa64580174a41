import { expect, it, onTestFinished, vi } from 'vitest'
import { openAuditLog } from '../../../server/audit/auditLog.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { server as serverEntity } from '../../../src/schemas/server.ts'
import { createReceiver } from '../../support/fakes/receiver.ts'
import { createTestHost } from '../../support/server/testHost.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

/** A whole server with a machine, and a webhook profile for it. */
async function followedServer() {
  const receiver = await createReceiver()
  const host = createTestHost()
  const audit = openAuditLog()
  const server = await testServer({
    audit,
    machines: (on) => {
      const machines = createMachines(on)
      machines.add(host)
      return machines
    },
  })
  onTestFinished(async () => {
    await server.app.close()
    receiver.close()
  })
  const report = (ipv4_addr: string) => host.report({ ip: { ipv4_addr }, at: new Date(server.clock.now) })
  report('93.184.216.34')
  const admin = await signedIn(server)
  const webhook_url = `${receiver.origin}/?ip=#ip#&key=#access_secret#`
  const profile = { name: 'Home', provider: 'webhook', domains: ['www.example.org'], max_retries: 2 }
  await admin.call('POST', 'ddns', {
    body: { ...profile, enable_ipv4: true, webhook_url, webhook_method: 1, access_secret: 'hush' },
  })
  const { id } = entityTable(server.store, serverEntity).find({ uuid: 'machine-1' })[0] ?? { id: 0 }
  await admin.call('PATCH', `server/${id}`, { body: { name: 'web-1', enable_ddns: true, ddns_profiles: [1] } })
  return { server, receiver, admin, report, audit }
}

const dataOf = ({ body }: { body: unknown }) => (body as { data: unknown }).data

it('A webhook gets the address of a server, and its change', async () => {
  const { server, receiver, admin, report } = await followedServer()
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  await vi.waitFor(() => expect(receiver.deliveries.map(({ url }) => url)).toEqual(['/?ip=93.184.216.34&key=hush']))
  report('93.184.216.35')
  await vi.waitFor(() => expect(receiver.deliveries[1]?.url).toBe('/?ip=93.184.216.35&key=hush'))
  await vi.waitFor(async () =>
    expect(dataOf(await admin.get('wheelhouse/ddns'))).toMatchObject([{ profile_id: 1, names: 1, done: 1, failed: 0 }]),
  )
  const names = await admin.get('wheelhouse/ddns/1')
  expect(dataOf(names)).toMatchObject([
    { domain: 'www.example.org', address: '93.184.216.35', state: 'done', tries: 1 },
  ])
  expect(names.text).not.toContain('hush')
})

it('Updating now is for the owner and administrators, and appears in the audit log', async () => {
  const { server, receiver, admin, audit } = await followedServer()
  const member = await signedIn(server, 'member')
  expect((await member.call('POST', 'wheelhouse/ddns/1/update')).body).toEqual({ error: 'permission denied' })
  expect((await member.get('wheelhouse/ddns/1')).body).toEqual({ error: 'permission denied' })
  expect((await member.get('wheelhouse/ddns')).body).toEqual({ success: true })
  expect((await admin.call('POST', 'wheelhouse/ddns/9/update')).body).toEqual({ error: 'profile id 9 does not exist' })
  expect(dataOf(await admin.call('POST', 'wheelhouse/ddns/1/update'))).toEqual({ names: 1 })
  await vi.waitFor(() => expect(receiver.deliveries).toHaveLength(1))
  const { rows } = await audit.read(0, 10)
  expect(rows).toContainEqual(expect.objectContaining({ action: 'ddns.run', target: 'ddns 1', username: 'admin' }))
  expect(JSON.stringify(rows)).not.toContain('hush')
})

it('Only people who are signed in see that DDNS is available, and its results', async () => {
  const { server, admin } = await followedServer()
  const nobody = server.browser()
  const announced = async (browser: typeof admin) =>
    (dataOf(await browser.get('setting')) as { wheelhouse: { ddns?: boolean } }).wheelhouse.ddns
  expect(await announced(admin)).toBe(true)
  expect(await announced(nobody)).toBeUndefined()
  expect((await nobody.get('wheelhouse/ddns')).body).toEqual({ error: 'ApiErrorUnauthorized' })
})

it('A member’s webhook cannot have a private target, and the result says why', async () => {
  const { server, receiver } = await followedServer()
  const member = await signedIn(server, 'member')
  const servers = entityTable(server.store, serverEntity)
  const [machine] = servers.all()
  const profile = { name: 'Own', provider: 'webhook', domains: ['own.example.org'], max_retries: 5, enable_ipv4: true }
  await member.call('POST', 'ddns', { body: { ...profile, webhook_url: receiver.origin, webhook_method: 1 } })
  servers.update(machine?.id ?? 0, { ddns_profiles: [2] })
  await member.call('POST', 'wheelhouse/ddns/2/update')
  await vi.waitFor(async () =>
    expect(dataOf(await member.get('wheelhouse/ddns/2'))).toMatchObject([
      { state: 'failed', tries: 1, words: expect.stringContaining('ALLOW_PRIVATE_TARGETS') },
    ]),
  )
  expect(receiver.deliveries).toEqual([])
})
