import { mkdirSync, readdirSync } from 'node:fs'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openHistory } from '../../../server/db/history/openHistory.ts'
import { retentionKey, type StoredRetention } from '../../../server/db/retentionClock.ts'
import { openStore, type Store } from '../../../server/db/store.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { tiers } from '../../../server/services/history/periods.ts'
import { openOutages } from '../../../server/services/outages.ts'
import { createRecordingFiles } from '../../../server/sessions/recordingFiles.ts'
import type { TrafficDays } from '../../../server/traffic/trafficDays.ts'
import { notification } from '../../../src/schemas/notification.ts'
import { server as serverEntity } from '../../../src/schemas/server.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'
import { noState } from '../../support/server/testHost.ts'
import { type TestServer, testServer } from '../../support/server/testServer.ts'

const [minute, day] = [60_000, 86_400_000]
const year = 365 * day
const noon = Date.parse('2026-11-21T12:00:00Z')
interface AnyRow {
  id: number
  [column: string]: unknown
}

const fail = (error: unknown) => expect.unreachable(String(error))

const names = { server_id: 1, server_name: 'web-1', rule_id: 1, rule_name: 'r', rule_version: '', owner_id: 1 }
const line = { notifierId: 1, notifierName: 'n', ownerId: 1, groupId: 1, groupName: 'g', message: 'm', state: 1 }

/** A row of each kind that is deleted by its age, all of a moment. */
function historyOf(at: number) {
  const ended = { started_at: at, ended_at: at + 1 }
  const iso = new Date(at).toISOString()
  const event = {
    user_id: 1,
    group_id: 1,
    group_name: 'g',
    event: 'message',
    about: '',
    body: '{}',
    due_at: at,
    tries: 0,
  }
  return {
    alarm: { ...names, ...ended, causes: [], withdrawn: false, notified: true },
    alarm_snapshot: { server_id: 1, taken_at: at, alarm_ids: [1], size: 2 },
    change: { at, entity: 'server', record_id: 1, record: 'server 1', action: 'updated', user_id: 1, fields: [] },
    delivery: { at: iso, notification_id: 1, notification_name: 'n', user_id: 1, message: 'm', state: 1 },
    event_message: { ...event, created_at: at, webhook_id: 'a', notification_id: 98, waiting: false },
    incident: {
      title: 't',
      state: 'resolved',
      started_at: at,
      resolved_at: at + 1,
      parts: [],
      entries: [],
      notices: [],
    },
    merged_incident: { incident_id: 900, into_id: 1, at },
    server_traffic: { server_id: 2, month: monthOf(at), days: {}, jumps: [], since: at },
  }
}

const monthOf = (at: number) => new Date(at).getUTCFullYear() * 12 + new Date(at).getUTCMonth()

const tableOf = (store: Store, name: string) => store.table<AnyRow>({ name, columns: [] })

/**
 * A server that listens, with history of the day before it was last on.
 * @param offMs milliseconds for which it was off
 */
async function serverWithHistory(offMs = 0) {
  const before = await testServer()
  const { store } = before
  const at = before.clock.now - offMs - day
  const ids = Object.entries(historyOf(at)).map(([name, row]) => [name, tableOf(store, name).insert(row)] as const)
  const notifier = { name: 'n', url: 'http://127.0.0.1:9/', request_method: 1, request_type: 1, user_id: 1 }
  const notification_id = entityTable(store, notification).insert({ ...notifier, send_events: true })
  // Messages that are too old to be sent: when one is given up, rows are written.
  for (const due_at of [at, before.clock.now + day]) {
    const message = {
      ...historyOf(at).event_message,
      webhook_id: `at ${due_at}`,
      waiting: true,
      due_at,
      notification_id,
    }
    tableOf(store, 'event_message').insert(message)
  }
  entityTable(store, serverEntity).insert({ name: 'web-1', user_id: 1 })
  store.setValue(retentionKey, { time: at + day } satisfies StoredRetention)
  await before.app.close()
  const folder = temporaryFolder()
  mkdirSync(folder, { recursive: true })
  const about = { server_id: 1, server_name: 'web-1', user_id: 1, username: 'admin', by_settings: true, session: 'a' }
  const header = { version: 2, width: 80, height: 24, timestamp: at / 1000 }
  await (await createRecordingFiles(folder, () => at).create(header, { ...about, began: at }, fail)).end()
  const intervals = vi.spyOn(globalThis, 'setInterval')
  onTestFinished(() => intervals.mockRestore())
  const server = await testServer({
    store,
    history: openHistory(':memory:'),
    machines: createMachines,
    recordingsFolder: folder,
    alertTimes: { firstCheckMs: 1e9, intervalMs: 1e9 },
  })
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const hourly = () => intervals.mock.calls.filter(([, ms]) => ms === 3_600_000).map(([work]) => work)
  // Changes, snapshots and recordings. Plug-ins are told after the server listens.
  await vi.waitFor(() => expect(hourly()).toHaveLength(3))
  const { metrics, recorder } = server.app.services
  metrics.add(1, { ...noState, cpu: 40 }, at)
  await recorder.save()
  await recorder.thin()
  const days = tiers.at(-1) ?? tiers[0]
  let sweeps = 0
  return {
    server,
    async sweep() {
      for (const work of hourly()) (work as () => void)()
      await sweepTables(server, ++sweeps)
    },
    /** What is left, by its table. */
    async left() {
      const found = ids.filter(([name, id]) => tableOf(store, name).get(id) !== undefined).map(([name]) => name)
      const points = await metrics.series.ofOne(days, { from: at - day, until: at + 2 * day }, 1)
      return [
        ...found,
        ...(points.length > 0 ? ['charts'] : []),
        ...(readdirSync(folder).length > 0 ? ['recordings'] : []),
      ]
    },
  }
}

