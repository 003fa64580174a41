import { describe, expect, it, vi } from 'vitest'
import { type History, openHistory } from '../../../server/db/history/openHistory.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { timestamp } from '../../../server/wire/apiCall.ts'
import { server } from '../../../src/schemas/server.ts'
import { service } from '../../../src/schemas/service.ts'
import { admin, dataApp, member } from '../../support/console/dataApp.ts'
import { createTestHost, noState } from '../../support/server/testHost.ts'

const day = 86_400_000
const noon = Date.parse('2026-11-21T12:00:00Z')

describe('the overview', () => {
  it('has 30 days of each service, today last', async () => {
    const data = await dataApp({ now: () => noon })
    entityTable(data.store, service).insert({ name: 'web', user_id: 1 })
    const { samples, recorder } = data.services
    samples.add(1, 1, noon - 29 * day, { outcome: 'up', delay: 4 })
    samples.add(1, 1, noon - day, { outcome: 'down', problem: 'x' })
    samples.add(1, 2, noon, { outcome: 'up', delay: 10 })
    samples.add(1, 1, noon, { outcome: 'up', delay: 20 })
    samples.add(1, 1, noon, { outcome: 'not permitted', problem: 'x' })
    await recorder.save()
    const { body } = await data.call('GET', 'service')
    const { up, down, delay, ...rest } = (body as { data: { services: Record<string, Record<string, number[]>> } }).data
      .services['1'] as Record<string, number[]>
    expect([up?.[0], up?.[29], down?.[28], delay?.[0], delay?.[29]]).toEqual([1, 2, 1, 4, 15])
    expect([up?.length, down?.length, delay?.length]).toEqual([30, 30, 30])
    expect(rest).toEqual({ service_name: 'web', current_up: 0, current_down: 0, total_up: 3, total_down: 1 })
  })

  it('shows why a check failed to the owner only, and the expiry of the certificate to everybody', async () => {
    const clock = { now: noon }
    const data = await dataApp({ now: () => clock.now })
    const { services, machines, call } = data
    const host = createTestHost()
    machines.add(host)
    host.report({ at: new Date(noon) })
    host.reply = async () => ({ outcome: 'down', problem: 'refused', certificate: { issuer: 'A', expiresAt: noon } })
    await call('POST', 'service', { name: 'web', type: 1, target: 'https://a.example', skip_servers: {} })
    await services.checker.tick()
    clock.now += 100
    await services.checker.tick()
    await services.checker.idle()
    const overviewFor = async (person: typeof admin | null) =>
      ((await call('GET', 'service', undefined, person)).body as { data: { services: object } }).data.services
    expect(await overviewFor(admin)).toMatchObject({ 1: { problem: 'refused', current_down: 1 } })
    for (const person of [member, null]) {
      expect(await overviewFor(person)).toMatchObject({
        1: { current_down: 1, certificate_expires_at: '2026-11-21T12:00:00.000Z' },
      })
      expect(JSON.stringify(await overviewFor(person))).not.toContain('refused')
    }
  })
})

describe('the overview of a service that is down', () => {
  it('says since when', async () => {
    const clock = { now: noon }
    const { services, machines, call } = await dataApp({ now: () => clock.now })
    const host = createTestHost()
    machines.add(host)
    host.reply = async () => ({ outcome: 'down', problem: 'refused' })
    await call('POST', 'service', { name: 'web', type: 3, target: 'a.example:1', duration: 5, skip_servers: {} })
    const webNow = async () =>
      ((await call('GET', 'service')).body as { data: { services: Record<string, object> } }).data.services[1]
    await vi.waitFor(async () => {
      clock.now += 1000
      host.report({ at: new Date(clock.now) })
      await services.checker.tick()
      await services.checker.idle()
      expect(await webNow()).toMatchObject({ state: 'down' })
    })
    const [outage] = services.checker.outagesOf(1)
    expect(await webNow()).toMatchObject({ down_since: timestamp(outage?.started_at) })
  })
})

