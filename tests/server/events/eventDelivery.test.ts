import { afterEach, describe, expect, it, vi } from 'vitest'
import { openStore } from '../../../server/db/store.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { eventLimits, openEventMessages } from '../../../server/events/eventMessages.ts'
import { retryPauses } from '../../../server/events/eventQueue.ts'
import { webhookSignature } from '../../../server/webhooks/webhookRequest.ts'
import { notification } from '../../../src/schemas/notification.ts'
import type { EventType } from '../../../src/schemas/webhooks/eventTypes.ts'
import { newSigningSecret, signingKey } from '../../../src/schemas/webhooks/signingSecret.ts'
import { receiver } from '../../support/fakes/receiver.ts'
import { secret, verifiedEvent } from '../../support/fakes/verifiedEvent.ts'
import { eventFixture } from '../../support/server/fixtures/eventFixture.ts'

afterEach(() => vi.restoreAllMocks())

/** A group that gets messages as events, and a way to send one. */
async function messageFixture(options: Parameters<typeof eventFixture>[0] = {}) {
  const fixture = await eventFixture(options)
  const { notifier, group } = await fixture.subscribe(['message'])
  const send = async (message: string) => {
    fixture.server.app.notifications.send({ groupId: group, message })
    await fixture.settle()
  }
  return { ...fixture, notifier, group, send }
}

const update = (origin: string, fields: object = {}) => ({
  name: 'receiver',
  url: `${origin}/events`,
  request_method: 1,
  request_type: 1,
  verify_tls: true,
  send_events: true,
  skip_check: true,
  ...fields,
})

describe('an event that a receiver does not take', () => {
  it('is tried again over an hour with the same id and body, a new time, and an entry in the log for each try', async () => {
    const fixture = await messageFixture({ answer: (reply) => reply.writeHead(503).end('later') })
    await fixture.send('hello')
    for (const pause of retryPauses) {
      await fixture.pass(pause / 1000 - 1)
      await fixture.pass(1)
    }
    await fixture.pass(86_000)
    const tries = retryPauses.length + 1
    expect(fixture.target.deliveries).toHaveLength(tries)
    expect(new Set(fixture.target.deliveries.map(({ body }) => body)).size).toBe(1)
    expect(new Set(fixture.events().map(({ id }) => id)).size).toBe(1)
    const times = fixture.target.deliveries.map(({ headers }) => Number(headers['webhook-timestamp']))
    expect(times.map((time) => time - (times[0] ?? 0))).toEqual([0, 10, 70, 370, 1270, 3670])
    const log = await fixture.log()
    const [{ id } = { id: '' }] = fixture.events()
    const entry = { event: 'message', message: 'hello', webhook_id: id, code: 503, reply: 'later' }
    expect(log).toMatchObject([
      { ...entry, tries, state: 2 },
      ...[5, 4, 3, 2, 1].map((number) => ({ ...entry, tries: number, state: 5 })),
    ])
  })

  it('arrives as soon as the receiver is there again, and does not hold up others', async () => {
    const fixture = await messageFixture({ answer: (reply, count) => reply.writeHead(count === 1 ? 500 : 204).end() })
    await fixture.send('first')
    await fixture.send('second')
    await fixture.pass(10)
    expect(fixture.events().map(({ data }) => data.text)).toEqual(['first', 'second', 'first'])
    expect((await fixture.log()).map(({ state, tries }) => [state, tries])).toEqual([
      [1, 2],
      [1, 1],
      [5, 1],
    ])
    await fixture.pass(86_000)
    expect(fixture.target.deliveries).toHaveLength(3)
  })

  it('is a row before it is sent, and written down as sent at once', async () => {
    const rows = () =>
      fixture.server.store.table<{ id: number; waiting: boolean }>({ name: 'event_message', columns: [] }).all()
    const seen: boolean[][] = []
    const fixture = await messageFixture({
      answer(reply) {
        seen.push(rows().map(({ waiting }) => waiting))
        reply.end()
      },
    })
    await fixture.send('one')
    await fixture.send('two')
    expect(seen).toEqual([[true], [false, true]])
  })

  it('is still sent after a restart of the server', async () => {
    const before = await messageFixture({ answer: (reply) => reply.writeHead(500).end() })
    await before.send('over the restart')
    // What closes at the end of the server, without its store.
    await before.server.app.close()
    const fixture = await eventFixture({ store: before.server.store })
    // At another port it is another receiver, which does not get the stored key.
    await fixture.call('PATCH', 'notification/1', update(fixture.target.origin, { signing_secret: secret }))
    fixture.server.clock.now = before.server.clock.now
    await fixture.pass(9)
    expect(fixture.target.deliveries).toHaveLength(0)
    await fixture.pass(1)
    expect(fixture.events()).toMatchObject([{ type: 'message', data: { text: 'over the restart' } }])
    expect(fixture.events()[0]?.id).toBe(before.events()[0]?.id)
    expect((await fixture.log())[0]).toMatchObject({ state: 1, tries: 2 })
  })

  it('with 410 ends all, until the notifier is saved', async () => {
    const fixture = await messageFixture({
      answer: (reply, count) => reply.writeHead(count > 2 ? 200 : count === 1 ? 500 : 410).end(),
    })
    await fixture.send('waits')
    await fixture.send('gone')
    await fixture.send('never')
    await fixture.pass(3600)
    expect(fixture.target.deliveries).toHaveLength(2)
    expect((await fixture.log()).map(({ state }) => state)).toEqual([3, 2, 5])
    const stored = async () => ((await fixture.call('GET', 'notification')).data as object[])[0]
    expect(await stored()).toHaveProperty('stopped_at')
    const [{ id } = { id: 0 }] = (await fixture.log()).filter(({ state }) => state === 2)
    expect(await fixture.call('POST', `wheelhouse/deliveries/${id}/send-again`)).toMatchObject({
      error: expect.stringContaining('save the notifier'),
    })
    await fixture.call('PATCH', 'notification/1', update(fixture.target.origin))
    expect(await stored()).not.toHaveProperty('stopped_at')
    await fixture.send('again')
    expect(fixture.events().at(-1)).toMatchObject({ data: { text: 'again' } })
  })

  it('by a redirect is not sent elsewhere', async () => {
    const elsewhere = await receiver()
    const fixture = await messageFixture({
      answer: (reply) => reply.writeHead(307, { location: elsewhere.origin }).end(),
    })
    await fixture.send('here')
    expect((await fixture.log())[0]).toMatchObject({ state: 5, code: 307 })
    expect(elsewhere.deliveries).toEqual([])
  })

  it('because the notifier of a member may not call a private address, is not tried again', async () => {
    const fixture = await eventFixture()
    await fixture.subscribe(['user.signed_in'], 'member')
    await fixture.settle()
    await fixture.pass(3600)
    expect(fixture.target.deliveries).toEqual([])
    for (const entry of await fixture.log('member')) {
      expect(entry).toMatchObject({ state: 2, tries: 1, reply: expect.stringContaining('ALLOW_PRIVATE_TARGETS') })
    }
    expect((await fixture.log('member')).length).toBeGreaterThan(0)
  })
})

