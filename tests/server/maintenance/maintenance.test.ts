import { afterEach, describe, expect, it } from 'vitest'
import { createMachines } from '../../../server/machines/machines.ts'
import { createReceiver } from '../../support/fakes/receiver.ts'
import { createTestHost } from '../../support/server/testHost.ts'
import { signedIn, type TestServer, testServer } from '../../support/server/testServer.ts'

/** Checks run when the test asks for them. */
const alertTimes = { firstCheckMs: 1e9, intervalMs: 1e9 }
/** The clock of the test server begins here. */
const start = '2026-11-21T00:00'
const minuteMs = 60_000

let cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const end of cleanups.reverse()) await end()
  cleanups = []
})

/** A server with two machines of the administrator and a rule about their CPU that notifies and runs a task. */
async function alertServer({ store, ...options }: { store?: TestServer['store']; publicUrl?: URL } = {}) {
  const receiver = await createReceiver()
  const hosts = [createTestHost({ uuid: 'a', name: 'web-1' }), createTestHost({ uuid: 'b', name: 'web-2' })]
  const server = await testServer({
    alertTimes,
    store,
    settings: { host: '127.0.0.1', publicUrl: options.publicUrl },
    machines: (on) => {
      const machines = createMachines(on)
      for (const host of hosts) machines.add(host)
      return machines
    },
  })
  cleanups.push(receiver.close, () => server.app.close())
  for (const host of hosts) host.report({ at: new Date(server.clock.now) })
  /** Lets time pass, and checks the rules. @param cpu of both machines */
  const passMinutes = async (minutes: number, cpu: readonly [number, number]) => {
    server.clock.now += minutes * minuteMs
    // As many checks as the rule wants to see.
    for (let check = 0; check < 3; check++) {
      server.clock.now += 3000
      for (const [index, host] of hosts.entries()) {
        host.report({ state: { cpu: cpu[index] }, at: new Date(server.clock.now) })
      }
      await server.app.alerts.check()
    }
    server.app.silences.mutes.removeEnded()
  }
  const messages = () => receiver.deliveries.map(({ body }) => (JSON.parse(body) as { text: string }).text)
  return { server, hosts, receiver, passMinutes, messages }
}

type AlertServer = Awaited<ReturnType<typeof alertServer>>

async function call(server: TestServer, method: string, path: string, body?: object, username = 'admin') {
  const browser = await signedIn(server, username)
  return (await browser.call(method, path, { body })).body as { success?: boolean; data?: never; error?: string }
}

async function create(server: TestServer, path: string, body: object, username = 'admin'): Promise<number> {
  const reply = await call(server, 'POST', path, body, username)
  expect(reply).toMatchObject({ success: true })
  return reply.data as unknown as number
}

const list = async (server: TestServer, path: string, username = 'admin') => {
  const browser = await signedIn(server, username)
  const { data } = (await browser.get(path)).body as { data?: unknown[] | { value?: unknown[] } }
  return (Array.isArray(data) ? data : (data?.value ?? [])) as Record<string, unknown>[]
}

const windows = 'wheelhouse/maintenance-windows'
const mutes = 'wheelhouse/mutes'

const window = (fields: object = {}) => ({
  name: 'Kernel update',
  repeat: 0,
  starts_at: start,
  duration: 60,
  time_zone: 'UTC',
  servers: [1],
  ...fields,
})

/** @param mode 1 notifies once, 0 at every check */
async function createRule({ server, receiver }: AlertServer, mode = 1): Promise<void> {
  const notifier = await create(server, 'notification', {
    name: 'pager',
    url: `${receiver.origin}/page`,
    request_method: 2,
    request_type: 1,
    skip_check: true,
    request_header: '',
    request_body: '{"text":"#NEZHA#"}',
    verify_tls: true,
  })
  const group = await create(server, 'notification-group', { name: 'all', notifications: [notifier] })
  const tasks = []
  for (const command of ['shed-load', 'resume']) {
    const task = { name: command, task_type: 1, scheduler: '', command, servers: [], cover: 2 }
    tasks.push(await create(server, 'cron', { ...task, push_successful: false, notification_group_id: 0 }))
  }
  await create(server, 'alert-rule', {
    name: 'busy',
    enable: true,
    trigger_mode: mode,
    notification_group_id: group,
    rules: [{ type: 'cpu', max: 90, duration: 3, cover: 0 }],
    fail_trigger_tasks: [tasks[0]],
    recover_trigger_tasks: [tasks[1]],
  })
}

const alarmOf = async (server: TestServer, name: string) =>
  (await list(server, 'wheelhouse/alarms')).find(({ server_name }) => server_name === name)

