import { afterEach, describe, expect, it } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { createMachines, type Machines } from '../../../server/machines/machines.ts'
import { server as servers } from '../../../src/schemas/server.ts'
import { createReceiver } from '../../support/fakes/receiver.ts'
import { createTestHost } from '../../support/server/testHost.ts'
import { signedIn, type TestServer, testServer } from '../../support/server/testServer.ts'

/** Runs checks without pauses; the clock of the test makes them 3 s apart. */
const alertTimes = { firstCheckMs: 5, intervalMs: 5 }

let cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const end of cleanups.reverse()) await end()
  cleanups = []
})

/** A listening server with two machines and a receiver of notifications. */
async function alertServer() {
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
  cleanups.push(receiver.close, () => server.app.close())
  /** Reports every 3 s of the test's clock until the condition is true. */
  const reportUntil = async (condition: () => boolean | Promise<boolean>, cpu: readonly [number, number]) => {
    for (;;) {
      server.clock.now += 3000
      for (const [index, host] of hosts.entries()) {
        host.report({ state: { cpu: cpu[index] }, ip: { ipv4_addr: '192.0.2.7' }, at: new Date(server.clock.now) })
      }
      if (await condition()) return
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  for (const host of hosts) host.report({ at: new Date(server.clock.now) })
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  return { server, hosts, receiver, until: reportUntil }
}

async function create(server: TestServer, path: string, body: object, username = 'admin'): Promise<number> {
  const reply = await (await signedIn(server, username)).call('POST', path, { body })
  expect(reply.body).toMatchObject({ success: true })
  return (reply.body as { data: number }).data
}

const alarms = async (server: TestServer, username = 'admin') => {
  const reply = await (await signedIn(server, username)).get('wheelhouse/alarms')
  return (reply.body as { data: { value?: Record<string, unknown>[] } }).data.value ?? []
}

/** Creates a group with a notifier for the receiver. @returns its id */
async function createGroup(server: TestServer, origin: string): Promise<number> {
  const notifier = await create(server, 'notification', {
    name: 'pager',
    url: `${origin}/page`,
    request_method: 2,
    request_type: 1,
    skip_check: true,
    request_header: '',
    request_body: '{"text":"#NEZHA#","who":"#SERVER.NAME#"}',
    verify_tls: true,
  })
  return create(server, 'notification-group', { name: 'all', notifications: [notifier] })
}

const task = (command: string) => ({
  name: command,
  task_type: 1,
  scheduler: '',
  command,
  servers: [],
  cover: 2,
  push_successful: false,
  notification_group_id: 0,
})

describe('an alert rule, from the form to the notifier', () => {
  it('notifies, runs its tasks on the server of the alarm, and appears in the alarm history', async () => {
    const { server, hosts, receiver, until: reportUntil } = await alertServer()
    const group = await createGroup(server, receiver.origin)
    const [fail, recover] = [
      await create(server, 'cron', task('shed-load')),
      await create(server, 'cron', task('resume')),
    ]
    await create(server, 'alert-rule', {
      name: 'busy',
      enable: true,
      trigger_mode: 1,
      notification_group_id: group,
      rules: [{ type: 'cpu', max: 90, duration: 3, cover: 0 }],
      fail_trigger_tasks: [fail],
      recover_trigger_tasks: [recover],
    })

    await reportUntil(() => receiver.deliveries.length === 1, [10, 97.5])
    expect(JSON.parse(receiver.deliveries[0]?.body ?? '')).toEqual({
      text: '[Incident] web-2(192.****.7) busy\nCPU use 97.5% (limit 90%) for 9 sec',
      who: 'web-2',
    })
    expect([hosts[0]?.commands, hosts[1]?.commands]).toEqual([[], ['shed-load']])
    expect(await alarms(server)).toEqual([
      {
        id: 1,
        rule_id: 1,
        rule_name: 'busy',
        server_id: 2,
        server_name: 'web-2',
        notified: true,
        causes: [{ type: 'cpu', value: 97.5, max: 90 }],
        started_at: expect.stringMatching(/^2026-11-21T00:.*Z$/),
      },
    ])

    await reportUntil(() => receiver.deliveries.length === 2, [10, 20])
    expect(receiver.deliveries[1]?.body).toContain('[Resolved] web-2(192.****.7) busy')
    await expect.poll(() => hosts[1]?.commands).toEqual(['shed-load', 'resume'])
    const incidents = (await (await signedIn(server)).get('wheelhouse/incidents')).body
    const notices = ['opened', 'resolved'].map((kind) => ({
      kind,
      notification_group_name: 'all',
      message: 'web-2 busy',
    }))
    expect(incidents).toMatchObject({ data: { value: [{ title: 'web-2 busy', state: 'resolved', notices }] } })
    expect(await alarms(server)).toEqual([
      expect.objectContaining({ ended_at: expect.stringMatching(/^2026-11-21T00:/) }),
    ])
  })

  it('shows members only alarms of their own rules and servers', async () => {
    const { server, until: reportUntil } = await alertServer()
    const rule = {
      enable: true,
      trigger_mode: 1,
      notification_group_id: 0,
      rules: [{ type: 'cpu', max: 90, duration: 3, cover: 1, ignore: { 1: true } }],
    }
    await create(server, 'alert-rule', { ...rule, name: 'of the admin' })
    await reportUntil(async () => (await alarms(server)).length === 1, [95, 95])
    expect(await alarms(server, 'member')).toEqual([])
    expect((await alarms(server))[0]).not.toHaveProperty('notified')
    entityTable(server.store, servers).update(1, { user_id: 2 })
    expect((await alarms(server, 'member')).map(({ rule_name }) => rule_name)).toEqual(['of the admin'])
  })

  it('is only announced and readable to people who are signed in', async () => {
    const { server } = await alertServer()
    const setting = async (browser: Awaited<ReturnType<typeof signedIn>>) =>
      ((await browser.get('setting')).body as { data: { wheelhouse: object } }).data.wheelhouse
    expect(await setting(await signedIn(server, 'member'))).toMatchObject({ alarms: true })
    expect(await setting(server.browser())).not.toHaveProperty('alarms')
    expect((await server.browser().get('wheelhouse/alarms')).body).toEqual({ error: 'ApiErrorUnauthorized' })
  })

  it('keeps a running alarm across a restart of the server', async () => {
    const { server, receiver, until: reportUntil } = await alertServer()
    const group = await createGroup(server, receiver.origin)
    await create(server, 'alert-rule', {
      name: 'busy',
      enable: true,
      trigger_mode: 1,
      notification_group_id: group,
      rules: [{ type: 'cpu', max: 90, duration: 3, cover: 1, ignore: { 1: true } }],
    })
    await reportUntil(() => receiver.deliveries.length === 1, [95, 10])
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
    cleanups.push(() => next.app.close())
    next.clock.now = server.clock.now
    await next.app.listen({ host: '127.0.0.1', port: 0 })
    while (receiver.deliveries.length < 2) {
      next.clock.now += 3000
      host.report({ state: { cpu: 5 }, at: new Date(next.clock.now) })
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(receiver.deliveries.map(({ body }) => JSON.parse(body).text.split(' ')[0])).toEqual([
      '[Incident]',
      '[Resolved]',
    ])
    expect(next.logged).toEqual([])
  })
})
