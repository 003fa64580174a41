import { describe, expect, it, vi } from 'vitest'
import { eventTypes } from '../../../src/schemas/webhooks/eventTypes.ts'
import { secret, verifiedEvent } from '../../support/fakes/verifiedEvent.ts'
import { type EventFixture, eventFixture } from '../../support/server/fixtures/eventFixture.ts'
import { createTestHost } from '../../support/server/testHost.ts'
import { signedIn } from '../../support/server/testServer.ts'

const typesOf = (fixture: EventFixture) => fixture.events().map(({ type }) => type)

/** Three checks of the alert rules, with this load. */
async function checkRules({ server, report, settle }: EventFixture, cpu: number): Promise<void> {
  for (let check = 0; check < 3; check++) {
    server.clock.now += 3000
    report({ cpu })
    await server.app.alerts.check()
  }
  await settle()
}

const addRule = (fixture: EventFixture, group = 0, username = 'admin') =>
  fixture.create(
    'alert-rule',
    {
      name: 'busy',
      enable: true,
      trigger_mode: 1,
      notification_group_id: group,
      rules: [{ type: 'cpu', max: 90, duration: 3, cover: 0 }],
      fail_trigger_tasks: [],
      recover_trigger_tasks: [],
    },
    username,
  )

/** Checks of services, every 30 seconds. */
async function checkServices({ server, report, settle }: EventFixture, seconds: number): Promise<void> {
  for (const end = server.clock.now + seconds * 1000; server.clock.now < end; server.clock.now += 1000) {
    report()
    server.app.services.checker.tick()
    await server.app.services.checker.idle()
  }
  await settle()
}

const addService = (fixture: EventFixture) =>
  fixture.create('service', {
    name: 'shop',
    type: 3,
    target: 'shop.example:443',
    duration: 30,
    cover: 0,
    notify: false,
    notification_group_id: 0,
    skip_servers: {},
    fail_trigger_tasks: [],
    recover_trigger_tasks: [],
  })