describe('while a maintenance window is open', () => {
  it('alarms of its servers are shown, and nobody is notified and no task runs; other servers go on as always', async () => {
    const fixture = await alertServer()
    const { server, hosts, passMinutes, messages } = fixture
    await createRule(fixture)
    await create(server, windows, window())
    await passMinutes(1, [97, 97])
    await expect.poll(messages).toEqual([expect.stringContaining('[Incident] web-2')])
    expect(await alarmOf(server, 'web-1')).toMatchObject({ silenced: 'maintenance' })
    expect(await alarmOf(server, 'web-1')).not.toHaveProperty('notified')
    expect(await alarmOf(server, 'web-2')).toMatchObject({ notified: true })
    await expect.poll(() => hosts[1]?.commands).toEqual(['shed-load'])
    expect(hosts[0]?.commands).toEqual([])
  })

  it('notifies people of alarms that last when it closes, and runs the tasks then', async () => {
    const fixture = await alertServer()
    const { server, hosts, passMinutes, messages } = fixture
    await createRule(fixture)
    await create(server, windows, window())
    await passMinutes(1, [97, 10])
    await passMinutes(30, [97, 10])
    expect(messages()).toEqual([])
    await passMinutes(30, [97, 10])
    await expect.poll(messages).toEqual([expect.stringContaining('[Incident] web-1')])
    expect(await alarmOf(server, 'web-1')).toMatchObject({ notified: true })
    await expect.poll(() => hosts[0]?.commands).toEqual(['shed-load'])
    await passMinutes(1, [10, 10])
    await expect.poll(messages).toEqual([expect.anything(), expect.stringContaining('[Resolved] web-1')])
  })

  it('says nothing of an alarm that begins and ends in it', async () => {
    const fixture = await alertServer()
    const { server, hosts, passMinutes, messages } = fixture
    await createRule(fixture, 0)
    await create(server, windows, window())
    for (const cpu of [97, 97, 10]) await passMinutes(1, [cpu, 10])
    await passMinutes(120, [10, 97])
    await expect.poll(messages).toEqual([expect.stringContaining('[Incident] web-2')])
    expect(hosts[0]?.commands).toEqual([])
  })

  it('notifies those who got an alarm before it that the alarm is over', async () => {
    const fixture = await alertServer()
    const { server, passMinutes, messages } = fixture
    await createRule(fixture)
    await passMinutes(1, [97, 10])
    await create(server, windows, window())
    await passMinutes(1, [10, 10])
    await expect.poll(messages).toEqual([expect.anything(), expect.stringContaining('[Resolved] web-1')])
  })

  it('goes on being silent after a restart of the server, and notifies people afterwards', async () => {
    const fixture = await alertServer()
    await createRule(fixture)
    await create(fixture.server, windows, window())
    await fixture.passMinutes(1, [97, 10])
    await fixture.server.app.close()
    const next = await alertServer({ store: fixture.server.store })
    next.server.clock.now = fixture.server.clock.now
    await next.passMinutes(1, [97, 10])
    expect(fixture.messages()).toEqual([])
    await next.passMinutes(60, [97, 10])
    await expect.poll(fixture.messages).toEqual([expect.stringContaining('[Incident] web-1')])
  })

  it('is found by groups and by tags of notes, and the console gets which servers it is about', async () => {
    const fixture = await alertServer()
    const { server } = fixture
    await create(server, 'server-group', { name: 'web', servers: [1] })
    await call(server, 'PATCH', 'server/2', { name: 'web-2', note: 'rack 4 #DB' })
    const id = await create(server, windows, window({ servers: [], server_groups: [1], tags: 'db, cache' }))
    expect((await call(server, 'GET', 'wheelhouse/silences')).data).toEqual({
      windows: [{ id, name: 'Kernel update', until: '2026-11-21T01:00:00Z', servers: [1, 2], services: [] }],
      mutes: [],
    })
    expect(await list(server, windows)).toEqual([expect.objectContaining({ open_until: '2026-11-21T01:00:00Z' })])
    server.clock.now += 60 * minuteMs
    expect((await call(server, 'GET', 'wheelhouse/silences')).data).toEqual({ windows: [], mutes: [] })
  })

  it('announces its beginning and its end, once, to the group that it names', async () => {
    const fixture = await alertServer()
    const { server, messages } = fixture
    await createRule(fixture)
    await create(
      server,
      windows,
      window({ notification_group_id: 1, time_zone: 'Asia/Tokyo', starts_at: '2026-11-21T09:00' }),
    )
    const begun = '[Maintenance] Kernel update has begun, until 2026-11-21 10:00 (Asia/Tokyo): web-1'
    for (let check = 0; check < 2; check++) server.app.windowNotifications.check()
    await expect.poll(messages).toEqual([begun])
    server.clock.now += 60 * minuteMs
    for (let check = 0; check < 2; check++) server.app.windowNotifications.check()
    await expect.poll(messages).toEqual([begun, '[Maintenance] Kernel update has ended'])
  })

  it('silences an administrator’s rules only if it is an administrator’s', async () => {
    const fixture = await alertServer()
    const { server, passMinutes, messages } = fixture
    await createRule(fixture)
    expect(await call(server, 'POST', windows, window(), 'member')).toEqual({
      error: 'servers: server id 1 does not exist',
    })
    await create(server, windows, window({ servers: [], tags: 'db' }), 'member')
    await call(server, 'PATCH', 'server/1', { name: 'web-1', note: '#db' })
    await passMinutes(1, [97, 10])
    await expect.poll(messages).toEqual([expect.stringContaining('[Incident] web-1')])
  })

  it('is refused with a reason when its times make no sense', async () => {
    const { server } = await alertServer()
    expect((await call(server, 'POST', windows, window({ time_zone: 'Mars/Olympus' }))).error).toContain('time_zone')
    expect((await call(server, 'POST', windows, window({ starts_at: '2026-02-30T02:00' }))).error).toContain(
      'starts_at',
    )
    expect((await call(server, 'POST', windows, window({ repeat: 1, duration: 1440 }))).error).toContain('duration')
  })
})

