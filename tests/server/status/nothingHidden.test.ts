import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { usersIn } from '../../../server/auth/users/users.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { openOutages } from '../../../server/services/outages.ts'
import { server as serverEntity } from '../../../src/schemas/server.ts'
import type { PublicStatus } from '../../../src/schemas/status/publicStatus.ts'
import { describedRoutes } from '../../support/server/routes/describedRoutes.ts'
import { creatable, validForm } from '../../support/server/routes/validForm.ts'
import { createTestHost } from '../../support/server/testHost.ts'
import { signedIn, type TestServer, testServer } from '../../support/server/testServer.ts'

/** Stands in everything that no visitor may see. */
const marker = 'hidden-marker'
const addresses = { ipv4_addr: '192.0.2.77', ipv6_addr: '2001:db8::77' }
/** Of a server that is hidden, beside one that is not, in a group and a service that visitors see. */
const hiddenId = 76543210
const hidden = [marker, ...Object.values(addresses), 'hidden-uuid', String(hiddenId)]

const service = { type: 3, target: `${marker}.example:5432`, duration: 30, cover: 1 }
const serviceRest = { notify: false, notification_group_id: 0, fail_trigger_tasks: [], recover_trigger_tasks: [] }

/** A record of every kind with the marker in all of its texts, and a server and a service that visitors see. */
async function serverWithSecrets(): Promise<TestServer> {
  const hosts = [
    createTestHost({ uuid: 'hidden-uuid-1', name: 'web-1' }),
    createTestHost({ uuid: 'hidden-uuid-2', name: marker }),
  ]
  const server = await testServer({
    tickMs: 50,
    machines: (on) => {
      const machines = createMachines(on)
      for (const host of hosts) machines.add(host)
      return machines
    },
  })
  const details = { platform: 'debian', platform_version: marker, version: marker }
  for (const host of hosts) {
    host.report({ host: details, ip: addresses, country_code: 'it', at: new Date(server.clock.now) })
  }
  const servers = entityTable(server.store, serverEntity)
  servers.update(1, { note: marker, public_note: '' })
  servers.update(2, { hide_for_guest: true })
  servers.insert({ id: hiddenId, name: marker, uuid: 'hidden-uuid-3', user_id: 1, hide_for_guest: true })
  const admin = await signedIn(server)
  async function create(path: string, body: object): Promise<number> {
    const reply = await admin.call('POST', path, { body })
    expect(reply.body, path).toMatchObject({ success: true })
    return (reply.body as { data: number }).data
  }
  await create('service', { ...service, ...serviceRest, name: 'web', skip_servers: { 1: true, [hiddenId]: true } })
  await create('server-group', { name: 'public', servers: [1, hiddenId] })
  openOutages(server.store, (error) => expect.unreachable(String(error))).begin(1, {
    started_at: server.clock.now,
    problem: `dial tcp: lookup ${marker}`,
    server_name: marker,
  })
  for (const name of creatable) {
    const form = validForm(name, { text: marker, server: 2 })
    const path = (await describedRoutes(server)).find(
      ({ name: route }) => route === `POST ${name}` || route === `POST wheelhouse/${name}s`,
    )
    const hides = name === 'service' ? { hide_for_guest: true } : {}
    const members = name === 'server-group' ? { servers: [2] } : {}
    await create(path?.path ?? `/api/v1/${name}`, { ...form, ...hides, ...members })
  }
  const [owner] = usersIn(server.store).find({ username: marker })
  servers.update(1, { user_id: owner?.id })
  expect(owner).toBeDefined()
  return server
}

function expectNothingHidden(text: string, where: string): void {
  for (const secret of hidden)
    expect(text.includes(secret), `${where} has ${secret}: ${text.slice(0, 2000)}`).toBe(false)
}

it('no byte that a visitor can get names what is hidden', async () => {
  const server = await serverWithSecrets()
  const visitor = server.browser()
  const status = ((await visitor.get('wheelhouse/status')).body as { data: PublicStatus }).data
  expect(status).toMatchObject({ servers: [{ id: 1, name: 'web-1', country_code: 'it' }], services: [{ name: 'web' }] })

  const routes = await describedRoutes(server)
  expect(routes.length).toBeGreaterThan(100)
  let answered = 0
  for (const { method, path } of routes) {
    for (const id of ['1', '2']) {
      const url = path.replaceAll(/\{\w+\}/g, id)
      const queries = method === 'GET' ? ['', '?metric=cpu&period=1d', '?limit=50&offset=0'] : ['']
      for (const query of queries) {
        const reply = await visitor.call(method, `${url}${query}`, method === 'GET' ? {} : { body: {} })
        if ((reply.body as { success?: boolean } | undefined)?.success) answered++
        expectNothingHidden(reply.text + JSON.stringify(reply.headers), `${method} ${url}${query}`)
      }
    }
  }
  expect(answered).toBeGreaterThan(10)

  const pages = ['/', '/?safe=1', '/server/1', '/server/2', '/dashboard', '/dashboard/server/2', '/nothing']
  const badges = ['service', 'server'].flatMap((kind) => [1, 2, 3].map((id) => `/badge/${kind}/${id}.svg`))
  for (const path of [...pages, ...badges, '/feed.atom']) {
    const reply = await visitor.get(path)
    expectNothingHidden(reply.text + JSON.stringify(reply.headers), path)
  }
  expect((await visitor.get('/server/2')).status).toBe(404)
  expect((await visitor.get('server-group')).body).toMatchObject({
    data: [{ group: { name: 'public' }, servers: [1] }],
  })
  expect((await visitor.get('/feed.atom')).text).toContain('<title>web is down</title>')
})

it('no frame of a socket that a visitor can open names what is hidden', async () => {
  const server = await serverWithSecrets()
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.app.close())
  const { port } = server.app.server.address() as AddressInfo
  for (const path of ['status', 'server']) {
    const frames: string[] = []
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/ws/${path}`)
    onTestFinished(() => socket.terminate())
    socket.on('message', (message) => frames.push(String(message)))
    await expect.poll(() => frames.length).toBeGreaterThan(1)
    expect(frames[0]).toContain('web-1')
    expectNothingHidden(frames.join('\n'), path)
  }
  for (const path of ['terminal/1', 'file/1', 'transfer/1']) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/ws/${path}`)
    onTestFinished(() => socket.terminate())
    const ended = new Promise((resolve) => socket.on('error', resolve))
    socket.on('message', () => expect.unreachable(`a frame of ${path}`))
    await ended
  }
})