describe('the delays of the services that a server checks', () => {
  it('have no number for a check that failed', async () => {
    const data = await dataApp({ now: () => noon })
    entityTable(data.store, service).insert({ name: 'web', user_id: 1 })
    entityTable(data.store, server).insert({ name: 'one', user_id: 1 })
    const { samples, recorder } = data.services
    samples.add(1, 1, noon - 30 * 60_000, { outcome: 'up', delay: 4 })
    samples.add(1, 1, noon - 20 * 60_000, { outcome: 'down', problem: 'x' })
    samples.add(1, 1, noon - 10 * 60_000, { outcome: 'up', delay: 6 })
    await recorder.save()
    const { body } = await data.call('GET', 'server/1/service')
    expect(body).toMatchObject({ data: [{ monitor_id: 1, avg_delay: [4, null, 6] }] })
    const history = await data.call('GET', 'service/1/history')
    expect(history.body).toMatchObject({
      data: {
        servers: [{ stats: { avg_delay: 5, data_points: [{ status: 1 }, { status: 0, delay: 0 }, { status: 1 }] } }],
      },
    })
  })
})

describe('how long the parts of a check took', () => {
  it('is for those who own the service', async () => {
    const data = await dataApp({ now: () => noon })
    entityTable(data.store, service).insert({ name: 'web', user_id: 1 })
    entityTable(data.store, server).insert({ name: 'one', user_id: 1 })
    const { samples, recorder } = data.services
    samples.add(1, 1, noon - 60_000, { outcome: 'up', delay: 4, phases: { connect: 3, whole: 4 } })
    await recorder.save()
    const pointsFor = async (person: typeof admin | null) => {
      const { body } = await data.call('GET', 'service/1/history', undefined, person)
      return (body as { data: { servers: { stats: { data_points: object[] } }[] } }).data.servers[0]?.stats.data_points
    }
    const point = { ts: noon - 60_000, delay: 4, status: 1 }
    expect(await pointsFor(admin)).toEqual([{ ...point, phases: { connect: 3 } }])
    for (const person of [member, null]) expect(await pointsFor(person)).toEqual([point])
  })
})

describe('what is hidden from guests', () => {
  async function hidden() {
    const data = await dataApp({ now: () => noon })
    const services = entityTable(data.store, service)
    const servers = entityTable(data.store, server)
    services.insert({ name: 'open', user_id: 1, cover: 0 })
    services.insert({ name: 'hidden', user_id: 2, cover: 0, hide_for_guest: true })
    servers.insert({ name: 'open', user_id: 2 })
    servers.insert({ name: 'hidden', user_id: 1, hide_for_guest: true })
    for (const one of [1, 2])
      for (const two of [1, 2]) data.services.samples.add(one, two, noon - 1, { outcome: 'up', delay: 1 })
    for (const id of [1, 2]) data.services.metrics.add(id, noState, noon - 1)
    await data.services.recorder.save()
    const ask = async (path: string, person: typeof admin | null) =>
      (await data.call('GET', path, undefined, person)).body
    return ask
  }

  it.each([
    ['an administrator', admin, ['1', '2'], [1, 2], [1, 2]],
    ['the member whose service it is', member, ['1', '2'], [1], [1, 2]],
    ['nobody', null, ['1'], [1], [1]],
  ])('is visible to %s or not', async (_, person, services, servers, monitors) => {
    const ask = await hidden()
    const overview = (await ask('service', person)) as { data: { services: object } }
    expect(Object.keys(overview.data.services)).toEqual(services)
    expect(await ask('service/server', person)).toEqual({ success: true, data: servers })
    const history = (await ask('service/1/history', person)) as { data: { servers: { server_id: number }[] } }
    expect(history.data.servers.map(({ server_id }) => server_id)).toEqual(servers)
    const delays = (await ask('server/1/service', person)) as { data: { monitor_id: number }[] }
    expect(delays.data.map(({ monitor_id }) => monitor_id)).toEqual(monitors)
    const missing = { error: 'service not found' }
    if (person) expect(await ask('service/2/history', person)).toMatchObject({ data: { service_name: 'hidden' } })
    else expect(await ask('service/2/history', person)).toEqual(missing)
    const metrics = await ask('server/2/metrics?metric=cpu', person)
    const delaysOfHidden = await ask('server/2/service', person)
    if (person === admin) expect([metrics, delaysOfHidden]).toMatchObject([{ success: true }, { success: true }])
    else expect([metrics, delaysOfHidden]).toEqual(Array(2).fill({ error: 'server not found' }))
  })

  it('of the last hour comes for many servers at once, of those that a person may see', async () => {
    const ask = await hidden()
    const ofAll = async (ids: string, person: typeof admin | null) =>
      (await ask(`wheelhouse/last-hour?metric=uptime&ids=${ids}`, person)) as { data: Record<string, unknown[]> }
    const { data } = await ofAll('1,2,2,99,x', admin)
    expect(Object.keys(data)).toEqual(['1', '2'])
    expect(data[1]).toHaveLength(60)
    expect(data[1]?.filter((value) => value !== null)).toHaveLength(1)
    expect(Object.keys((await ofAll('1,2', member)).data ?? {})).toEqual(['1'])
    expect(await ofAll('1', null)).toHaveProperty('error')
    expect(await ask('wheelhouse/last-hour?metric=odd&ids=1', admin)).toEqual({ error: 'invalid metric name' })
  })

  it('is available for more than a day only to people who are signed in', async () => {
    const ask = await hidden()
    const refused = { error: 'unauthorized: only 1d data available for guests' }
    for (const path of ['service/1/history', 'server/1/service', 'server/1/metrics?metric=cpu']) {
      const period = path.includes('?') ? '&period=' : '?period='
      expect(await ask(`${path}${period}30d`, null)).toEqual(refused)
      expect(await ask(`${path}${period}1d`, null)).toMatchObject({ success: true })
      expect(await ask(`${path}${period}30d`, member)).toMatchObject({ success: true })
      expect(await ask(`${path}${period}1y`, member)).toEqual({ error: 'invalid period: 1y, expected 1d, 7d, or 30d' })
    }
  })
})

