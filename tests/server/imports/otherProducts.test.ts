import { describe, expect, it } from 'vitest'
import { usersIn } from '../../../server/auth/users/users.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { days } from '../../../server/services/history/serviceHistory.ts'
import { readSite } from '../../../server/site/site.ts'
import type { ImportKind } from '../../../src/schemas/imports/importKinds.ts'
import { entityNamed } from '../../../src/schemas/index.ts'
import {
  dataOf,
  fixtureBytes,
  type ImportFixture,
  importUpload,
  planUpload,
} from '../../support/imports/importFixture.ts'
import { signedIn, type TestServer, testServer } from '../../support/server/testServer.ts'

function rowsOf({ store }: TestServer, name: string) {
  const entity = entityNamed(name)
  if (!entity) throw new Error(name)
  return entityTable(store, entity).all()
}

const named = (server: TestServer, entity: string, name: string) =>
  rowsOf(server, entity).find((row) => row.name === name)

/** A server with what a file has, which has nothing to do when it comes again. */
async function imported(kind: ImportKind & ImportFixture) {
  const server = await testServer()
  // After the files were made.
  server.clock.now = Date.parse('2026-11-27T00:00:00Z')
  const admin = await signedIn(server)
  const upload = { kind, bytes: fixtureBytes(kind) }
  const { plan } = await importUpload(admin, upload)
  const again = await planUpload(admin, upload)
  expect(again.plan?.changes).toEqual([])
  const skipped = plan.skipped.map(({ entity, name, code }) => `${entity} ${name}: ${code}`)
  return { server, plan, skipped }
}

