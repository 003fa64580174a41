import { afterEach, describe, expect, it } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { createMachines, type Machines } from '../../../server/machines/machines.ts'
import { server as servers } from '../../../src/schemas/server.ts'
import { createReceiver } from '../../support/fakes/receiver.ts'
import { createTestHost } from '../../support/server/testHost.ts'
import { signedIn, type TestServer, testServer } from '../../support/server/testServer.ts'

/** So that a test takes no minute: checks in a row, with the samples of 3 s that the clock of the test makes. */
const alertTimes = { firstCheckMs: 5, intervalMs: 5 }

let ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.reverse()) await end()
  ends = []
})

/** A server that listens, with two machines and a receiver of notices. */
async function watchedServer() {
  const receiver = await createReceiver()
  const hosts = [createTestHost({ uuid: 'a', name: 'web-1' }), createTestHost({ uuid: 'b', name: 'web-2' })]
  let machines: Machines | undefined
  const server = await testServer({
    alertTimes,
    machines: (on) => {
      machines = createMachines(on)
      for (const host of hosts) machines.add(host)
      return machines
    },
  })
  ends.push(receiver.close, () => server.app.close())
  /** Samples until something is so: each check sees the next 3 seconds. */
  const until = async (isSo: () => boolean | Promise<boolean>, cpu: readonly [number, number]) => {
    for (;;) {
      server.clock.now += 3000
      for (const [index, host] of hosts.entries()) {
        host.tell({ state: { cpu: cpu[index] }, ip: { ipv4_addr: '192.0.2.7' }, at: new Date(server.clock.now) })
      }
      if (await isSo()) return
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  for (const host of hosts) host.tell({ at: new Date(server.clock.now) })
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  return { server, hosts, receiver, until }
}

async function create(server: TestServer, path: string, body: object, username = 'admin'): Promise<number> {
  const reply = await (await signedIn(server, username)).call('POST', path, { body })
  expect(reply.body).toMatchObject({ success: true })
  return (reply.body as { data: number }).data
}

const rows = async (server: TestServer, username = 'admin') => {
  const reply = await (await signedIn(server, username)).get('wheelhouse/alarms')
  return (reply.body as { data: { value?: Record<string, unknown>[] } }).data.value ?? []
}

/** A notifier that the receiver hears, in a group. */
async function listeners(server: TestServer, origin: string): Promise<number> {
  const notifier = await create(server, 'notification', {
    ...{ name: 'pager', url: `${origin}/page`, request_method: 2, request_type: 1, skip_check: true },
    ...{ request_header: '', request_body: '{"text":"#NEZHA#","who":"#SERVER.NAME#"}', verify_tls: true },
  })
  return create(server, 'notification-group', { name: 'all', notifications: [notifier] })
}

const task = (command: string) => ({
  ...{ name: command, task_type: 1, scheduler: '', command, servers: [], cover: 2 },
  ...{ push_successful: false, notification_group_id: 0 },
})

describe('an alert rule, from the form to the receiver', () => {
  it('tells the notifier, runs the tasks on the alarmed server, and stands in the history', async () => {
    const { server, hosts, receiver, until } = await watchedServer()
    const group = await listeners(server, receiver.origin)
    const [fail, recover] = [
      await create(server, 'cron', task('shed-load')),
      await create(server, 'cron', task('resume')),
    ]
    await create(server, 'alert-rule', {
      ...{ name: 'busy', enable: true, trigger_mode: 1, notification_group_id: group },
      rules: [{ type: 'cpu', max: 90, duration: 3, cover: 0 }],
      ...{ fail_trigger_tasks: [fail], recover_trigger_tasks: [recover] },
    })

    await until(() => receiver.deliveries.length === 1, [10, 97.5])
    expect(JSON.parse(receiver.deliveries[0]?.body ?? '')).toEqual({
      text: '[Incident] web-2(192.****.7) busy',
      who: 'web-2',
    })
    expect([hosts[0]?.commands, hosts[1]?.commands]).toEqual([[], ['shed-load']])
    expect(await rows(server)).toEqual([
      {
        ...{ id: 1, rule_id: 1, rule_name: 'busy', server_id: 2, server_name: 'web-2', notified: true },
        causes: [{ type: 'cpu', value: 97.5, max: 90 }],
        started_at: expect.stringMatching(/^2026-11-21T00:.*Z$/),
      },
    ])

    await until(() => receiver.deliveries.length === 2, [10, 20])
    expect(receiver.deliveries[1]?.body).toContain('[Resolved] web-2(192.****.7) busy')
    await expect.poll(() => hosts[1]?.commands).toEqual(['shed-load', 'resume'])
    expect(await rows(server)).toEqual([
      expect.objectContaining({ ended_at: expect.stringMatching(/^2026-11-21T00:/) }),
    ])
  })

  it('is no more than what the rule or the server of somebody tells', async () => {
    const { server, until } = await watchedServer()
    const rule = {
      ...{ enable: true, trigger_mode: 1, notification_group_id: 0 },
      rules: [{ type: 'cpu', max: 90, duration: 3, cover: 1, ignore: { 1: true } }],
    }
    await create(server, 'alert-rule', { ...rule, name: 'of the admin' })
    await until(async () => (await rows(server)).length === 1, [95, 95])
    expect(await rows(server, 'member')).toEqual([])
    expect((await rows(server))[0]).not.toHaveProperty('notified')
    entityTable(server.store, servers).update(1, { user_id: 2 })
    expect((await rows(server, 'member')).map(({ rule_name }) => rule_name)).toEqual(['of the admin'])
  })

  it('is announced to those who are signed in, and for nobody else to read', async () => {
    const { server } = await watchedServer()
    const setting = async (browser: Awaited<ReturnType<typeof signedIn>>) =>
      ((await browser.get('setting')).body as { data: { wheelhouse: object } }).data.wheelhouse
    expect(await setting(await signedIn(server, 'member'))).toMatchObject({ alarms: true })
    expect(await setting(server.browser())).not.toHaveProperty('alarms')
    expect((await server.browser().get('wheelhouse/alarms')).body).toEqual({ error: 'ApiErrorUnauthorized' })
  })

  it('goes on when the server ends in the middle of it and starts anew on its data', async () => {
    const { server, receiver, until } = await watchedServer()
    const group = await listeners(server, receiver.origin)
    await create(server, 'alert-rule', {
      ...{ name: 'busy', enable: true, trigger_mode: 1, notification_group_id: group },
      rules: [{ type: 'cpu', max: 90, duration: 3, cover: 1, ignore: { 1: true } }],
    })
    await until(() => receiver.deliveries.length === 1, [95, 10])
    await server.app.close()

    const host = createTestHost({ uuid: 'a' })
    const next = await testServer({
      store: server.store,
      alertTimes,
      machines: (on) => {
        const machines = createMachines(on)
        machines.add(host)
        return machines
      },
    })
    ends.push(() => next.app.close())
    next.clock.now = server.clock.now
    await next.app.listen({ host: '127.0.0.1', port: 0 })
    while (receiver.deliveries.length < 2) {
      next.clock.now += 3000
      host.tell({ state: { cpu: 5 }, at: new Date(next.clock.now) })
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(receiver.deliveries.map(({ body }) => JSON.parse(body).text.split(' ')[0])).toEqual([
      '[Incident]',
      '[Resolved]',
    ])
    expect(next.logged).toEqual([])
  })
})
