import { describe, expect, it } from 'vitest'
import type { ProbeResult } from '../../../server/machines/hosts/probe.ts'
import { writeSite } from '../../../server/site/site.ts'
import { serviceFixture } from '../../support/server/fixtures/serviceFixture.ts'

const refused: ProbeResult = { outcome: 'down', problem: 'dial tcp db.example:5432: connection refused' }
const notPermitted: ProbeResult = { outcome: 'not permitted', problem: 'this machine may not send pings' }
const good = (delay = 1): ProbeResult => ({ outcome: 'up', delay })
const notified = { notify: true, notification_group_id: 7 }
const day = 86_400_000

describe('a notification about a service', () => {
  it('is sent once when it goes down and once when it recovers, with tasks on the server that checked', async () => {
    const { pass, add, host, notifications, triggered } = await serviceFixture()
    add({ ...notified, enable_trigger_task: true, fail_trigger_tasks: [4], recover_trigger_tasks: [5] })
    await pass(61)
    expect(notifications).toEqual([])
    host.reply = async () => refused
    await pass(200)
    expect(notifications).toMatchObject([
      {
        groupId: 7,
        serverId: 1,
        message: `[Down] db: ${refused.problem} (seen from web-1)`,
        repeatKey: 'service 1 down',
      },
    ])
    host.reply = async () => good()
    await pass(200)
    expect(notifications[1]).toMatchObject({
      message: expect.stringMatching(/^\[Up\] db answers again \(seen from web-1\)\nafter [23] min( \d+ sec)?$/),
      resolvesKey: 'service 1 down',
    })
    expect(notifications).toHaveLength(2)
    expect(triggered).toMatchObject([
      { ids: [4], server: { id: 1 } },
      { ids: [5], server: { id: 1 } },
    ])
  })

  it('is in the language of the site', async () => {
    const { pass, add, host, notifications, store } = await serviceFixture()
    writeSite(store, { language: 'zh-CN' })
    host.reply = async () => ({ outcome: 'down', problem: '' })
    add(notified)
    await pass(2)
    expect(notifications).toMatchObject([{ message: '[故障] db：无响应（检测自 web-1）' }])
  })

  it('is not sent for one lost packet or while disabled, and no tasks run', async () => {
    const { pass, add, host, notifications, triggered } = await serviceFixture()
    add(notified)
    add({ notification_group_id: 7, fail_trigger_tasks: [4] })
    await pass(61)
    let lost = 0
    host.reply = async ({ target }) => (target && lost++ < 1 ? refused : good())
    await pass(120)
    expect(notifications).toEqual([])
    host.reply = async () => refused
    await pass(120)
    expect(notifications.map(({ message }) => message)).toEqual([`[Down] db: ${refused.problem} (seen from web-1)`])
    expect(triggered).toEqual([])
  })

  it('is sent at the first failure of a new service', async () => {
    const { pass, add, host, notifications } = await serviceFixture()
    host.reply = async () => refused
    add(notified)
    await pass(2)
    expect(notifications).toHaveLength(1)
  })

  it('is sent when the service is down on half of the servers', async () => {
    const { pass, add, hosts, notifications } = await serviceFixture({ machines: 3 })
    add(notified)
    await pass(61)
    const [one, two] = hosts
    if (one) one.reply = async () => refused
    await pass(120)
    expect(notifications).toEqual([])
    if (two) two.reply = async () => refused
    await pass(120)
    expect(notifications).toHaveLength(1)
  })

  it('is never sent for checks that are not permitted, which count neither as up nor as down', async () => {
    const { pass, add, host, notifications, services, clock } = await serviceFixture()
    add({ ...notified, type: 2, target: 'db.example' })
    await pass(31)
    host.reply = async () => notPermitted
    await pass(200)
    expect(notifications).toEqual([])
    const recent = services.checker.recentResultsOf(1)
    expect(recent?.counts(clock.now)).toMatchObject({ down: 0 })
    expect(services.checker.problemOf(1)).toBe('this machine may not send pings')
    await services.recorder.save()
    const [seen] = (await services.histories.ofService(1, '1d', clock.now)).servers
    expect(seen?.totals).toMatchObject({ down: 0 })
    expect(seen?.totals.notPermitted).toBeGreaterThan(5)
  })

  it('is sent when the latency leaves its bounds and when it is within them again', async () => {
    const { pass, add, host, notifications } = await serviceFixture()
    add({ latency_notify: true, notification_group_id: 7, min_latency: 2, max_latency: 50 })
    for (const delay of [10, 80, 10, 1, 10]) {
      host.reply = async () => good(delay)
      await pass(100)
    }
    expect(notifications.map(({ message }) => message)).toEqual([
      '[Latency] db: 80.0 ms, more than 50 ms (seen from web-1)',
      '[Latency] db: 10.0 ms, within its bounds again (seen from web-1)',
      '[Latency] db: 1.0 ms, less than 2 ms (seen from web-1)',
      '[Latency] db: 10.0 ms, within its bounds again (seen from web-1)',
    ])
  })

  it('is sent seven, one and zero days before a certificate expires, and when it was replaced', async () => {
    const { pass, add, host, notifications, clock } = await serviceFixture()
    const expiresAt = clock.now + 9 * day
    const certificate = { issuer: 'A', expiresAt }
    host.reply = async () => ({ ...good(), certificate }) as ProbeResult
    add({ ...notified, type: 1, target: 'https://example.com' })
    const messages: string[][] = []
    for (const left of [9, 6.9, 6, 0.5, 0.4, -0.1]) {
      clock.now = expiresAt - left * day
      clock.now -= clock.now % 2000
      await pass(40)
      messages.push(notifications.splice(0).map(({ message }) => message))
    }
    const texts = (end: string) => [`[Certificate] The one of db ${end} 2026-11-30 12:00 UTC (seen from web-1)`]
    expect(messages).toEqual([[], texts('runs out on'), [], texts('runs out on'), [], texts('has run out on')])
    certificate.issuer = 'B'
    host.reply = async () =>
      ({ ...good(), certificate: { issuer: 'B', expiresAt: clock.now + 90 * day } }) as ProbeResult
    await pass(40)
    expect(notifications).toHaveLength(1)
    expect(notifications[0]?.message).toMatch(/^\[Certificate\] db has another one: by A until .* by B until/)
  })

  it('is not sent for another certificate when the target was changed', async () => {
    const { pass, add, host, notifications, table } = await serviceFixture()
    host.reply = async ({ target }) => ({ ...good(), certificate: { issuer: target, expiresAt: 4e12 } }) as ProbeResult
    const id = add({ ...notified, type: 1, target: 'https://one.example' })
    await pass(31)
    table.update(id, { target: 'https://two.example' })
    await pass(62)
    expect(notifications).toEqual([])
  })
})