describe('A file of Uptime Kuma', () => {
  it('brings monitors as services, notifiers, what visitors see, maintenance and days; the rest is named', async () => {
    const { server, plan, skipped } = await imported('uptime-kuma')
    expect(rowsOf(server, 'service').map(({ name }) => name)).toEqual(
      expect.arrayContaining(['front', 'api', 'word', 'no word', 'json', 'port', 'closed', 'ping', 'paused']),
    )
    const group = named(server, 'notification-group', 'tg, mail')
    expect(named(server, 'service', 'front')).toMatchObject({
      target: 'http://127.0.0.1:18992/',
      notification_group_id: group?.id,
      notify: true,
      hide_for_guest: false,
      retries: 2,
      check: { kind: 'http', codes: '200-299,401', headers: { 'X-Test': '1' } },
    })
    expect(named(server, 'service', 'api')).toMatchObject({
      check: { method: 'POST', body: '{"a":1}', auth: { kind: 'basic', user: 'u', password: 'p-example' } },
    })
    expect(named(server, 'service', 'no word')).toMatchObject({ check: { contains: '', absent: 'Error' } })
    expect(named(server, 'service', 'json')).toMatchObject({
      check: { json: [{ path: 'status', op: '==', value: 'ok' }] },
    })
    expect(named(server, 'service', 'closed')).toMatchObject({ type: 3, target: '127.0.0.1:1', hide_for_guest: true })
    expect(named(server, 'service', 'dns')).toMatchObject({
      target: 'www.example.org',
      duration: 20,
      check: { kind: 'dns', record: 'AAAA', resolver: '192.0.2.53:53' },
    })
    expect(named(server, 'service', 'smtp')).toMatchObject({ check: { kind: 'smtp', capabilities: 'STARTTLS' } })
    expect(named(server, 'service', 'redis')).toMatchObject({
      target: '192.0.2.11:6379',
      check: { kind: 'redis', password: 'p-example' },
    })
    const query = 'SELECT 1'
    expect(named(server, 'service', 'pg')).toMatchObject({
      target: '192.0.2.10:5432',
      check: { kind: 'postgres', user: 'u', password: 'p-example', database: 'db', query },
    })
    expect(named(server, 'service', 'mysql')).toMatchObject({
      target: '192.0.2.12:3306',
      check: { kind: 'mysql', user: 'u', password: 'p-example', database: 'db', query },
    })
    expect(named(server, 'service', 'mongo')).toMatchObject({ target: '192.0.2.13:27017', check: { kind: 'mongodb' } })
    expect(named(server, 'service', 'mqtt')).toMatchObject({
      target: '192.0.2.14:1883',
      check: { kind: 'mqtt', topic: 'a/b', expect: 'ok', wait: 8 },
    })
    expect(named(server, 'service', 'grpc')).toMatchObject({ target: '127.0.0.1:50051', check: { kind: 'grpc' } })
    const shop = named(server, 'service', 'Shop')
    expect(shop).toMatchObject({
      check: { kind: 'group', services: [named(server, 'service', 'front')?.id, named(server, 'service', 'api')?.id] },
    })
    // Jobs go on calling the address that they have.
    expect(named(server, 'service', 'nightly')).toMatchObject({ check: { kind: 'push', interval: 300 } })
    const call = await server.browser().get('/api/push/PushTokenExample0123456789abcdef?status=up&msg=OK&ping=')
    expect(call.status).toBe(200)
    // Nobody checks a paused one.
    expect(named(server, 'service', 'paused')).toMatchObject({ cover: 1, skip_servers: {} })
    expect(named(server, 'notification', 'mail')?.url).toBe(
      'smtps://ops:mail-example@mail.example.org:465/?from=kuma%40example.org&to=ops%40example.org',
    )
    expect(rowsOf(server, 'notification')).toHaveLength(7)
    expect(named(server, 'maintenance-window', 'Sunday work')).toMatchObject({
      repeat: 2,
      starts_at: '2026-11-01T02:00',
      duration: 120,
      time_zone: 'Europe/Berlin',
      services: [named(server, 'service', 'front')?.id],
    })
    expect(readSite(server.store).site_name).toBe('Shop status')
    expect(skipped).toEqual(
      expect.arrayContaining([
        'service container: kind_unknown',
        'service steam: kind_unknown',
        'service paused: paused',
      ]),
    )
    const front = named(server, 'service', 'front')?.id ?? 0
    const day = Date.parse('2026-11-26T00:00:00Z')
    const range = { from: day - 86_400_000, until: day + 2 * 86_400_000 }
    const [bucket] = await server.app.services.samples.days.ofOne(days, range, front)
    expect(bucket?.sums.slice(0, 2)).toEqual([5, 0])
    expect(JSON.stringify(plan)).not.toMatch(/p-example|mail-example|12345:example|g-example/)
    const browser = server.browser()
    await browser.signIn('kuma-admin', 'Kuma-Old-Pass-1')
    expect(browser.cookies.has('nz-jwt')).toBe(true)
  })
})

describe('A file of Beszel', () => {
  it('brings systems with what they measured, people and alerts', async () => {
    const { server, skipped } = await imported('beszel')
    const berlin = named(server, 'server', 'berlin')
    const tokyo = named(server, 'server', 'tokyo')
    const ops = usersIn(server.store).find({ username: 'ops@example.org' })[0]
    expect(berlin).toMatchObject({ user_id: ops?.id, note: '127.0.0.1' })
    expect(rowsOf(server, 'alert-rule')).toHaveLength(6)
    expect(named(server, 'alert-rule', 'CPU > 80, 10 min')).toMatchObject({
      rules: [
        { type: 'cpu', max: 80, duration: 200, cover: 1, ignore: { [`${berlin?.id}`]: true, [`${tokyo?.id}`]: true } },
      ],
      user_id: ops?.id,
    })
    expect(skipped).toEqual(['notification ops@example.org: no_mail_server'])
    const { metrics } = server.app.services
    await metrics.series.thin(server.clock.now)
    const points = await metrics.dataPoints(berlin?.id ?? 0, 'cpu', '1d', server.clock.now)
    expect(points.map(({ value }) => Math.round(value))).toEqual([87, 43])
    const browser = server.browser()
    await browser.signIn('ops@example.org', 'Beszel-Old-Pass-1')
    expect(browser.cookies.has('nz-jwt')).toBe(true)
  })
})