describe('a notifier that gets events receives, signed,', () => {
  it('of an alarm, and that it is over', async () => {
    const fixture = await eventFixture()
    await fixture.subscribe(['alarm.raised', 'alarm.resolved'])
    await addRule(fixture)
    await checkRules(fixture, 97)
    await checkRules(fixture, 10)
    const alarm = {
      rule: { id: 1, name: 'busy' },
      server: { id: 1, name: 'web-1' },
      causes: [{ type: 'cpu', max: 90 }],
    }
    expect(fixture.events()).toMatchObject([
      { version: 1, type: 'alarm.raised', data: { alarm } },
      { version: 1, type: 'alarm.resolved', data: { alarm: { ...alarm, withdrawn: false } } },
    ])
    expect(fixture.target.deliveries[0]).toMatchObject({
      method: 'POST',
      url: '/events',
      headers: { 'content-type': 'application/json', 'user-agent': 'Wheelhouse' },
    })
  })

  it('that an alarm ended because its rule was changed', async () => {
    const fixture = await eventFixture()
    await fixture.subscribe(['alarm.raised', 'alarm.resolved'])
    await addRule(fixture)
    await checkRules(fixture, 97)
    await fixture.call('POST', 'batch-delete/alert-rule', [1])
    await checkRules(fixture, 97)
    expect(fixture.events()).toMatchObject([
      { type: 'alarm.raised' },
      { type: 'alarm.resolved', data: { alarm: { withdrawn: true } } },
    ])
  })

  it('of an alarm that is silent in a maintenance window when the window closes, and not before', async () => {
    const fixture = await eventFixture()
    await fixture.subscribe(['alarm.raised', 'alarm.resolved'])
    await addRule(fixture)
    await fixture.create('wheelhouse/maintenance-windows', {
      name: 'update',
      repeat: 0,
      starts_at: '2026-11-21T00:00',
      duration: 60,
      time_zone: 'UTC',
      servers: [1],
    })
    await checkRules(fixture, 97)
    expect(typesOf(fixture)).toEqual([])
    fixture.server.clock.now += 60 * 60_000
    await checkRules(fixture, 97)
    await checkRules(fixture, 10)
    expect(typesOf(fixture)).toEqual(['alarm.raised', 'alarm.resolved'])
  })

  it('of a service that is down, and up again', async () => {
    const fixture = await eventFixture()
    await fixture.subscribe(['service.down', 'service.up'])
    await addService(fixture)
    await checkServices(fixture, 60)
    fixture.host.reply = async () => ({ outcome: 'down', problem: 'connection refused' })
    await checkServices(fixture, 90)
    fixture.host.reply = async () => ({ outcome: 'up', delay: 1 })
    await checkServices(fixture, 90)
    const service = { id: 1, name: 'shop' }
    expect(fixture.events()).toMatchObject([
      { type: 'service.down', data: { service, problem: 'connection refused', seen_from: 'web-1' } },
      { type: 'service.up', data: { service, seen_from: 'web-1' } },
    ])
    expect(await fixture.log()).toMatchObject([{ service_id: 1 }, { service_id: 1 }])
  })

  it('of a server that has been offline for half a minute, and is back', async () => {
    const fixture = await eventFixture()
    await fixture.subscribe(['server.offline', 'server.online'])
    await fixture.settle()
    fixture.host.disconnect()
    await fixture.pass(0)
    await fixture.pass(29)
    expect(typesOf(fixture)).toEqual([])
    await fixture.pass(1)
    fixture.report()
    await fixture.pass(1)
    const data = { server: { id: 1, name: 'web-1' } }
    expect(fixture.events()).toMatchObject([
      { type: 'server.offline', data },
      { type: 'server.online', data },
    ])
  })

  it('of a server that went offline while this server was stopped; not of one whose agent only started again', async () => {
    const before = await eventFixture()
    await before.subscribe(['server.offline', 'server.online'])
    await before.settle()
    const fixture = await eventFixture({ store: before.server.store })
    await fixture.call('PATCH', 'notification/1', {
      name: 'receiver',
      url: `${fixture.target.origin}/events`,
      verify_tls: true,
      send_events: true,
      signing_secret: secret,
      skip_check: true,
    })
    fixture.host.disconnect()
    await fixture.pass(0)
    fixture.server.clock.now += 40_000
    fixture.report()
    await fixture.settle()
    expect(typesOf(fixture)).toEqual([])
    fixture.host.disconnect()
    await fixture.pass(0)
    await fixture.pass(30)
    expect(typesOf(fixture)).toEqual(['server.offline'])
  })

  it('are none of a server that registers for the first time, however late its first report is', async () => {
    const fixture = await eventFixture()
    await fixture.subscribe(['server.offline', 'server.online'])
    await fixture.settle()
    const { machines } = fixture.server.app
    machines.register('machine-2', 'web-2', 1)
    await fixture.pass(60)
    const host = createTestHost({ uuid: 'machine-2' })
    machines.add(host)
    host.report({ at: new Date(fixture.server.clock.now) })
    await fixture.pass(1)
    expect(typesOf(fixture)).toEqual([])
    host.disconnect()
    await fixture.pass(0)
    await fixture.pass(30)
    expect(fixture.events()).toContainEqual(
      expect.objectContaining({ type: 'server.offline', data: { server: expect.objectContaining({ name: 'web-2' }) } }),
    )
  })

  it('of each run of a task, with the end of its output, and of one that could not start', async () => {
    const fixture = await eventFixture()
    await fixture.subscribe(['task_run.ended'])
    const output = `${'x'.repeat(2000)}the end\n`
    fixture.host.answer = async () => ({ exitCode: 3, ended: 'exited', output, truncated: false })
    await fixture.create('cron', {
      name: 'backup',
      task_type: 0,
      scheduler: '0 * * * * *',
      command: 'backup',
      servers: [1],
      cover: 0,
    })
    fixture.server.app.tasks.tick()
    for (const isOnline of [true, false]) {
      fixture.server.clock.now += 60_000
      if (isOnline) fixture.report()
      else fixture.host.disconnect()
      fixture.server.app.tasks.tick()
      await fixture.server.app.tasks.idle()
    }
    await fixture.settle()
    const about = { task: { id: 1, name: 'backup' }, server: { id: 1, name: 'web-1' } }
    const run = { cause: 'schedule', state: 'failed', reason: 'exit_code', exit_code: 3, output_cut: true }
    expect(fixture.events()).toMatchObject([
      { type: 'task_run.ended', data: { ...about, run: { ...run, output: expect.stringMatching(/^x{993}the end$/) } } },
      { type: 'task_run.ended', data: { ...about, run: { state: 'offline', output: '', output_cut: false } } },
    ])
  })

  it('of a sign-in, with its address', async () => {
    const fixture = await eventFixture()
    await fixture.subscribe(['user.signed_in'])
    await fixture.settle()
    const earlier = fixture.events().length
    await signedIn(fixture.server, 'member', '192.0.2.7')
    await fixture.settle()
    expect(fixture.events().slice(earlier)).toMatchObject([
      { type: 'user.signed_in', data: { user: { id: 2, username: 'member' }, address: '192.0.2.7', by: 'password' } },
    ])
  })

  it('of Wheelhouse itself that was cut off and runs again, for administrators alone, and as a message too', async () => {
    const { server } = await eventFixture()
    const fixture = await eventFixture({ store: server.store, cutOff: { traceFile: '/data/crash.log' } })
    const { target, create } = fixture
    await fixture.subscribe(['wheelhouse.restarted'])
    await fixture.subscribe(['wheelhouse.restarted'], 'member')
    const request = { request_method: 2, request_type: 1, request_body: '{"text":"#NEZHA#"}', skip_check: true }
    const notifier = await create('notification', { name: 'chat', url: `${target.origin}/chat`, ...request })
    await create('notification-group', { name: 'chat', notifications: [notifier], events: ['wheelhouse.restarted'] })
    await fixture.server.app.listen({ host: '127.0.0.1', port: 0 })
    await fixture.settle()
    await vi.waitFor(() => expect(target.deliveries).toHaveLength(2))
    const [event, message] = ['/events', '/chat'].map((path) => target.deliveries.find(({ url }) => url === path))
    expect(event && verifiedEvent(event)).toMatchObject({
      type: 'wheelhouse.restarted',
      data: { trace_file: '/data/crash.log' },
    })
    expect(message?.body).toContain('[Restarted] Wheelhouse runs again: an error ended it, which is in /data/crash.log')
  })

  it('of changes of records: which fields, never their values; and none from before it was asked for', async () => {
    const fixture = await eventFixture()
    await fixture.create('nat', {
      name: 'before',
      enabled: true,
      domain: 'a.example',
      host: '127.0.0.1:80',
      server_id: 1,
    })
    await fixture.settle()
    await fixture.subscribe(['record.changed'])
    await fixture.settle()
    const earlier = fixture.events().length
    await fixture.call('PATCH', 'notification/1', {
      name: 'renamed',
      url: `${fixture.target.origin}/events?t=SECRET-1`,
      verify_tls: true,
      send_events: true,
      skip_check: true,
    })
    await fixture.settle()
    expect(JSON.stringify(fixture.target.deliveries.map(({ body }) => body))).not.toContain('SECRET-1')
    expect(fixture.events().slice(earlier)).toMatchObject([
      {
        type: 'record.changed',
        data: {
          entity: 'notification',
          action: 'updated',
          record: { id: 1, name: 'renamed' },
          fields: expect.arrayContaining(['name', 'url']),
          user: { id: 1, username: 'admin' },
        },
      },
    ])
    expect(
      fixture.events().some(({ data }) => 'record' in data && (data.record as { name: string }).name === 'before'),
    ).toBe(false)
  })

  it('of messages to its group where no events are chosen, and not where others are', async () => {
    const fixture = await eventFixture()
    const { group } = await fixture.subscribe([])
    const other = await fixture.subscribe(['user.signed_in'])
    for (const groupId of [group, other.group]) {
      fixture.server.app.notifications.send({ groupId, message: `to ${groupId}\nsecond line` })
    }
    await fixture.settle()
    expect(fixture.events().filter(({ type }) => type === 'message')).toMatchObject([
      { data: { text: `to ${group}\nsecond line` } },
    ])
  })

  it('once, however many of its groups ask for it', async () => {
    const fixture = await eventFixture()
    const { notifier } = await fixture.subscribe(['alarm.raised'])
    await fixture.create('notification-group', { name: 'second', notifications: [notifier], events: ['alarm.raised'] })
    await addRule(fixture)
    await checkRules(fixture, 97)
    expect(typesOf(fixture)).toEqual(['alarm.raised'])
  })
})

describe('a member gets events', () => {
  it('only of what they may see, also in a group of an administrator', async () => {
    const fixture = await eventFixture()
    const all = eventTypes.filter((type) => type !== 'message')
    const { notifier } = await fixture.subscribe(all, 'member')
    await fixture.create('notification-group', { name: 'of the administrator', notifications: [notifier], events: all })
    // Members call only public addresses: what is sent is in the log.
    await addRule(fixture)
    await checkRules(fixture, 97)
    await fixture.create('cron', { name: 'secret', task_type: 1, command: 'x', servers: [1], cover: 0 })
    await fixture.call('POST', 'cron/1/manual')
    await fixture.server.app.tasks.idle()
    await signedIn(fixture.server, 'admin')
    await fixture.pass(60)
    const log = await fixture.log('member')
    expect(new Set(log.map(({ event, message }) => `${event} ${message}`))).toEqual(
      new Set([
        'user.signed_in member, password',
        'record.changed notification-group events',
        'record.changed notification receiver',
      ]),
    )
  })
})
