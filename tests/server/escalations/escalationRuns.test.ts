import { describe, expect, it } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import type { Trouble } from '../../../server/incidents/incident.ts'
import { alertRule } from '../../../src/schemas/alertRule.ts'
import { escalation } from '../../../src/schemas/escalation.ts'
import { server as servers } from '../../../src/schemas/server.ts'
import { service as services } from '../../../src/schemas/service.ts'
import { receiver } from '../../support/fakes/receiver.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

const settings = { host: '127.0.0.1', publicUrl: new URL('https://console.example.org') }
const minute = 60_000

interface Plan {
  steps: readonly { after_min: number; notification_group_id?: number; rota_id?: number }[]
  repeat_times?: number
  repeat_min?: number
  from?: string
  to?: string
  time_zone?: string
}

const twoSteps: Plan = {
  steps: [
    { after_min: 0, notification_group_id: 1 },
    { after_min: 10, notification_group_id: 2 },
  ],
}

/** A server whose alert rule 1 has a plan, with the groups `first` and `second`, each with one notifier. */
async function withPlan(plan: Plan) {
  const { origin, deliveries } = await receiver()
  const server = await testServer({ settings })
  await server.app.ready()
  const { incidents, notifications } = server.app
  notifications.start()
  const admin = await signedIn(server)
  const create = async (path: string, body: object) =>
    expect((await admin.call('POST', path, { body })).body).toMatchObject({ success: true })
  for (const name of ['first', 'second']) {
    const notifier = { name, url: `${origin}/${name}`, request_method: 2, request_type: 1, skip_check: true }
    await create('notification', { ...notifier, request_body: '{"text":"#NEZHA#"}' })
  }
  await create('notification-group', { name: 'First', notifications: [1] })
  await create('notification-group', { name: 'Second', notifications: [2] })
  await create('wheelhouse/rotas', { name: 'Rota', people: [1], starts_on: '2026-11-01', time_zone: 'UTC' })
  await create('wheelhouse/escalations', { name: 'Night', time_zone: 'UTC', ...plan })
  entityTable(server.store, servers).insert({ name: 'web-1', uuid: 'a', user_id: 1 })
  const rules = [{ type: 'cpu', max: 90, duration: 10 }]
  await create('alert-rule', { name: 'CPU', rules, enable: false, escalation_id: 1 })
  // What is open is compared with what lasts when records have changed.
  incidents.tick()
  const trouble: Trouble = {
    kind: 'alarm',
    id: 7,
    server_id: 1,
    service_id: 0,
    rule_id: 1,
    owner_id: 1,
    host: '',
    is_gone: false,
    rule_name: 'CPU',
    name: 'web-1 CPU',
    started_at: server.clock.now,
  }
  /** Lets time go by as a server does that runs. */
  const pass = (minutes: number, of = server) => {
    for (let passed = 0; passed < minutes; passed++) {
      of.clock.now += minute
      of.app.incidents.tick()
    }
  }
  const begin = () => {
    const incident = incidents.begin(trouble)
    incidents.tick()
    return incident
  }
  /** What has come to each receiver, as soon as there is so much of it. */
  const told = async (count: number) => {
    await expect.poll(() => deliveries.length).toBe(count)
    return deliveries.map(({ url = '', body }) => `${url.slice(1)}: ${JSON.parse(body).text}`)
  }
  return { server, incidents, admin, trouble, begin, pass, told, deliveries }
}