describe('an event that is given up', () => {
  const ofChat = (message: string) => ({ notification_name: 'Chat', message })
  const lost = '[Not delivered] The notifier receiver could not deliver this: '

  /** A group with a receiver of events and somebody's messenger. */
  async function withMessenger(type: EventType, username = 'admin') {
    let works = false
    const messenger = await receiver()
    const fixture = await eventFixture({ answer: (reply) => reply.writeHead(works ? 200 : 500).end() })
    const { notifier, group } = await fixture.subscribe([type])
    const url = `${messenger.origin}/?m=#NEZHA#`
    const other = { name: 'Chat', url, request_method: 1, request_type: 1, skip_check: true }
    const chat = await fixture.create('notification', other)
    entityTable(fixture.server.store, notification).update(chat, { user_id: username === 'admin' ? 1 : 2 })
    const members = { name: 'events', notifications: [notifier, chat], events: [type] }
    await fixture.call('PATCH', `notification-group/${group}`, members)
    return {
      ...fixture,
      group,
      texts: () => messenger.deliveries.map(({ url }) => new URL(url ?? '', messenger.origin).searchParams.get('m')),
      repair() {
        works = true
      },
      /** Lets all tries of what waits fail. */
      async giveUp() {
        await fixture.settle()
        for (const pause of retryPauses) await fixture.pass(pause / 1000)
      },
    }
  }

  it('is told of by a notifier of the group that sends messages, once until events arrive again', async () => {
    const fixture = await withMessenger('message')
    const send = (message: string) => fixture.server.app.notifications.send({ groupId: fixture.group, message })
    send('web-1 is down')
    send('web-2 is down')
    await fixture.giveUp()
    const told = ['web-1 is down', 'web-2 is down', `${lost}web-1 is down`]
    await vi.waitFor(() => expect(fixture.texts()).toEqual(told))
    expect((await fixture.call('GET', 'notification')).data).toMatchObject([
      { undelivered_cause: '500 Internal Server Error' },
      {},
    ])
    fixture.repair()
    send('web-3 is down')
    await fixture.settle()
    await vi.waitFor(() => expect(fixture.texts()).toEqual([...told, 'web-3 is down']))
    expect((await fixture.call('GET', 'notification')).data).not.toHaveProperty('0.undelivered_at')
  })

  it('is told with its type, where its owner may know of it', async () => {
    const fixture = await withMessenger('user.signed_in')
    await fixture.giveUp()
    await vi.waitFor(() => expect(fixture.texts()).toEqual([`${lost}user.signed_in: admin, password`]))
  })

  it('is not told to a member whom it does not concern', async () => {
    const fixture = await withMessenger('user.signed_in', 'member')
    await fixture.giveUp()
    fixture.server.app.notifications.send({ groupId: fixture.group, message: 'after it' })
    // It may not call the messenger, which is on this machine.
    await vi.waitFor(async () =>
      expect(await fixture.log()).toContainEqual(expect.objectContaining(ofChat('after it'))),
    )
    const ofMember = (await fixture.log()).filter(({ notification_name }) => notification_name === 'Chat')
    expect(ofMember).toMatchObject([ofChat('after it')])
  })
})