describe('a period of a year', () => {
  const path = 'server/1/metrics?metric=cpu&period=365d'

  async function dataWith(history?: History) {
    const data = await dataApp({ now: () => noon, history })
    const host = createTestHost()
    data.machines.add(host)
    host.report({ at: new Date(noon) })
    const ask = async (at: string, person?: null) => (await data.call('GET', at, undefined, person)).body
    return { ...data, ask }
  }

  it('is there where the history reaches back so far, and not for guests', async () => {
    const { ask } = await dataWith(openHistory(':memory:', 400))
    expect(await ask(path)).toMatchObject({ success: true, data: { data_points: expect.any(Array) } })
    expect(await ask(path, null)).toEqual({ error: 'unauthorized: only 1d data available for guests' })
  })

  it('is refused in words where it does not', async () => {
    const { ask } = await dataWith()
    expect(await ask(path)).toEqual({ error: 'invalid period: 365d, expected 1d, 7d, or 30d' })
  })

  it('of eight hundred services at once is there, of more is refused, and of one of them is not', async () => {
    const { store, ask } = await dataWith(openHistory(':memory:', 400))
    const services = entityTable(store, service)
    store.transaction(() => {
      for (let number = 0; number < 800; number += 1) services.insert({ name: 'web', user_id: 1 })
    })
    expect(await ask('server/1/service?period=365d')).toMatchObject({ success: true })
    services.insert({ name: 'web', user_id: 1 })
    expect(await ask('server/1/service?period=365d')).toEqual({
      error: expect.stringContaining('ask for each service'),
    })
    expect(await ask('service/1/history?period=365d')).toMatchObject({ success: true })
  })
})

describe('a week of thousands of services at once', () => {
  it('is refused where one server checks them all, and a day is not', async () => {
    const data = await dataApp({ now: () => noon })
    const host = createTestHost()
    data.machines.add(host)
    host.report({ at: new Date(noon) })
    const services = entityTable(data.store, service)
    data.store.transaction(() => {
      for (let number = 0; number < 2000; number += 1) services.insert({ name: 'web', user_id: 1 })
    })
    const ask = async (period: string) => (await data.call('GET', `server/1/service?period=${period}`)).body
    expect(await ask('7d')).toEqual({
      error: '7d of all services of this server is too much for one reply: ask for each service',
    })
    expect(await ask('1d')).toMatchObject({ success: true })
  })
})