/** Makes each table delete what is too old, as something new does. @param months of traffic: another one each time */
async function sweepTables({ app, clock, store }: TestServer, months: number): Promise<void> {
  await app.services.recorder.thin()
  await app.alerts.check()
  app.incidents.begin({
    ...names,
    kind: 'alarm',
    id: clock.now,
    service_id: 0,
    host: '',
    is_gone: false,
    name: 'x',
    started_at: clock.now,
  })
  app.incidents.flush()
  app.deliveries.add({ ...line, at: clock.now, code: 200, reply: '', tries: 1, durationMs: 5, count: 1 })
  app.deliveries.flush()
  app.events.tick()
  await app.events.idle()
  const waiting = () => tableOf(store, 'event_message').find({ waiting: true })
  await vi.waitFor(() => expect(waiting().filter(({ due_at }) => Number(due_at) <= clock.now)).toEqual([]))
  const days = app.traffic.days as TrafficDays
  days.observe(1, { net_in_transfer: 1, net_out_transfer: 1, uptime: 1 }, 0, clock.now)
  days.observe(1, { net_in_transfer: 2, net_out_transfer: 1, uptime: 2 }, 0, clock.now + months * 31 * day)
  expect(store.isDurable()).toBe(true)
}

const everything = [...Object.keys(historyOf(0)), 'charts', 'recordings']

it('history stays when the clock jumps three years ahead, and when it comes back', async () => {
  const { server, sweep, left } = await serverWithHistory()
  const { clock, logged } = server
  clock.now += 3 * year
  clock.jump += 3 * year
  await sweep()
  expect(await left()).toEqual(everything)
  clock.now += minute - 3 * year
  clock.jump = 0
  await sweep()
  await server.app.close()
  expect(await left()).toEqual(everything)
  expect(logged.filter((text) => text.includes('lock'))).toEqual([
    expect.stringContaining('The clock says 2029-11-20'),
    expect.stringContaining('The clock is right again'),
  ])
})

it('history that is too old after a time off goes a day later', async () => {
  const { server, sweep, left } = await serverWithHistory(3 * year)
  await sweep()
  expect(await left()).toEqual(everything)
  server.clock.now += day + minute
  await sweep()
  await expect.poll(left).toEqual([])
  await server.app.close()
})

it('history goes when the time has passed', async () => {
  const { server, sweep, left } = await serverWithHistory()
  server.clock.now += 3 * year
  await sweep()
  await expect.poll(left).toEqual([])
  await server.app.close()
})

it('outages stay when the next one begins on a clock that has jumped', () => {
  const store = openStore(':memory:')
  let retained = noon + day
  const outages = openOutages(store, fail, () => retained)
  const begin = (started_at: number) => outages.begin(1, { started_at, problem: 'p', server_name: 'web-1' })
  begin(noon)
  outages.end(1, noon + 1)
  begin(noon + year)
  expect(outages.of(1)).toHaveLength(2)
  retained = noon + year
  begin(noon + year)
  expect(outages.of(1).map(({ id }) => id)).toEqual([3, 2])
  store.close()
})