describe('"Send again"', () => {
  it('sends the stored event once more with its id, for administrators', async () => {
    const fixture = await messageFixture()
    await fixture.send('once')
    const [entry] = await fixture.log()
    const path = `wheelhouse/deliveries/${entry?.id}/send-again`
    expect(await fixture.call('POST', path, undefined, 'member')).toMatchObject({ error: 'permission denied' })
    expect(await fixture.call('POST', path)).toMatchObject({ success: true })
    await fixture.settle()
    const [first, second] = fixture.target.deliveries
    expect(second?.body).toBe(first?.body)
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(fixture.events()).toHaveLength(2)
  })

  it('says why where it cannot', async () => {
    const fixture = await messageFixture()
    await fixture.send('once')
    const [entry] = await fixture.log()
    const again = (id = entry?.id) => fixture.call('POST', `wheelhouse/deliveries/${id}/send-again`)
    expect(await again(999)).toMatchObject({ error: 'delivery id 999 does not exist' })
    await fixture.call('PATCH', 'notification/1', update(fixture.target.origin, { send_events: false }))
    expect(await again()).toMatchObject({ error: expect.stringContaining('gets no events') })
    await fixture.call('POST', 'batch-delete/notification', [1])
    expect(await again()).toMatchObject({ error: expect.stringContaining('was deleted') })
    expect(fixture.target.deliveries).toHaveLength(1)
  })
})

describe('too many events', () => {
  it('drop the oldest, which is one entry of the log with their number', async () => {
    const fixture = await messageFixture({ answer: (reply) => reply.writeHead(500).end() })
    await fixture.send('first')
    for (let count = 0; count < eventLimits.waitingOfNotifier + 20; count++) {
      // No turn of the event loop between them: none is sent meanwhile.
      fixture.server.app.notifications.send({ groupId: fixture.group, message: `${count}` })
    }
    const dropped = (await fixture.log()).filter(({ state }) => state === 3)
    expect(dropped).toMatchObject([{ count: 21, event: 'message', message: 'first' }])
    await fixture.server.app.events.idle()
  })
})

it('events that wait for all notifiers together have a limit: those of the notifier with the most go first', () => {
  const store = openStore(':memory:')
  const messages = openEventMessages(store, { now: () => 0, onFailure: (error) => expect.unreachable(String(error)) })
  let count = 0
  const add = (notification_id: number) =>
    messages.add({
      webhook_id: `evt_${++count}`,
      notification_id,
      user_id: 1,
      group_id: 1,
      group_name: 'g',
      event: 'message',
      about: '',
      service_id: null,
      body: '{}',
      created_at: 0,
      waiting: true,
      due_at: 0,
      tries: 0,
    })
  add(1)
  const most = eventLimits.waitingOfNotifier
  for (let notifier = 2; count < eventLimits.waiting; notifier++) {
    for (let added = 0; added < most && count < eventLimits.waiting; added++) expect(add(notifier)).toEqual([])
  }
  expect(add(1).map(({ notification_id }) => notification_id)).toEqual([2])
  expect(add(1).map(({ webhook_id }) => webhook_id)).toEqual(['evt_502'])
  messages.flush()
  const restarted = openEventMessages(store, { now: () => 0, onFailure: (error) => expect.unreachable(String(error)) })
  expect(restarted.take(1, 0)?.webhook_id).toBe('evt_1')
  store.close()
})

