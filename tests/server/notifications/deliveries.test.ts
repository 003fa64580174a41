import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createNotifications } from '../../../server/notifications/notifications.ts'
import { pushKeysIn } from '../../../server/outbound/webPush.ts'
import { member } from '../../support/console/dataApp.ts'
import { receiver } from '../../support/fakes/receiver.ts'
import { logged, notifierFixture } from '../../support/server/fixtures/notifierFixture.ts'
import { createTestHost } from '../../support/server/testHost.ts'

interface Recorded {
  method: string
  url: string
  body: string
}

describe('a notification', () => {
  it('reaches every notifier of its group in its own format', async () => {
    const { origin, deliveries } = await receiver()
    const name = 'Küche "nord"\n\\ 🍳 & 1+1=#2%'
    const fixture = await notifierFixture([
      { url: `${origin}/get?n=#SERVER.NAME#&m=#NEZHA#` },
      { url: `${origin}/json`, request_method: 2, request_body: '{"n":"#SERVER.NAME#","m":"#NEZHA#"}' },
      {
        url: `${origin}/form`,
        request_method: 2,
        request_type: 2,
        request_body: '{"z":"#SERVER.NAME#","m":"#NEZHA#"}',
      },
    ])
    const host = createTestHost({ name })
    fixture.machines.add(host)
    host.report()
    fixture.notifications.send({ groupId: 1, serverId: 1, message: `down: ${name}` })
    await logged(fixture, 3)
    const received = (path: string) => deliveries.find(({ url }) => url?.startsWith(path))
    expect(Object.fromEntries(new URL(received('/get')?.url ?? '', origin).searchParams)).toEqual({
      n: name,
      m: `down: ${name}`,
    })
    expect(JSON.parse(received('/json')?.body ?? '')).toEqual({ n: name, m: `down: ${name}` })
    const form = received('/form')?.body ?? ''
    expect([...new URLSearchParams(form)]).toEqual([
      ['m', `down: ${name}`],
      ['z', name],
    ])
  })

  it('is not sent without a group or to a deleted group', async () => {
    const { origin, deliveries } = await receiver()
    const fixture = await notifierFixture([{ url: origin }])
    for (const groupId of [0, 7]) fixture.notifications.send({ groupId, message: 'x' })
    fixture.notifications.send({ groupId: 1, message: 'y' })
    await logged(fixture, 1)
    expect(deliveries).toHaveLength(1)
    expect(await fixture.log()).toMatchObject([{ message: 'y' }])
  })

  it('is not delayed by another notifier that never answers', async () => {
    const silent = await receiver(() => {})
    const quick = await receiver()
    const fixture = await notifierFixture([{ url: silent.origin }, { url: quick.origin }])
    for (let message = 1; message <= 5; message++) fixture.notifications.send({ groupId: 1, message: `${message}` })
    const log = await logged(fixture, 5)
    expect(log.map(({ notification_id, message }) => [notification_id, message])).toEqual(
      [5, 4, 3, 2, 1].map((message) => [2, `${message}`]),
    )
    expect(silent.deliveries).toHaveLength(1)
  })

  it('is tried three times with growing pauses, until the receiver is available again', async () => {
    let calls = 0
    const { origin } = await receiver((reply) => reply.writeHead(++calls < 3 ? 503 : 200).end(`try ${calls}`))
    const fixture = await notifierFixture([{ url: origin }])
    fixture.notifications.send({ groupId: 1, message: 'down' })
    expect(await logged(fixture, 1)).toMatchObject([{ state: 1, tries: 3, code: 200, reply: 'try 3', message: 'down' }])
    expect(fixture.pauses).toEqual([2000, 10_000])
  })

  it('fails after the third try, with the reply of the receiver', async () => {
    const { origin, deliveries } = await receiver((reply) => reply.writeHead(500).end('out\u202e of\n\torder'))
    const fixture = await notifierFixture([{ url: origin }])
    fixture.notifications.send({ groupId: 1, message: 'first line\nsecond line' })
    expect(await logged(fixture, 1)).toMatchObject([
      { state: 2, tries: 3, code: 500, reply: 'out of order', message: 'first line', notification_name: 'n' },
    ])
    expect(deliveries).toHaveLength(3)
  })

  it('is sent with an untrusted certificate only where that is allowed', async () => {
    const { origin, deliveries } = await receiver(undefined, { isTls: true })
    const url = `${origin}/?m=#NEZHA#`
    const fixture = await notifierFixture([{ url }, { url, verify_tls: false }])
    fixture.notifications.send({ groupId: 1, message: 'x' })
    const log = await logged(fixture, 2)
    const [strict, lenient] = [1, 2].map((id) => log.find(({ notification_id }) => notification_id === id))
    expect(strict).toMatchObject({ state: 2, reply: expect.stringContaining('self-signed certificate') })
    expect(lenient).toMatchObject({ state: 1, code: 200 })
    // The lenient one may have been told of the loss already.
    expect(deliveries.filter(({ url }) => url === '/?m=x')).toHaveLength(1)
  })

  it('uses the new settings of a notifier that was changed meanwhile', async () => {
    const old = await receiver((reply) => reply.writeHead(500).end())
    const fresh = await receiver()
    let change = () => {}
    const pause = () => new Promise<void>((resolve) => (change = resolve))
    const fixture = await notifierFixture([{ url: old.origin }], { pause })
    fixture.notifications.send({ groupId: 1, message: 'x' })
    while (old.deliveries.length === 0) await wait(5)
    await fixture.call('PATCH', 'notification/1', { name: 'n', url: fresh.origin, request_method: 1, skip_check: true })
    while (fresh.deliveries.length === 0) {
      change()
      await wait(5)
    }
    expect(await logged(fixture, 1)).toMatchObject([{ state: 1, tries: 2 }])
  })
})