describe('Files of two products, one after the other', () => {
  it('add to a group of one name, and leave nothing once both are taken back, though a task has run', async () => {
    const server = await testServer()
    server.clock.now = Date.parse('2026-11-27T00:00:00Z')
    const admin = await signedIn(server)
    const nezha = await importUpload(admin, { kind: 'nezha', bytes: fixtureBytes('nezha-1') })
    const komari = await importUpload(admin, { kind: 'komari', bytes: fixtureBytes('komari') })
    const idOf = (name: string) => named(server, 'server', name)?.id
    const europe = () => named(server, 'server-group', 'Europe')?.servers
    expect(europe()).toEqual([idOf('old-berlin'), idOf('old-paris')])
    const task = named(server, 'cron', 'restart web')
    const ran = '2026-11-27T01:00:00Z'
    const cron = entityNamed('cron')
    if (cron) entityTable(server.store, cron).update(Number(task?.id), { last_executed_at: ran, updated_at: ran })
    const undone = ({ made }: typeof nezha) => dataOf(admin, `wheelhouse/imports/${made.id}/undo`, {})
    server.clock.now += 60_000
    expect(await undone(komari)).toMatchObject({ kept: [] })
    expect(europe()).toEqual([idOf('old-berlin')])
    expect(await undone(nezha)).toMatchObject({ kept: [] })
    for (const entity of ['server', 'server-group', 'cron']) expect(rowsOf(server, entity)).toEqual([])
  })
})

describe('A file of Komari', () => {
  it('brings servers with price and end, ping tasks, rules and the sender', async () => {
    const { server, skipped } = await imported('komari')
    const paris = named(server, 'server', 'old-paris')
    const seoul = named(server, 'server', 'old-seoul')
    expect(paris).toMatchObject({ uuid: '1a12073c-a427-4ca2-bfbc-71c95ced1363', note: 'private\n#web #prod' })
    expect(JSON.parse(String(paris?.public_note))).toMatchObject({
      billingDataMod: { amount: '12.5€', cycle: 'Month', autoRenewal: '1', endDate: '2027-03-01T00:00:00.000Z' },
      planDataMod: { trafficVol: '2 TiB', trafficType: '2' },
    })
    expect(paris?.contract).toMatchObject({
      price: 12.5,
      currency: 'EUR',
      cycle: 'month',
      renews: true,
      ends_at: '2027-03-01T00:00:00.000Z',
      quota_bytes: 2 * 2 ** 40,
      quota_counts: 'sum',
    })
    expect(seoul).toMatchObject({
      hide_for_guest: true,
      contract: { price: 60, currency: 'USD', cycle: 'year', renews: false, quota_bytes: 2 ** 40 },
    })
    expect(named(server, 'server-group', 'Europe')?.servers).toEqual([paris?.id])
    expect(named(server, 'service', 'web')).toMatchObject({ cover: 1, skip_servers: { [`${paris?.id}`]: true } })
    expect(named(server, 'service', 'v4 icmp')).toMatchObject({ type: 2, cover: 0, duration: 60 })
    const group = named(server, 'notification-group', 'Komari')
    expect(named(server, 'alert-rule', 'Offline 300 s')).toMatchObject({
      notification_group_id: group?.id,
      rules: [{ type: 'offline', duration: 100, cover: 1, ignore: { [`${paris?.id}`]: true } }],
    })
    expect(named(server, 'alert-rule', 'cpu')).toMatchObject({ rules: [{ type: 'cpu', max: 85, duration: 300 }] })
    expect(named(server, 'notification', 'Telegram')?.url).toContain('bot12345:example')
    expect(readSite(server.store).site_name).toBe('Old Komari')
    expect(skipped).toEqual(['user komari-admin: password_unknown'])
  })
})
