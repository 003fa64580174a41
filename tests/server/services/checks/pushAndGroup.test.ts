import { describe, expect, it } from 'vitest'
import { groupState } from '../../../../server/services/checks/probeResult.ts'
import { type PushCall, pushState } from '../../../../server/services/checks/push/pushes.ts'
import { groupCheck, pushCheck } from '../../../../src/schemas/checks/own.ts'
import { checkFixture } from '../../../support/server/fixtures/checkFixture.ts'
import { serviceFixture } from '../../../support/server/fixtures/serviceFixture.ts'
import { bodyFor } from '../../../support/server/routes/everyCall.ts'
import { signedIn, testServer } from '../../../support/server/testServer.ts'

const minute = 60_000
const start = Date.parse('2026-11-21T12:00:00Z')
const push = (fields: object = {}) => pushCheck.schema.parse({ kind: 'push', interval: 600, grace: 60, ...fields })
const call = (event: PushCall['event'], at: number, more: Partial<PushCall> = {}): PushCall => ({
  at,
  event,
  message: '',
  ...more,
})

describe('a job that reports here', () => {
  const at = (now: number, calls: PushCall[] = [], more: object = {}) =>
    pushState(push(), { calls, ...more }, { since: start, now: start + now * minute })

  it('is unknown before its first call is due, up after it, and down when it is late', () => {
    expect(at(5)).toBeUndefined()
    expect(at(12)).toMatchObject({ state: 'down', reason: { key: 'push_missing', values: { minutes: 2 } } })
    const calls = [call('success', start + 8 * minute, { ms: 12 })]
    expect(at(18.5, calls)).toEqual({ state: 'up', ms: 12 })
    expect(at(19.5, calls)).toMatchObject({ state: 'down' })
  })

  it('is down at once when it says so, until it has run', () => {
    const failed = call('fail', start + minute, { message: 'disk full' })
    expect(at(2, [failed])).toMatchObject({
      state: 'down',
      reason: { key: 'push_failed', values: { said: 'disk full' } },
    })
    expect(at(3, [call('success', start + 2 * minute), failed])).toMatchObject({ state: 'up' })
  })

  it('is down when it has begun, and does not end within its grace', () => {
    const calls = [call('start', start + minute)]
    expect(at(1.5, calls, { startedAt: start + minute })).toBeUndefined()
    expect(at(3, calls, { startedAt: start + minute })).toMatchObject({
      state: 'down',
      reason: { key: 'push_running' },
    })
  })

  it('may have a schedule in a time zone in place of an interval', () => {
    const daily = push({ schedule: '0 30 3 * * *', zone: 'Europe/Rome', grace: 600 })
    const calls = [call('success', Date.parse('2026-11-21T02:31:00Z'))]
    const stateAt = (now: string) => pushState(daily, { calls }, { since: 0, now: Date.parse(now) })
    expect(stateAt('2026-11-22T02:35:00Z')).toMatchObject({ state: 'up' })
    expect(stateAt('2026-11-22T02:41:00Z')).toMatchObject({ state: 'down', reason: { values: { minutes: 11 } } })
  })

  it('is refused with a schedule or a time zone that is none', async () => {
    const { browser } = await checkFixture()
    const create = (check: object) =>
      browser.call('POST', 'service', {
        body: { ...(bodyFor({ method: 'POST', name: 'POST service' } as never) as object), check },
      })
    expect((await create({ kind: 'push', schedule: '99 * * * * *' })).body).toMatchObject({
      error: expect.stringMatching(/^check\.schedule: /),
    })
    expect((await create({ kind: 'push', zone: 'Moon/Base' })).body).toMatchObject({
      error: expect.stringMatching(/^check\.zone: /),
    })
  })
})

async function pushFixture() {
  const fixture = await checkFixture()
  const { browser, server } = fixture
  const { body } = await browser.call('POST', 'service', {
    body: { name: 'backup', type: 3, target: '', duration: 30, check: { kind: 'push', interval: 600, grace: 60 } },
  })
  const id = (body as { data: number }).data
  const row = async (reader = browser) => {
    const reply = await reader.get(`service/list?id=${id}`)
    return (reply.body as { data: Record<string, unknown>[] }).data[0] ?? {}
  }
  const path = String((await row()).push_path)
  const state = async () => {
    const reply = await browser.get('service')
    return (reply.body as { data: { services: Record<string, Record<string, unknown>> } }).data.services[id]
  }
  /** A job has no session. */
  const job = (suffix = '', method = 'GET', payload?: string, address?: string) =>
    server.browser(address).call(method, `${path}${suffix}`, { ...(payload && { body: payload }) })
  return { ...fixture, id, row, path, state, job }
}

