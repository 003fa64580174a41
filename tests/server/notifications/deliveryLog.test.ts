import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openStore } from '../../../server/db/store.ts'
import { deliveryLimits, openDeliveries } from '../../../server/notifications/deliveries.ts'
import { maxAgeMs, maxQueued } from '../../../server/notifications/notifierQueue.ts'
import { dataApp, member } from '../../support/console/dataApp.ts'
import { receiver } from '../../support/fakes/receiver.ts'
import { logged, notifierFixture } from '../../support/server/fixtures/notifierFixture.ts'

describe('too many notifications', () => {
  it('drop the oldest ones, which are one log entry with a count', async () => {
    const { origin } = await receiver(() => {})
    const fixture = await notifierFixture([{ url: origin }])
    for (let message = 0; message <= maxQueued + 300; message++) {
      fixture.notifications.send({ groupId: 1, message: `${message}` })
    }
    // The first one is being sent.
    expect(await fixture.log()).toMatchObject([{ state: 3, count: 300, message: '1' }])
  })

  it('are not sent after a day in the queue', async () => {
    const clock = { now: Date.now() }
    let answer = () => {}
    const { origin, deliveries } = await receiver((reply) => {
      answer = () => reply.end()
    })
    const fixture = await notifierFixture([{ url: origin }], { now: () => clock.now })
    for (const message of ['a', 'b']) fixture.notifications.send({ groupId: 1, message })
    while (deliveries.length === 0) await wait(5)
    clock.now += maxAgeMs + 1
    answer()
    expect(await logged(fixture, 2)).toMatchObject([
      { message: 'b', state: 3 },
      { message: 'a', state: 1, duration: maxAgeMs + 1 },
    ])
    expect(deliveries).toHaveLength(1)
  })

  it('do not make the log grow without limit', async () => {
    const clock = { now: Date.parse('2026-11-21T00:00:00Z') }
    const { deliveries } = await dataApp({ now: () => clock.now })
    const line = { notifierId: 1, notifierName: 'n', ownerId: 1, groupId: 1, groupName: 'g', message: 'm', state: 1 }
    const write = () =>
      deliveries.add({ ...line, at: clock.now, code: 200, reply: '', tries: 1, durationMs: 5, count: 1 })
    for (let written = 0; written < deliveryLimits.rows + 10; written++) {
      write()
      if (written % 5000 === 0) deliveries.flush()
    }
    expect(deliveries.page(0, 1)).toMatchObject({
      rows: [{ id: deliveryLimits.rows + 10 }],
      total: deliveryLimits.rows,
    })
    clock.now += deliveryLimits.ageMs + 1
    write()
    expect(deliveries.page(0, 25).total).toBe(1)
  })
})

it('deliveries are found by the service that they are about', () => {
  const store = openStore(':memory:')
  const deliveries = openDeliveries({ store, onFailure: (error) => expect.unreachable(String(error)) })
  const line = { notifierId: 1, notifierName: 'n', ownerId: 1, groupId: 1, groupName: 'g', message: 'm', code: 0 }
  const add = (serviceId: number | undefined, state = 1, tries = 1) =>
    deliveries.add({ ...line, serviceId, state, tries, reply: '', at: Date.now(), durationMs: 5, count: 1 })
  for (const service of [4, undefined, 5]) add(service)
  // One entry for several that were never tried: it is about none of them alone.
  for (const service of [4, 5]) add(service, 3, 0)
  expect(deliveries.page(0, 9).rows.map(({ service_id }) => service_id || null)).toEqual([null, 5, null, 4])
  store.close()
})

it('deliveries of one person do not push those of others out of the log', () => {
  const store = openStore(':memory:')
  const deliveries = openDeliveries({ store, onFailure: (error) => expect.unreachable(String(error)) })
  const line = { notifierId: 1, notifierName: 'n', groupId: 1, groupName: 'g', message: 'm', state: 1 }
  const write = (ownerId: number) =>
    deliveries.add({ ...line, ownerId, at: Date.now(), code: 200, reply: '', tries: 1, durationMs: 5, count: 1 })
  for (let written = 0; written < 20; written++) write(1)
  for (let written = 0; written < deliveryLimits.rows + 500; written++) {
    write(2)
    if (written % 1000 === 0) deliveries.flush()
  }
  expect([deliveries.page(0, 1, [1]).total, deliveries.page(0, 1).total]).toEqual([20, deliveryLimits.rows])
  const [latest] = deliveries.page(0, 1).rows
  expect(latest?.id).toBe(deliveryLimits.rows + 520)
  store.close()
})

describe('the delivery log', () => {
  it('shows members only entries of their own notifiers, and admins all', async () => {
    const fixture = await notifierFixture([{ url: 'http://127.0.0.1:1', name: 'theirs' }], {}, member)
    const admins = { name: 'ours', url: 'http://127.0.0.1:1', request_method: 1, skip_check: true }
    await fixture.call('POST', 'notification', admins)
    await fixture.call('POST', 'notification-group', { name: 'both', notifications: [1, 2] })
    fixture.notifications.send({ groupId: 2, message: 'x' })
    // Each tells of the loss of the other.
    await logged(fixture, 4)
    const names = (log: Record<string, unknown>[]) => log.map(({ notification_name }) => notification_name).sort()
    expect(names(await fixture.log(member))).toEqual(['theirs', 'theirs'])
    expect(names(await fixture.log())).toEqual(['ours', 'ours', 'theirs', 'theirs'])
    const { body } = await fixture.call('GET', 'wheelhouse/deliveries?limit=1', undefined, member)
    expect(body).toMatchObject({ data: { pagination: { total: 2 } } })
    expect((await fixture.call('GET', 'wheelhouse/deliveries', undefined, null)).body).toEqual({
      error: 'ApiErrorUnauthorized',
    })
  })

  it('contains no token, even if a receiver repeats the whole request', async () => {
    const { origin } = await receiver((reply, { url, headers, body }) =>
      reply.writeHead(400).end(JSON.stringify({ url, headers, body })),
    )
    const fixture = await notifierFixture([
      {
        url: `${origin.replace('//', '//someone:pass%20word@')}/bot12345:AAE-secret/sendMessage?key=q%2Fsecret&text=#NEZHA#`,
        request_method: 2,
        request_header: '{"Authorization":"Bearer h-secret"}',
        request_body: '{"token":"b-secret","text":"#NEZHA#"}',
      },
    ])
    fixture.notifications.send({ groupId: 1, message: 'disk full' })
    const [line] = await logged(fixture, 1)
    expect(line?.reply).toMatch(/^\{"url":"\/…\/sendMessage\?key=…&text=disk\+full"/)
    expect(JSON.stringify(line)).not.toMatch(/12345|secret|pass.word/)
  })

  it('keeps entries of a deleted notifier', async () => {
    const { origin } = await receiver()
    const fixture = await notifierFixture([{ url: origin, name: 'chat' }])
    fixture.notifications.send({ groupId: 1, message: 'x' })
    await logged(fixture, 1)
    await fixture.call('POST', 'batch-delete/notification', [1])
    expect(await fixture.log()).toMatchObject([{ notification_name: 'chat', notification_group_name: 'all' }])
  })
})