describe('a notifier that gets events', () => {
  it('needs a signing secret, keeps it without being given it again, and shows it to nobody', async () => {
    const fixture = await eventFixture()
    const create = (fields: object) => fixture.call('POST', 'notification', update(fixture.target.origin, fields))
    for (const signing_secret of [undefined, '', 'secret', 'whsec_c2hvcnQ=']) {
      expect(await create({ signing_secret })).toMatchObject({ error: expect.stringMatching(/^signing_secret: /) })
    }
    expect(
      await create({ signing_secret: secret, url: 'smtps://u:p@mail.example/?from=a@b.example&to=c@d.example' }),
    ).toMatchObject({
      error: expect.stringMatching(/not sent by mail/),
    })
    expect(await create({ signing_secret: secret })).toMatchObject({ success: true })
    expect(
      await fixture.call('PATCH', 'notification/1', update(fixture.target.origin, { name: 'kept', skip_check: false })),
    ).toMatchObject({ success: true })
    expect(fixture.events()).toMatchObject([{ type: 'test', data: { text: 'a test message' } }])
    const listed = JSON.stringify(await fixture.call('GET', 'notification'))
    const changes = JSON.stringify(await fixture.call('GET', 'changes?limit=100'))
    expect(listed + changes).not.toContain(secret.slice('whsec_'.length))
    expect(changes).toContain('{"name":"signing_secret","secret":true}')
  })

  it('is tested with a signed event', async () => {
    const fixture = await eventFixture()
    await fixture.subscribe(['message'])
    expect(await fixture.call('POST', 'wheelhouse/notification/1/test')).toMatchObject({
      data: { sent: true, code: 200 },
    })
    expect(fixture.events()).toMatchObject([{ type: 'test', data: { text: 'a test message' } }])
  })

  it('sends its own headers, which cannot take the place of the signature', async () => {
    const fixture = await eventFixture()
    const request_header = '{"Authorization":"Bearer abc","Webhook-Signature":"v1,forged","Webhook-Id":"x"}'
    await fixture.subscribe(['message'], 'admin', { request_header })
    await fixture.call('POST', 'wheelhouse/notification/1/test')
    expect(fixture.target.deliveries[0]?.headers.authorization).toBe('Bearer abc')
    expect(fixture.events()).toHaveLength(1)
  })

  it('keeps its secret out of what the log says of a reply', async () => {
    const fixture = await messageFixture({ answer: (reply) => reply.writeHead(500).end(`wrong key ${secret}`) })
    await fixture.send('x')
    expect((await fixture.log())[0]).toMatchObject({ reply: 'wrong key …' })
  })

  it('takes no types of events that do not exist', async () => {
    const fixture = await eventFixture()
    const reply = await fixture.call('POST', 'notification-group', { name: 'x', notifications: [], events: ['alarm'] })
    expect(reply).toMatchObject({ error: 'events: there is no event alarm' })
  })

  it('is shown in the preview without its secret', async () => {
    const fixture = await eventFixture()
    await fixture.subscribe(['message'])
    const { data } = await fixture.call('POST', 'wheelhouse/notification/preview', {
      id: 1,
      send_events: true,
      event: 'test',
    })
    const { method, body, headers } = data as {
      method: string
      body: string
      headers: { name: string; value: string }[]
    }
    expect([method, JSON.parse(body).type]).toEqual(['POST', 'test'])
    expect(headers).toContainEqual({ name: 'webhook-signature', value: '…' })
  })
})

it('a signature is that of HMAC-SHA256 over id, time and body, and a changed body does not fit it', () => {
  const made = newSigningSecret()
  const key = signingKey(made) ?? expect.unreachable()
  const body = JSON.stringify({
    version: 1,
    id: 'evt_1',
    type: 'test',
    timestamp: '2026-11-21T00:00:00.000Z',
    data: { text: 'x' },
  })
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': '1795219200',
    'webhook-signature': webhookSignature(key, 'evt_1', 1795219200, body),
  }
  expect(verifiedEvent({ headers, body }, made)).toMatchObject({ id: 'evt_1' })
  expect(() => verifiedEvent({ headers, body: body.replace('"x"', '"y"') }, made)).toThrow('wrong signature')
})