describe('an escalation plan', () => {
  it('is on the disk together with its incident, so that a killed server goes on with both', async () => {
    const { server, begin } = await withPlan(twoSteps)
    begin()
    const rows = (name: string) => server.store.table({ name, columns: [] }).all()
    expect(rows('escalation_run')).toMatchObject([{ incident_id: 1, position: 1 }])
    expect(rows('incident')).toMatchObject([{ id: 1 }])
  })

  it('tells one group after the other, with a link for each notifier, and all of them when it is over', async () => {
    const { begin, pass, told, incidents, trouble } = await withPlan(twoSteps)
    const incident = begin()
    expect(await told(1)).toEqual([
      expect.stringMatching(
        /^first: \[Incident\] web-1 CPU.*\nAcknowledge: https:\/\/console\.example\.org\/acknowledge\//,
      ),
    ])
    pass(9)
    expect(await told(1)).toHaveLength(1)
    pass(1)
    const [first = '', second = ''] = await told(2)
    expect(second).toMatch(/^second: \[Incident\] web-1 CPU: nobody has acknowledged it for 10 min/)
    expect(first.split('\n').at(-1)).not.toBe(second.split('\n').at(-1))
    pass(60)
    expect(await told(2)).toHaveLength(2)
    expect(incident.entries).toMatchObject([
      { kind: 'escalated', name: 'First', text: 'Night' },
      { kind: 'escalated', name: 'Second', text: 'Night' },
    ])
    expect(incident.notices).toMatchObject([
      { kind: 'escalated', notification_group_id: 1 },
      { kind: 'escalated', notification_group_name: 'Second' },
    ])
    incidents.end(trouble, false)
    pass(1)
    expect((await told(4)).slice(2).sort()).toEqual([
      'first: [Resolved] web-1 CPU, after 1 hr 11 min',
      'second: [Resolved] web-1 CPU, after 1 hr 11 min',
    ])
    pass(60)
    expect(await told(4)).toHaveLength(4)
  })

  it('stops while somebody is on it, goes on when nobody is any more, and repeats', async () => {
    const { begin, pass, told, incidents } = await withPlan({ ...twoSteps, repeat_times: 1, repeat_min: 5 })
    const incident = begin()
    await told(1)
    pass(5)
    incidents.acknowledge(incident, 'admin', '')
    pass(60)
    expect(await told(1)).toHaveLength(1)
    incidents.unacknowledge(incident, 'admin')
    pass(1)
    expect(await told(2)).toHaveLength(2)
    pass(5)
    await told(3)
    pass(10)
    expect((await told(4)).map((text) => text.split(':')[0])).toEqual(['first', 'second', 'first', 'second'])
    pass(100)
    expect(await told(4)).toHaveLength(4)
  })

  it('waits for its hours', async () => {
    const { begin, pass, told, server } = await withPlan({ ...twoSteps, from: '08:00', to: '18:00' })
    begin()
    expect(await told(0)).toEqual([])
    server.clock.now = Date.parse('2026-11-21T07:59:00Z')
    pass(1)
    await told(1)
    pass(10)
    await told(2)
  })

  it('goes on after a restart, and tells once what was due meanwhile', async () => {
    const plan = { ...twoSteps, repeat_times: 9, repeat_min: 5 }
    const { trouble, told, incidents, server, pass } = await withPlan(plan)
    const target = 'https://shop.example'
    entityTable(server.store, services).insert({ name: 'shop', type: 1, target, user_id: 1, escalation_id: 1 })
    incidents.tick()
    // Of a certificate nobody asks at the start whether it lasts.
    incidents.begin({ ...trouble, kind: 'certificate', id: 0, server_id: 0, rule_id: 0, service_id: 1 })
    incidents.tick()
    await told(1)
    // The answer has come as well: else it would be sent again.
    await expect.poll(() => server.store.table({ name: 'waiting_message', columns: [] }).all()).toEqual([])
    incidents.flush()
    // As a server that was killed: it has written what it did, and no more.
    const next = await testServer({ settings, store: server.store })
    next.clock.now += 300 * minute
    const again = next.app.incidents.get(1)
    expect(again).toMatchObject({ state: 'open' })
    next.app.notifications.start()
    pass(1, next)
    await told(2)
    pass(4, next)
    expect(await told(2)).toHaveLength(2)
    pass(1, next)
    await told(3)
  })

  it('is not held up by a clock that was set back', async () => {
    const { begin, told, server, pass } = await withPlan(twoSteps)
    begin()
    await told(1)
    server.clock.now -= 600 * minute
    pass(11)
    await told(2)
  })

  it('tells whoever is on duty by the notifiers of their profile, and goes on at once where there are none', async () => {
    const plan: Plan = {
      steps: [
        { after_min: 0, rota_id: 1 },
        { after_min: 30, notification_group_id: 1 },
      ],
    }
    const { begin, told, admin, incidents, trouble, pass } = await withPlan(plan)
    const incident = begin()
    expect(await told(1)).toEqual([expect.stringMatching(/^first:/)])
    expect(incident.entries).toMatchObject([
      { kind: 'not_escalated', name: 'admin' },
      { kind: 'escalated', name: 'First' },
    ])
    incidents.resolve(incident, 'admin', '')
    pass(1)
    await told(2)
    const { body } = await admin.call('POST', 'wheelhouse/profile/notifiers', { body: { notifiers: [2] } })
    expect(body).toMatchObject({ success: true })
    const second = incidents.begin({ ...trouble, id: 8 })
    incidents.tick()
    expect((await told(3))[2]).toMatch(/^second: \[Incident\]/)
    expect(second.entries).toMatchObject([{ kind: 'escalated', name: 'admin' }])
    const { body: log } = await admin.get('wheelhouse/deliveries?limit=1')
    expect(JSON.stringify(log)).toContain('admin')
  })

  it('is at work for the incident that its own has become part of', async () => {
    const { begin, told, pass, incidents, trouble } = await withPlan(twoSteps)
    const gone: Trouble = { ...trouble, kind: 'offline', id: 0, is_gone: true, rule_id: 0 }
    incidents.begin({ ...gone, server_id: 2, name: 'web-2' })
    begin()
    await told(1)
    incidents.begin({ ...gone, server_id: 3, name: 'web-3' })
    incidents.begin({ ...gone, name: 'web-1' })
    const [incident, ...others] = [...incidents.unresolved()]
    expect([incident?.id, others]).toEqual([1, []])
    pass(10)
    await told(2)
    if (incident) incidents.resolve(incident, 'admin', '')
    pass(1)
    await told(4)
  })
})