describe("a notification by a member's notifier", () => {
  it('is not sent to a private address, and not tried again', async () => {
    const { origin, deliveries } = await receiver()
    const fixture = await notifierFixture([{ url: origin }], {}, member)
    fixture.notifications.send({ groupId: 1, message: 'x' })
    expect(await logged(fixture, 1)).toMatchObject([
      { state: 2, tries: 1, reply: expect.stringMatching(/^HTTP URL target is not allowed: .*ALLOW_PRIVATE_TARGETS/) },
    ])
    expect(deliveries).toEqual([])
  })

  it('is sent to a private address with ALLOW_PRIVATE_TARGETS', async () => {
    const { origin, deliveries } = await receiver()
    const fixture = await notifierFixture([{ url: origin }], { allowPrivateTargets: true }, member)
    fixture.notifications.send({ groupId: 1, message: 'x' })
    expect(await logged(fixture, 1)).toMatchObject([{ state: 1 }])
    expect(deliveries).toHaveLength(1)
  })
})

describe('a notification about a server', () => {
  it('is the same as a recorded one of a real server', async () => {
    const recorded: Recorded[] = JSON.parse(
      readFileSync(
        new URL('../../../docs/contract/recordings/notifier-deliveries-v1.10.8.json', import.meta.url),
        'utf8',
      ),
    )
    const [test, , , form, get, json] = recorded as [Recorded, Recorded, Recorded, Recorded, Recorded, Recorded]
    const moment = /"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ \+0000 UTC"/
    const { origin, deliveries } = await receiver()
    const template = test.body.replace('a test message', '#NEZHA#').replace(moment, '"#DATETIME#"')
    const fixture = await notifierFixture([
      {
        url: `${origin}/f`,
        request_method: 2,
        request_type: 2,
        request_body: '{"text":"#NEZHA#","name":"#SERVER.NAME#"}',
      },
      { url: `${origin}/g?m=#NEZHA#&n=#SERVER.NAME#` },
      { url: `${origin}/j?m=#NEZHA#`, request_method: 2, request_body: template },
    ])
    const host = createTestHost({ name: 'calm-ox' })
    fixture.machines.add(host)
    host.report({ state: { cpu: 50 }, ip: { ipv4_addr: '192.0.2.7' } })
    await fixture.machines.stop() // Offline: its metrics are 0.
    fixture.notifications.send({
      groupId: 1,
      serverId: 1,
      message: '[Task failed] notify me: server calm-ox is offline and cannot execute the task',
    })
    await logged(fixture, 3)
    // That version does not know three of the placeholders.
    const filled = json.body.replaceAll(/#SERVER\.(SPEEDIN|SPEEDOUT)#/g, '0').replace('#SERVER.CPUUSED#', '0.000000')
    const timeless = (body = '') => body.replace(moment, '')
    const received = (method: string, path: string) =>
      deliveries.find((delivery) => delivery.method === method && delivery.url?.startsWith(path))
    expect(received('POST', '/f')?.body).toBe(form.body)
    expect(received('GET', '/g')?.url).toBe(get.url)
    expect(received('POST', '/j')?.url).toBe(json.url)
    expect(timeless(received('POST', '/j')?.body)).toBe(timeless(filled))
  })

  it('has its metrics with or without units, as configured in each notifier', async () => {
    const { origin, deliveries } = await receiver()
    const names = ['CPU', 'MEM', 'SWAP', 'DISK', 'SPEEDIN', 'TRANSFEROUT', 'MEMUSED', 'LOAD1', 'TCPCONNCOUNT', 'IP']
    const names6 = ['IPV4', 'IPV6']
    const body = JSON.stringify(Object.fromEntries([...names, ...names6].map((name) => [name, `#SERVER.${name}#`])))
    const notifier = { request_method: 2, request_body: body }
    const fixture = await notifierFixture([
      { ...notifier, url: `${origin}/raw` },
      { ...notifier, url: `${origin}/units`, format_metric_units: true },
    ])
    const host = createTestHost()
    fixture.machines.add(host)
    host.report({
      host: { mem_total: 4 * 1024 ** 3, disk_total: 3000 },
      state: {
        cpu: 12.345,
        mem_used: 1024 ** 3,
        disk_used: 1000,
        net_in_speed: 1536,
        net_out_transfer: 1023,
        load_1: 0.5,
        tcp_conn_count: 7,
      },
      ip: { ipv6_addr: '2001:db8::7' },
    })
    fixture.notifications.send({ groupId: 1, serverId: 1, message: 'x' })
    await logged(fixture, 2)
    const received = (path: string) => JSON.parse(deliveries.find(({ url }) => url === path)?.body ?? '')
    const always = { MEMUSED: '1073741824', LOAD1: '0.500000', TCPCONNCOUNT: '7' }
    const addresses = { IP: '2001:db8::7', IPV4: '', IPV6: '2001:db8::7' }
    expect(received('/raw')).toEqual({
      CPU: '12.345000',
      MEM: '0.25',
      SWAP: '0',
      DISK: '0.333333',
      SPEEDIN: '1536',
      TRANSFEROUT: '1023',
      ...always,
      ...addresses,
    })
    expect(received('/units')).toEqual({
      CPU: '12.35 %',
      MEM: '25.00 %',
      SWAP: '0.00 %',
      DISK: '33.33 %',
      SPEEDIN: '1.50 KiB/s',
      TRANSFEROUT: '1023 B',
      ...always,
      ...addresses,
    })
  })
})

describe('the stop of the server', () => {
  it('aborts running requests within a second, and what was not sent is sent after the next start', async () => {
    let answers = false
    const silent = await receiver((reply) => answers && reply.end())
    const broken = await receiver((reply) => reply.writeHead(answers ? 200 : 500).end())
    // The failing notifier is in its pause, which only the stop can abort.
    const pause = (_ms: number, signal: AbortSignal) =>
      new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const fixture = await notifierFixture([{ url: silent.origin }, { url: broken.origin }], { pause })
    for (const message of ['a', 'b']) fixture.notifications.send({ groupId: 1, message })
    while (silent.deliveries.length + broken.deliveries.length < 2) await wait(5)
    await fixture.notifications.stop()
    expect(await fixture.log()).toEqual([])
    fixture.notifications.send({ groupId: 1, message: 'too late' })
    answers = true
    const { store, machines, deliveries } = fixture
    const pushKeys = pushKeysIn(store, 'mailto:a@example.org', Date.now)
    const onError = (error: unknown) => expect.unreachable(String(error))
    const services = {
      store,
      machines,
      deliveries,
      pushKeys,
      mayCallPrivateTargets: () => true,
      log: { error: onError },
    }
    const next = createNotifications(services)
    onTestFinished(() => next.stop())
    next.start()
    const log = await logged(fixture, 4)
    expect(log.map(({ notification_id, message, state }) => [notification_id, message, state]).sort()).toEqual([
      [1, 'a', 1],
      [1, 'b', 1],
      [2, 'a', 1],
      [2, 'b', 1],
    ])
  })

  it('waits for a delivery that is nearly done', async () => {
    let end = () => {}
    const { origin, deliveries } = await receiver((reply) => {
      end = () => void reply.end()
    })
    const fixture = await notifierFixture([{ url: origin }])
    fixture.notifications.send({ groupId: 1, message: 'x' })
    while (deliveries.length === 0) await wait(5)
    const stopped = fixture.notifications.stop()
    end()
    await stopped
    expect(await fixture.log()).toMatchObject([{ state: 1 }])
  })
})