describe('a mute', () => {
  const until = (minutes: number) => new Date(Date.parse(`${start}Z`) + minutes * minuteMs).toISOString()

  it('keeps people from being notified for its time, while tasks run; it ends by itself', async () => {
    const fixture = await alertServer()
    const { server, hosts, passMinutes, messages } = fixture
    await createRule(fixture)
    const body = { name: 'web-1: busy', server_id: 1, rule_id: 1, service_id: 0, ends_at: until(60) }
    await create(server, mutes, body)
    expect(await list(server, mutes)).toEqual([expect.objectContaining({ ...body, service_id: 0, username: 'admin' })])
    await passMinutes(1, [97, 10])
    await expect.poll(() => hosts[0]?.commands).toEqual(['shed-load'])
    expect(await alarmOf(server, 'web-1')).toMatchObject({ silenced: 'muted' })
    expect(messages()).toEqual([])
    await passMinutes(60, [97, 10])
    await expect.poll(messages).toEqual([expect.stringContaining('[Incident] web-1')])
    expect(hosts[0]?.commands).toEqual(['shed-load'])
    expect(await list(server, mutes)).toEqual([])
  })

  it('until it has recovered ends with the alarm, and needs one', async () => {
    const fixture = await alertServer()
    const { server, passMinutes, messages } = fixture
    await createRule(fixture, 0)
    const body = { name: 'web-1', server_id: 1 }
    expect((await call(server, 'POST', mutes, body)).error).toContain('nothing is wrong that could recover')
    await passMinutes(1, [97, 10])
    await expect.poll(messages).toHaveLength(1)
    await create(server, mutes, body)
    await passMinutes(1440, [97, 10])
    expect(messages()).toHaveLength(1)
    expect(await list(server, mutes)).toHaveLength(1)
    await passMinutes(1, [10, 10])
    await expect.poll(messages).toEqual([expect.anything(), expect.stringContaining('[Resolved] web-1')])
    expect(await list(server, mutes)).toEqual([])
  })

  it('can be taken back, is in the audit log, and ends with what it was about', async () => {
    const { server } = await alertServer()
    const id = await create(server, mutes, { name: 'web-1', server_id: 1, ends_at: until(60) })
    await create(server, mutes, { name: 'web-2', server_id: 2, ends_at: until(60) })
    expect(await call(server, 'POST', 'batch-delete/wheelhouse/mutes', [id] as never)).toMatchObject({ success: true })
    const audit = await list(server, 'wheelhouse/audit')
    expect(audit.map(({ action }) => action)).toEqual(expect.arrayContaining(['mute.create', 'mute.delete']))
    await call(server, 'POST', 'batch-delete/server', [2] as never)
    server.app.silences.mutes.removeEnded()
    expect(await list(server, mutes)).toEqual([])
  })

  it.each([
    [{ name: 'x', ends_at: until(5) }, 'choose a server, a rule or a service'],
    [{ name: 'x', server_id: 1, ends_at: until(-5) }, 'still to come'],
    [{ name: 'x', server_id: 99, ends_at: until(5) }, 'server id 99 does not exist'],
  ])('like %j is refused with a reason', async (body, reason) => {
    const { server } = await alertServer()
    expect((await call(server, 'POST', mutes, body)).error).toContain(reason)
  })

  it('is where a link in notifications leads, if the address of the console is known', async () => {
    const fixture = await alertServer({ publicUrl: new URL('https://console.example.org') })
    await createRule(fixture)
    await fixture.passMinutes(1, [97, 10])
    const link = 'https://console.example.org/dashboard/server/1/mute?rule=1'
    await expect
      .poll(fixture.messages)
      .toEqual([
        expect.stringMatching(new RegExp(`busy\nCPU use 97%.*\n${link.replace('?', '\\?')}\nhttps://.*/incident/1/`)),
      ])
  })
})