it('tells nobody of the end twice, and says no more than the owner of the plan may see', async () => {
  const plan = { steps: [{ after_min: 1, notification_group_id: 1 }] }
  const { server, begin, told, pass, incidents, trouble } = await withPlan(plan)
  entityTable(server.store, escalation).update(1, { user_id: 2 })
  entityTable(server.store, servers).update(1, { user_id: 2 })
  incidents.tick()
  const incident = begin()
  incident.parts.push({
    ...trouble,
    id: 9,
    server_id: 9,
    name: 'secret',
    role: 'cause',
    ended_at: null,
    withdrawn: false,
  })
  incident.title = 'secret and 1 more'
  incident.notices.push({
    at: server.clock.now,
    kind: 'opened',
    notification_group_id: 1,
    notification_group_name: 'First',
    message: 'web-1 CPU',
  })
  pass(1)
  expect(await told(1)).toEqual([expect.stringMatching(/^first: \[Incident\] web-1 CPU: nobody/)])
  incidents.resolve(incident, 'admin', '')
  pass(2)
  await server.app.events.idle()
  expect(await told(1)).toHaveLength(1)
})

describe('who may name what', () => {
  it('keeps members to groups, rotas and plans of their own', async () => {
    const { server } = await withPlan(twoSteps)
    const member = await signedIn(server, 'member')
    const post = async (path: string, body: object) => (await member.call('POST', path, { body })).body
    const rota = { name: 'mine', starts_on: '2026-11-01', people: [2] }
    expect(await post('wheelhouse/escalations', { name: 'x', ...twoSteps })).toEqual({
      error: 'steps: notification group id 1 does not exist',
    })
    const ofRota = (rota_id: number) => ({ name: 'x', steps: [{ after_min: 0, rota_id }] })
    expect(await post('wheelhouse/escalations', ofRota(1))).toEqual({ error: 'steps: rota id 1 does not exist' })
    expect(await post('wheelhouse/rotas', { ...rota, people: [1] })).toEqual({
      error: 'people: user id 1 does not exist',
    })
    const overrides = [{ from: '2026-11-01', to: '2026-11-01', user_id: 1 }]
    expect(await post('wheelhouse/rotas', { ...rota, overrides })).toMatchObject({
      error: expect.stringContaining('user id 1'),
    })
    expect(await post('wheelhouse/rotas', rota)).toMatchObject({ success: true })
    expect(await post('wheelhouse/escalations', ofRota(2))).toMatchObject({ success: true })
    const rule = { name: 'r', rules: [{ type: 'cpu', max: 90, duration: 10 }] }
    expect(await post('alert-rule', { ...rule, escalation_id: 1 })).toHaveProperty('error')
    expect(await post('alert-rule', { ...rule, escalation_id: 2 })).toMatchObject({ success: true })
    expect(await post('wheelhouse/profile/notifiers', { notifiers: [1] })).toEqual({
      error: 'notifiers: notification id 1 does not exist',
    })
  })

  it('keeps the plan of a rule where a client that does not know it leaves it out', async () => {
    const { admin, server } = await withPlan(twoSteps)
    const rule = { name: 'renamed', rules: [{ type: 'cpu', max: 90, duration: 10 }], enable: false }
    await admin.call('PATCH', 'alert-rule/1', { body: rule })
    expect(entityTable(server.store, alertRule).get(1)).toMatchObject({ name: 'renamed', escalation_id: 1 })
  })

  it.each([
    ['without anybody to tell', [{ after_min: 0 }]],
    ['with two to tell', [{ after_min: 0, notification_group_id: 1, rota_id: 1 }]],
    [
      'out of order',
      [
        { after_min: 5, rota_id: 1 },
        { after_min: 5, rota_id: 1 },
      ],
    ],
  ])('refuses steps %s', async (_, steps) => {
    const { admin } = await withPlan(twoSteps)
    const { body } = await admin.call('POST', 'wheelhouse/escalations', { body: { name: 'x', steps } })
    expect(body).toEqual({ error: expect.stringContaining('Each step needs somebody to tell') })
  })
})
