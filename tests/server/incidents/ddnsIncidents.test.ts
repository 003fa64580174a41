import type { ServerResponse } from 'node:http'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Store } from '../../../server/db/store.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { receiver } from '../../support/fakes/receiver.ts'
import { home } from '../../support/server/fixtures/ddnsFixture.ts'
import { createTestHost } from '../../support/server/testHost.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

interface Incident {
  id: number
  title: string
  state: string
  parts: { kind: string; name: string; role: string; ended_at?: string; withdrawn?: boolean }[]
}

/** How the provider answers. `waits`: not before it is told how. */
type Answer = 'waits' | 500 | 200

/** A provider that people may see fail, of one name of a machine, and a messenger that is told of it. */
async function outerWorld() {
  let answer: Answer = 500
  const waiting: ServerResponse[] = []
  const provider = await receiver((reply) => {
    if (answer === 'waits') waiting.push(reply)
    else reply.writeHead(answer).end()
  })
  const messenger = await receiver()
  return {
    provider,
    messenger,
    answer(next: Answer) {
      answer = next
      if (next !== 'waits') for (const reply of waiting.splice(0)) reply.writeHead(next).end()
    },
    texts: () => messenger.deliveries.map(({ body }) => String(JSON.parse(body).text)),
  }
}

type World = Awaited<ReturnType<typeof outerWorld>>

/** A whole server that listens. @param store of another one, as after a restart */
async function follow({ provider, messenger }: World, store?: Store) {
  const host = createTestHost({ uuid: 'machine-1', name: 'web-1' })
  const server = await testServer({
    store,
    ...(!store && { site: { ip_change_notification_group_id: 1 } }),
    machines: (on) => {
      const machines = createMachines(on)
      machines.add(host)
      return machines
    },
  })
  onTestFinished(() => server.app.close())
  const report = () => host.report({ ip: { ipv4_addr: home }, at: new Date(server.clock.now) })
  report()
  const admin = await signedIn(server)
  const save = async (method: 'POST' | 'PATCH', path: string, body: object) =>
    expect((await admin.call(method, path, { body })).body).toMatchObject({ success: true })
  if (!store) {
    const webhook = { provider: 'webhook', webhook_url: `${provider.origin}/?ip=#ip#`, webhook_method: 1 }
    const name = { name: 'Home', domains: ['www.example.org'], max_retries: 1, enable_ipv4: true }
    await save('POST', 'ddns', { ...name, ...webhook })
    const request = { request_method: 2, request_type: 1, request_body: '{"text":"#NEZHA#"}', skip_check: true }
    await save('POST', 'notification', { name: 'Chat', url: messenger.origin, ...request })
    await save('POST', 'notification-group', { name: 'all', notifications: [1], settle: 0 })
    await save('PATCH', 'server/1', { name: 'web-1', enable_ddns: true, ddns_profiles: [1] })
  }
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  return {
    ...server,
    admin,
    report,
    save,
    incidents: async () => {
      const { body } = await admin.get('wheelhouse/incidents')
      return (body as { data: { value?: Incident[] } }).data.value ?? []
    },
  }
}

const wrong = `[DDNS] www.example.org (A) still does not point at`

it('a name that stays wrong is an incident, told once when it begins and once when it ends', async () => {
  const world = await outerWorld()
  const { incidents, admin } = await follow(world)
  await vi.waitFor(() => expect(world.texts()).toEqual([expect.stringContaining(wrong)]))
  expect(world.texts()[0]).toContain('of web-1: ')
  expect(await incidents()).toMatchObject([
    { title: 'DDNS www.example.org (A)', state: 'open', parts: [{ kind: 'ddns', id: 1, server_id: 1, role: 'cause' }] },
  ])
  await admin.call('POST', 'wheelhouse/ddns/1/update')
  await vi.waitFor(() => expect(world.provider.deliveries).toHaveLength(2))
  world.answer(200)
  await vi.waitFor(async () => {
    // One that comes while another is on its way is that.
    await admin.call('POST', 'wheelhouse/ddns/1/update')
    expect(world.texts()).toHaveLength(2)
  })
  expect(world.texts()[1]).toContain('[DDNS] www.example.org (A) points at')
  expect(await incidents()).toMatchObject([{ state: 'resolved' }])
})

it('a name that stays wrong while its server is offline is part of that incident', async () => {
  const world = await outerWorld()
  world.answer('waits')
  const { app, incidents, clock } = await follow(world)
  await vi.waitFor(() => expect(world.provider.deliveries).toHaveLength(1))
  for (let look = 0; look < 3; look++) {
    app.events.tick()
    clock.now += 35_000
  }
  expect(await incidents()).toMatchObject([{ title: expect.stringContaining('web-1') }])
  world.answer(500)
  await vi.waitFor(() => expect(world.texts()).toHaveLength(1))
  expect(world.texts()[0]).toContain(wrong)
  expect(world.texts()[0]).toContain('\npart of: ')
  expect(await incidents()).toMatchObject([
    {
      parts: [
        { kind: 'offline', role: 'cause' },
        { kind: 'ddns', role: 'consequence' },
      ],
    },
  ])
})

it('a name that stays wrong over a restart is told once, and withdrawn when nobody wants it any more', async () => {
  const world = await outerWorld()
  const before = await follow(world)
  await vi.waitFor(() => expect(world.texts()).toHaveLength(1))
  await before.app.close()
  const after = await follow(world, before.store)
  await vi.waitFor(() => expect(world.provider.deliveries).toHaveLength(2))
  expect(await after.incidents()).toMatchObject([{ state: 'open', parts: [{ kind: 'ddns' }] }])
  await after.save('PATCH', 'server/1', { name: 'web-1', enable_ddns: false, ddns_profiles: [] })
  await vi.waitFor(() => expect(world.texts()).toHaveLength(2))
  expect(world.texts()[1]).toMatch(/^\[Withdrawn\] DDNS www\.example\.org \(A\)/)
  expect(await after.incidents()).toMatchObject([{ state: 'resolved', parts: [{ withdrawn: true }] }])
})

it('an incident that somebody has resolved by hand is not there again after a restart', async () => {
  const world = await outerWorld()
  const before = await follow(world)
  await vi.waitFor(() => expect(world.texts()).toHaveLength(1))
  await before.save('POST', 'wheelhouse/incidents/1/resolve', {})
  await before.app.close()
  const after = await follow(world, before.store)
  await vi.waitFor(() => expect(world.provider.deliveries).toHaveLength(2))
  expect(await after.incidents()).toMatchObject([{ id: 1, state: 'resolved' }])
  expect(world.texts().filter((text) => text.includes(wrong))).toHaveLength(1)
})