describe('the certificate of a page that only agents check', () => {
  const page = { ...notified, type: 1, target: 'https://example.com' }
  const issued = (issuer: string, expiresAt: number) => ({ issuer, expiresAt })

  it('is looked at by this server, once an hour, and its end and its replacement are notified', async () => {
    const { pass, add, certificates, notifications, services, clock } = await serviceFixture()
    const id = add(page)
    const end = clock.now + 6 * day
    certificates.set('https://example.com', issued('A', end))
    await pass(300)
    expect(notifications.map(({ message }) => message)).toEqual([
      '[Certificate] The one of db runs out on 2026-11-27 12:00 UTC (seen from this console)',
    ])
    expect(services.checker.certificateEndOf(id)).toBe(end)
    certificates.set('https://example.com', issued('B', end + 90 * day))
    await pass(300)
    expect(notifications).toHaveLength(1)
    await pass(3300)
    expect(notifications[1]?.message).toMatch(
      /^\[Certificate\] db has another one: by A .* \(seen from this console\)$/,
    )
    expect(notifications).toHaveLength(2)
  })

  it('is not notified as replaced when the target was changed, and unknown where this server cannot look', async () => {
    const { pass, add, certificates, notifications, services, table } = await serviceFixture()
    const id = add(page)
    certificates.set('https://example.com', issued('A', 4e12))
    certificates.set('https://other.example', issued('B', 4e12 + 1))
    await pass(31)
    table.update(id, { target: 'https://other.example' })
    await pass(62)
    expect(services.checker.certificateEndOf(id)).toBe(4e12 + 1)
    table.update(id, { target: 'https://inside.example' })
    await pass(62)
    expect(services.checker.certificateEndOf(id)).toBeUndefined()
    expect(notifications).toEqual([])
  })

  it('is left alone for plain pages', async () => {
    const { pass, add, certificates, services } = await serviceFixture()
    certificates.set('http://example.com', issued('A', 4e12))
    const id = add({ ...page, target: 'http://example.com' })
    await pass(31)
    expect(services.checker.certificateEndOf(id)).toBeUndefined()
  })
})

describe('a restart', () => {
  it('keeps status and certificate: only changes are notified', async () => {
    const before = await serviceFixture()
    before.host.reply = async () => ({ ...refused, certificate: { issuer: 'A', expiresAt: 4e12 } }) as ProbeResult
    before.add(notified)
    await before.pass(31)
    expect(before.notifications).toHaveLength(1)
    await before.services.stop()

    const after = await serviceFixture({ store: before.store, history: before.history, clock: before.clock })
    after.host.reply = before.host.reply
    await after.pass(100)
    expect(after.notifications).toMatchObject([{ about: { change: 'lasts' } }])
    after.notifications.length = 0
    after.host.reply = async () => ({ ...good(), certificate: { issuer: 'B', expiresAt: 4e12 } }) as ProbeResult
    await after.pass(100)
    expect(after.notifications.map(({ message }) => message.slice(0, 10))).toEqual(['[Certifica', '[Up] db an'])
  })

  it('does not notify about a single failure afterwards', async () => {
    const before = await serviceFixture()
    before.add(notified)
    await before.pass(31)
    await before.services.stop()
    const after = await serviceFixture({ store: before.store, history: before.history, clock: before.clock })
    let failures = 1
    after.host.reply = async () => (failures-- > 0 ? refused : good())
    await after.pass(100)
    expect(after.notifications).toEqual([])
  })
})
