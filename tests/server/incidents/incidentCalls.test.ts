import { describe, expect, it } from 'vitest'
import { addUser, usersIn } from '../../../server/auth/users/users.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import type { Trouble } from '../../../server/incidents/incident.ts'
import { incidentLimits } from '../../../server/incidents/incidentTable.ts'
import { maxIncidentNote } from '../../../src/schemas/incidents/incidentRecord.ts'
import { server as servers } from '../../../src/schemas/server.ts'
import { service as services } from '../../../src/schemas/service.ts'
import { receiver } from '../../support/fakes/receiver.ts'
import { expectLessProcessorTime } from '../../support/processorTime.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

const none = { id: 0, server_id: 0, service_id: 0, rule_id: 0, owner_id: 1, host: '', is_gone: false, rule_name: '' }

/** A server with an incident of the administrator's server 1, and one of the member's service 1. */
async function withIncidents() {
  const server = await testServer()
  // What was open is compared with what lasts at the start.
  await server.app.ready()
  const { incidents } = server.app
  entityTable(server.store, servers).insert({ name: 'web-1', uuid: 'a', user_id: 1 })
  entityTable(server.store, services).insert({ name: 'shop', type: 1, target: 'https://shop.example', user_id: 2 })
  const started_at = server.clock.now
  const busy: Trouble = { ...none, kind: 'alarm', id: 7, server_id: 1, rule_id: 3, name: 'web-1 CPU', started_at }
  const down: Trouble = { ...none, kind: 'outage', id: 1, service_id: 1, owner_id: 2, name: 'shop', started_at }
  incidents.begin(busy)
  incidents.begin(down)
  const [admin, member] = [await signedIn(server), await signedIn(server, 'member')]
  const list = async (browser = admin, query = '') => {
    const { body } = await browser.get(`wheelhouse/incidents${query}`)
    return (body as { data: { value?: Record<string, unknown>[] } }).data.value ?? []
  }
  return { server, incidents, admin, member, list, busy, down }
}

it('an incident that has become part of another one is read and acknowledged by its own id', async () => {
  const { incidents, admin, busy } = await withIncidents()
  const gone = { ...busy, kind: 'offline', id: 0, is_gone: true } as const
  const [, other] = [5, 6, 7].map((server_id) => incidents.begin({ ...gone, server_id, name: `web-${server_id}` }).id)
  const { body } = await admin.get(`wheelhouse/incidents/${other}`)
  expect(body).toMatchObject({ data: { id: other, merged_into: 3, title: '3 servers are offline', state: 'open' } })
  expect((await admin.get('wheelhouse/incidents/3')).body).not.toHaveProperty('data.merged_into')
  await admin.call('POST', `wheelhouse/incidents/${other}/acknowledge`, { body: {} })
  expect(incidents.get(3)).toMatchObject({ state: 'acknowledged' })
})

describe('the list of incidents', () => {
  it('has each with its parts, and is filtered by state, server, service, time and words', async () => {
    const { list, incidents, busy, down, server } = await withIncidents()
    expect(await list()).toEqual([
      expect.objectContaining({ id: 2, title: 'shop', state: 'open' }),
      {
        id: 1,
        title: 'web-1 CPU',
        state: 'open',
        started_at: expect.stringMatching(/^2026-11-21T00:00:00/),
        parts: [
          {
            kind: 'alarm',
            id: 7,
            server_id: 1,
            service_id: 0,
            rule_id: 3,
            name: 'web-1 CPU',
            started_at: expect.stringMatching(/^2026-11-21T00:00:00/),
            role: 'cause',
          },
        ],
        entries: [],
        notices: [],
      },
    ])
    incidents.pause(busy, true)
    expect((await list())[1]).toMatchObject({ parts: [{ paused: true }] })
    incidents.pause(busy, false)
    expect((await list())[1]).not.toMatchObject({ parts: [{ paused: true }] })
    server.clock.now += 60_000
    incidents.end(down, false)
    const ids = async (query: string) => (await list(undefined, query)).map(({ id }) => id)
    expect(await ids('?state=open')).toEqual([1])
    expect(await ids('?state=resolved')).toEqual([2])
    expect(await ids('?server_id=1')).toEqual([1])
    expect(await ids('?service_id=1')).toEqual([2])
    expect(await ids('?q=SHOP')).toEqual([2])
    expect(await ids('?started_at=2026-11-22T00:00:00Z/')).toEqual([])
    expect(await ids('?limit=1&offset=1')).toEqual([2])
  })

  it('shows members what is theirs, and nothing of what else belongs to it', async () => {
    const { server, list, member, admin } = await withIncidents()
    expect((await list(member)).map(({ title }) => title)).toEqual(['shop'])
    expect((await member.get('wheelhouse/incidents/1')).body).toMatchObject({ error: 'incident id 1 does not exist' })
    entityTable(server.store, servers).update(1, { user_id: 2 })
    expect(await list(member)).toHaveLength(2)
    expect((await admin.get('wheelhouse/incidents/1')).body).toMatchObject({ data: { id: 1, title: 'web-1 CPU' } })
    expect((await server.browser().get('wheelhouse/incidents')).body).toEqual({ error: 'ApiErrorUnauthorized' })
  })
})