describe('the address of a job', () => {
  it('is long, shown to those who may edit the service, and stays when the service is saved', async () => {
    const { row, path, browser, id } = await pushFixture()
    expect(path).toMatch(/^\/api\/push\/[\w-]{32}$/)
    expect(await row()).toMatchObject({ target: 'backup', check: { kind: 'push' } })
    await browser.call('PATCH', `service/${id}`, { body: { name: 'other', type: 3, target: 'backup', duration: 30 } })
    expect(await row()).toMatchObject({ name: 'other', push_path: path })
    expect(JSON.stringify((await browser.get('service')).body)).not.toContain(path)
  })

  it('takes calls as scripts for Uptime Kuma make them', async () => {
    const { job, state } = await pushFixture()
    expect((await job('?status=up&msg=OK&ping=12.5')).body).toEqual({ ok: true })
    expect(await state()).toMatchObject({ state: 'up', current_up: 1 })
    expect((await job('?status=down&msg=disk full')).body).toEqual({ ok: true })
    expect(await state()).toMatchObject({ state: 'down', problem: 'the job reports a failure: disk full' })
  })

  it('takes calls as Healthchecks does: with the end of its path, and a log as body', async () => {
    const { job, state } = await pushFixture()
    for (const suffix of ['/start', '/log', '/0']) expect((await job(suffix)).status).toBe(200)
    expect(await state()).toMatchObject({ state: 'up' })
    expect((await job('/fail', 'POST', 'line one\nno space left')).status).toBe(200)
    expect(await state()).toMatchObject({ state: 'down', problem: expect.stringContaining('no space left') })
    expect((await job('/0')).status).toBe(200)
    expect(await state()).toMatchObject({ state: 'up' })
    expect((await job('/2')).status).toBe(200)
    expect(await state()).toMatchObject({ state: 'down' })
    expect((await job('/elsewhere')).status).toBe(400)
  })

  it('takes 30 calls at once, and slows down those who guess', async () => {
    const { job, server } = await pushFixture()
    const statuses = []
    for (let count = 0; count < 35; count++) statuses.push((await job('/log')).status)
    expect(statuses.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 200))
    expect(statuses).toContain(429)
    const guesses = []
    const stranger = server.browser('203.0.113.9')
    for (let count = 0; count < 12; count++) guesses.push((await stranger.get(`/api/push/${'x'.repeat(32)}`)).status)
    expect(guesses[0]).toBe(404)
    expect(guesses.at(-1)).toBe(429)
  })

  it('is renewed by those who may edit the service, and the old one ends', async () => {
    const { path, row, job, browser, server, id } = await pushFixture()
    const stranger = await signedIn(server, 'member')
    expect((await stranger.call('POST', `wheelhouse/checks/${id}/renew`)).body).toMatchObject({
      error: 'permission denied',
    })
    const { body } = await browser.call('POST', `wheelhouse/checks/${id}/renew`)
    expect(body).toMatchObject({ data: { push_path: expect.stringMatching(/^\/api\/push\//) } })
    expect((await row()).push_path).not.toBe(path)
    expect((await job()).status).toBe(404)
  })

  it('is told by a later start what the job has said', async () => {
    const { job, server, id } = await pushFixture()
    await job('?msg=OK')
    const again = await testServer({ store: server.store })
    expect(again.app.services.pushes.of(id).calls).toMatchObject([{ event: 'success', message: 'OK' }])
  })
})

describe('a group of services', () => {
  const state = (needs: unknown, ...states: ('up' | 'down' | undefined)[]) => {
    const services = states.map((_, index) => index + 1)
    return groupState(groupCheck.schema.parse({ kind: 'group', services, needs }), (id) => states[id - 1])?.state
  }

  it.each([
    ['all', ['up', 'up'], 'up'],
    ['all', ['up', 'down'], 'down'],
    ['all', ['up', undefined], undefined],
    ['any', ['down', 'up'], 'up'],
    ['any', ['down', undefined], undefined],
    ['any', ['down', 'down'], 'down'],
    [2, ['up', 'up', 'down'], 'up'],
    [2, ['up', 'down', 'down'], 'down'],
    [9, ['up', 'up'], 'up'],
  ] as const)('that needs %s of %j', (needs, states, expected) => {
    expect(state(needs, ...states)).toBe(expected)
  })

  it('is down as soon as too many of its services are', async () => {
    const { add, pass, host, services, notifications } = await serviceFixture()
    const members = [add({ target: 'a:1' }), add({ target: 'b:1' })]
    const check = groupCheck.schema.parse({ kind: 'group', services: members, needs: 'any' })
    const id = add({ name: 'site', target: 'site', check, notify: true, notification_group_id: 1 })
    await pass(60)
    expect(services.checker.statusOf(id)).toBe('up')
    host.reply = async () => ({ outcome: 'down', problem: 'gone' })
    await pass(90)
    expect(services.checker.statusOf(id)).toBe('down')
    expect(notifications.map(({ message }) => message)).toContain(
      '[Down] site: 0 of 2 services are up, 1 are needed (seen from this console)',
    )
  })
})

it('a group of a member says nothing of a service that somebody else has got', async () => {
  const { add, pass, host, services, table } = await serviceFixture()
  const member = add({ target: 'a:1', user_id: 2 })
  const check = groupCheck.schema.parse({ kind: 'group', services: [member], needs: 'all' })
  const groups = [1, 2].map((user_id) => add({ name: 'site', target: 'site', check, user_id }))
  table.update(member, { user_id: 1 })
  host.reply = async () => ({ outcome: 'down', problem: 'gone' })
  await pass(90)
  expect(groups.map((id) => services.checker.statusOf(id))).toEqual(['down', undefined])
})

describe('a degraded service', () => {
  it('is up, and down on one of its servers, or slow', async () => {
    const { add, pass, hosts, services } = await serviceFixture({ machines: 3 })
    const id = add({ max_latency: 100 })
    await pass(40)
    expect(services.checker.isDegraded(id)).toBe(false)
    const [first, second, third] = hosts
    if (!first || !second || !third) throw new Error('three machines')
    first.reply = async () => ({ outcome: 'down', problem: 'gone' })
    await pass(90)
    expect(services.checker.statusOf(id)).toBe('up')
    expect(services.checker.isDegraded(id)).toBe(true)
    first.reply = async () => ({ outcome: 'up', delay: 1 })
    await pass(90)
    expect(services.checker.isDegraded(id)).toBe(false)
    for (const host of [first, second, third]) host.reply = async () => ({ outcome: 'up', delay: 500 })
    await pass(90)
    expect(services.checker.isDegraded(id)).toBe(true)
  })
})

describe('a quorum', () => {
  async function threeMachines(quorum: number | string, more: object = {}) {
    const fixture = await serviceFixture({ machines: 3 })
    const id = fixture.add({ quorum, notify: true, degraded_notify: true, notification_group_id: 1, ...more })
    await fixture.pass(40)
    const fail = (count: number) => {
      for (const [index, host] of fixture.hosts.entries()) {
        host.reply = async () => (index < count ? { outcome: 'down', problem: 'gone' } : { outcome: 'up', delay: 1 })
      }
    }
    return { ...fixture, fail, status: () => fixture.services.checker.statusOf(id) }
  }

  it.each([
    [1, 1],
    [3, 3],
    ['30%', 1],
    ['100%', 3],
    ['', 2],
  ])('of %j is down when %i of three machines fail, and not before', async (quorum, needed) => {
    const { fail, pass, status } = await threeMachines(quorum)
    fail(needed - 1)
    await pass(100)
    expect(status()).toBe('up')
    fail(needed)
    await pass(100)
    expect(status()).toBe('down')
  })

  it('tells that it is down on some machines, and that this is over, where that is wanted', async () => {
    const { fail, pass, notifications } = await threeMachines(3)
    fail(1)
    await pass(100)
    fail(0)
    await pass(100)
    expect(notifications.map(({ message }) => message.split('\n')[0])).toEqual([
      expect.stringMatching(/^\[Degraded\] db: gone \(seen from web-1; down on 1 of 3 servers\)/),
      expect.stringMatching(/^\[Up\] db answers everywhere again/),
    ])
  })

  it('has other machines check at once what has failed on one', async () => {
    const { fail, pass, hosts } = await threeMachines(3, { duration: 600 })
    await pass(600)
    const before = hosts.map(({ asked }) => asked.length)
    fail(1)
    // An interval, and the random delay of up to a tenth of it.
    for (let passed = 0; passed < 670 && hosts[0]?.asked.length === before[0]; passed += 5) await pass(5)
    // Without that, the others are asked up to 600 s later.
    const confirmed = () => hosts.every(({ asked }, index) => asked.length > (before[index] ?? 0))
    for (let passed = 0; passed < 30 && !confirmed(); passed += 5) await pass(5)
    expect(confirmed()).toBe(true)
  })

  it('is a number or a share', async () => {
    const { browser } = await checkFixture()
    const create = (quorum: unknown) =>
      browser.call('POST', 'service', { body: { name: 'a', type: 3, target: 'a:1', duration: 30, quorum } })
    expect((await create('half')).body).toMatchObject({ error: expect.stringMatching(/^quorum: Must be a number/) })
    expect((await create('0')).body).toMatchObject({ error: expect.stringMatching(/^quorum/) })
    expect((await create(2)).body).toMatchObject({ success: true })
    expect((await create('30%')).body).toMatchObject({ success: true })
  })
})

describe('an outage', () => {
  it('keeps the answer of the check that failed, for those who own the service', async () => {
    const { browser, server, id, job } = await pushFixture()
    await job('/0')
    await job('/fail?msg=disk full')
    const { body } = await browser.get(`wheelhouse/service/${id}/outages`)
    expect(body).toMatchObject({ data: [{ reason: 'push_failed', reason_values: { said: 'disk full' } }] })
    const guest = await server.browser().get(`wheelhouse/service/${id}/outages`)
    expect(JSON.stringify(guest.body)).not.toContain('disk full')
  })
})