describe('somebody is on it', () => {
  it('says who, since when and why, until it is taken back', async () => {
    const { admin, list } = await withIncidents()
    const act = async (action: string, body?: object) =>
      (await admin.call('POST', `wheelhouse/incidents/1/${action}`, { body })).body
    expect(await act('acknowledge', { note: ' restarting it ' })).toMatchObject({ success: true })
    const [, one] = await list()
    expect(one).toMatchObject({ state: 'acknowledged', acknowledged_by: 'admin' })
    expect(one?.entries).toMatchObject([{ kind: 'acknowledged', name: 'admin', text: 'restarting it' }])
    await act('unacknowledge')
    await act('note', { note: 'not me' })
    const [, two] = await list()
    expect(two).toMatchObject({ state: 'open' })
    expect(two).not.toHaveProperty('acknowledged_by')
    expect(two?.entries).toMatchObject([{}, { kind: 'unacknowledged' }, { kind: 'note', text: 'not me' }])
    expect(await act('note', { note: '  ' })).toMatchObject({ error: expect.stringContaining('note') })
    expect(await act('note', { note: 'x'.repeat(2001) })).toMatchObject({ error: expect.stringContaining('note') })
    await act('resolve', {})
    expect((await list())[1]).toMatchObject({ state: 'resolved', resolved_at: expect.any(String) })
    expect(await act('acknowledge', {})).toEqual({ error: 'the incident is resolved already' })
  })

  it('is only for those who see all of it', async () => {
    const { member, incidents, admin, list } = await withIncidents()
    const acknowledge = async (id: number) =>
      (await member.call('POST', `wheelhouse/incidents/${id}/acknowledge`, { body: {} })).body
    expect(await acknowledge(1)).toMatchObject({ error: 'incident id 1 does not exist' })
    expect(await acknowledge(2)).toMatchObject({ success: true })
    // Server and service are gone for one reason.
    incidents.get(1)?.parts.push(...(incidents.get(2)?.parts ?? []))
    expect(await acknowledge(1)).toEqual({ error: 'permission denied' })
    await admin.call('POST', 'wheelhouse/incidents/1/acknowledge', { body: {} })
    const of = async (browser: typeof admin) => (await list(browser)).find(({ id }) => id === 1)
    expect(await of(admin)).toMatchObject({ state: 'acknowledged', acknowledged_by: 'admin' })
    expect(await of(member)).toMatchObject({ state: 'acknowledged' })
    expect(await of(member)).not.toHaveProperty('acknowledged_by')
  })
})

it('takes notes until its diary is full, says so, and can be acknowledged and resolved all the same', async () => {
  const { incidents, member } = await withIncidents()
  const act = async (verb: string, note: string) =>
    (await member.call('POST', `wheelhouse/incidents/2/${verb}`, { body: { note } })).body
  const long = 'x'.repeat(maxIncidentNote)
  const full = { error: expect.stringContaining('the diary of this incident is full') }
  const fitting = Math.floor(incidentLimits.diary / long.length)
  for (let count = 0; count < fitting; count++) expect(await act('note', long)).toMatchObject({ success: true })
  expect(await act('note', long)).toEqual(full)
  expect(await act('acknowledge', long)).toEqual(full)
  expect(await act('acknowledge', '')).toMatchObject({ success: true })
  expect(await act('resolve', long)).toEqual(full)
  expect(await act('resolve', '')).toMatchObject({ success: true })
  expect(incidents.get(2)?.entries.filter(({ text = '' }) => text === long)).toHaveLength(fitting)
})

it('is written down for the next start', async () => {
  const { server, incidents, admin } = await withIncidents()
  await admin.call('POST', 'wheelhouse/incidents/1/acknowledge', { body: {} })
  incidents.flush()
  const next = await testServer({ store: server.store })
  expect(next.app.incidents.get(1)).toMatchObject({ state: 'acknowledged', parts: [{ name: 'web-1 CPU' }] })
})

it('tells programs that it began, that somebody is on it, and that it is over', async () => {
  const { server, incidents, admin, busy } = await withIncidents()
  const { origin, deliveries } = await receiver()
  const notifier = { name: 'n', url: origin, request_method: 2, request_type: 1, skip_check: true, send_events: true }
  const body = { ...notifier, signing_secret: `whsec_${Buffer.alloc(32).toString('base64')}` }
  expect((await admin.call('POST', 'notification', { body })).body).toMatchObject({ success: true })
  const events = ['incident.opened', 'incident.acknowledged', 'incident.resolved']
  await admin.call('POST', 'notification-group', { body: { name: 'g', notifications: [1], events } })
  incidents.begin({ ...busy, id: 8, rule_id: 4, name: 'web-1 memory' })
  await admin.call('POST', 'wheelhouse/incidents/3/acknowledge', { body: {} })
  incidents.end({ ...busy, id: 8 }, false)
  await expect.poll(() => deliveries.length).toBe(3)
  await server.app.events.idle()
  expect(deliveries.map(({ body }) => JSON.parse(body))).toMatchObject([
    {
      type: 'incident.opened',
      data: { incident: { id: 3, title: 'web-1 memory', parts: [{ kind: 'alarm', id: 8 }] } },
    },
    { type: 'incident.acknowledged', data: { incident: { acknowledged_by: 'admin' } } },
    { type: 'incident.resolved', data: { incident: { state: 'resolved', merged_into: null } } },
  ])
})

describe('what a record depends on', () => {
  async function withDependencies() {
    const { server, admin, list } = await withIncidents()
    entityTable(server.store, servers).insert({ name: 'web-2', uuid: 'b', user_id: 1 })
    const shop = { name: 'shop', type: 1, target: 'https://shop.example', duration: 60, cover: 0, skip_servers: {} }
    const send = async (path: string, body: object) => (await admin.call('PATCH', path, { body })).body
    return {
      server,
      list,
      saveServer: (id: number, more: object) => send(`server/${id}`, { name: `web-${id}`, display_index: 0, ...more }),
      saveService: (more: object) => send('service/1', { ...shop, ...more }),
    }
  }

  it('is refused in words where it leads back to the record', async () => {
    const { server, saveServer } = await withDependencies()
    expect(await saveServer(1, { depends_on: [1] })).toEqual({ error: 'depends_on: it cannot depend on itself' })
    expect(await saveServer(1, { depends_on: [2] })).toMatchObject({ success: true })
    expect(await saveServer(2, { depends_on: [1] })).toEqual({
      error: 'depends_on: "web-1" depends on it already, directly or by others in between',
    })
    expect(entityTable(server.store, servers).get(1)?.depends_on).toEqual([2])
  })

  it('is refused at its field across servers and services', async () => {
    const { server, saveServer, saveService } = await withDependencies()
    expect(await saveService({ depends_on_services: [1] })).toEqual({
      error: 'depends_on_services: it cannot depend on itself',
    })
    expect(await saveService({ depends_on: [1] })).toMatchObject({ success: true })
    expect(await saveServer(1, { depends_on: [2] })).toMatchObject({ success: true })
    expect(await saveServer(2, { depends_on_services: [1] })).toEqual({
      error: 'depends_on_services: "shop" depends on it already, directly or by others in between',
    })
    expect(entityTable(server.store, servers).get(2)?.depends_on_services).toEqual([])
  })

  it('takes in what depends on it while it is down', async () => {
    const { server, saveServer, list } = await withDependencies()
    const { incidents } = server.app
    const checked = entityTable(server.store, services)
    const gateway = checked.insert({ name: 'gateway', type: 2, target: 'gw.example', user_id: 1 })
    const shop = checked.insert({
      name: 'till',
      type: 2,
      target: 'b.example',
      user_id: 1,
      depends_on_services: [gateway],
    })
    await saveServer(2, { depends_on_services: [gateway] })
    const started_at = server.clock.now
    const outage = (id: number, service_id: number, name: string): Trouble => ({
      ...none,
      kind: 'outage',
      id,
      service_id,
      name,
      started_at,
    })
    incidents.begin(outage(11, gateway, 'gateway'))
    incidents.begin(outage(12, shop, 'till'))
    incidents.begin({ ...none, kind: 'offline', server_id: 2, is_gone: true, name: 'web-2 is offline', started_at })
    const [latest] = await list()
    expect(latest).toMatchObject({
      title: 'gateway',
      parts: [
        { name: 'gateway', role: 'cause' },
        { name: 'till', role: 'consequence' },
        { name: 'web-2 is offline', role: 'consequence' },
      ],
    })
  })

  it('is nothing that another person owns: whoever names the next id gets into no incident of theirs', async () => {
    const { server, incidents, member, busy } = await withIncidents()
    const trap = { name: 'trap', type: 1, target: 'https://trap.example', duration: 60, cover: 0, skip_servers: {} }
    const next = 2
    const sent = await member.call('POST', 'service', {
      body: { ...trap, depends_on: [next], depends_on_services: [] },
    })
    const { data: trapId } = sent.body as { data: number }
    const other = addUser(usersIn(server.store), { username: 'other', password: '', role: 1, now: 0 })
    expect(entityTable(server.store, servers).insert({ name: 'theirs', uuid: 'c', user_id: other })).toBe(next)
    const { started_at } = busy
    const gone = { ...none, kind: 'offline', is_gone: true, server_id: next, owner_id: other } as const
    const incident = incidents.begin({ ...gone, name: 'theirs is offline', started_at })
    incidents.begin({ ...none, kind: 'outage', id: 9, service_id: trapId, owner_id: 2, name: 'trap', started_at })
    expect(incident.parts.map(({ name }) => name)).toEqual(['theirs is offline'])
    // An administrator's may stand on anything, and a record that has got another owner on nothing of the old one.
    entityTable(server.store, services).update(trapId, { user_id: 1 })
    incidents.begin({ ...none, kind: 'certificate', service_id: trapId, name: 'certificate of trap', started_at })
    expect(incident.parts.map(({ name }) => name)).toEqual(['theirs is offline', 'certificate of trap'])
    entityTable(server.store, services).update(trapId, { user_id: 2 })
    incidents.begin({ ...none, kind: 'alarm', id: 3, service_id: trapId, owner_id: 2, name: 'slow', started_at })
    expect(incident.parts).toHaveLength(2)
  })

  it('is looked at once each when a circle is looked for, however many ways lead there', async () => {
    const { server, saveService } = await withDependencies()
    const table = entityTable(server.store, services)
    const made: number[] = []
    for (let count = 0; count < 300; count++) {
      const values = { name: `s${count}`, type: 2, target: 'a.example', user_id: 1, depends_on_services: [...made] }
      made.push(table.insert(values))
    }
    await expectLessProcessorTime(500, async () =>
      expect(await saveService({ depends_on_services: made })).toMatchObject({ success: true }),
    )
  })

  it('is kept by a save of a client that does not know it', async () => {
    const { server, saveServer, saveService } = await withDependencies()
    await saveService({ depends_on: [1, 2] })
    await saveServer(1, { depends_on: [2] })
    expect(await saveService({ name: 'the shop' })).toMatchObject({ success: true })
    expect(await saveServer(1, { note: 'rack 7' })).toMatchObject({ success: true })
    expect(entityTable(server.store, services).get(1)).toMatchObject({ name: 'the shop', depends_on: [1, 2] })
    expect(entityTable(server.store, servers).get(1)).toMatchObject({ note: 'rack 7', depends_on: [2] })
  })
})
