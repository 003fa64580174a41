import type { FastifyInstance } from 'fastify'
import { openAlarms } from '../../server/alerts/alarms.ts'
import type { Store } from '../../server/db/store.ts'
import { entityTable } from '../../server/entities/entityTable.ts'
import type { HostState } from '../../server/machines/hosts/host.ts'
import { openOutages } from '../../server/services/outages.ts'
import { openTaskRuns } from '../../server/tasks/taskRuns.ts'
import { timestamp } from '../../server/wire/apiCall.ts'
import { alertRule } from '../../src/schemas/alertRule.ts'
import { cron } from '../../src/schemas/cron.ts'
import { nat } from '../../src/schemas/nat.ts'
import { service } from '../../src/schemas/service.ts'
import { noState } from '../../tests/support/server/testHost.ts'
import { randomlyFrom } from '../seed/random.ts'

/** The machine with an overview on a picture: `build-waw-1`. */
export const shownServer = 9
/** The servers that check the service with an overview on a picture. */
const checking = [1, 3, 7]

const minute = 60_000
const hour = 60 * minute
const gibibyte = 2 ** 30
const random = randomlyFrom(5)
const about = (value: number, share = 10) => value * (1 + (random.whole(2 * share + 1) - share) / 100)

/** When the service on the picture was down, in milliseconds before now, and why. */
const outages = [
  { before: 19 * hour, length: 11 * minute, problem: 'connection refused' },
  { before: 5 * hour, length: 26 * minute, problem: '503 Service Unavailable' },
]

/** Services, rules, tasks and a NAT profile, with what became of them in the last day. Before the server starts. */
export function addRecords(store: Store, now: number): void {
  const stamps = { user_id: 1, created_at: timestamp(now), updated_at: timestamp(now) }
  const services = entityTable(store, service)
  const defaults = { notification_group_id: 0, display_index: 0, min_latency: 0, max_latency: 0, notify: false }
  const listed = Object.fromEntries(checking.map((id) => [id, true]))
  for (const [name, type, target, duration] of [
    ['Shop', 1, 'https://shop.example.com', 60],
    ['Mail', 3, 'mail.example.com:993', 60],
    ['Gateway', 2, '203.0.113.1', 30],
  ] as const) {
    services.insert({
      ...stamps,
      ...defaults,
      name,
      type,
      target,
      duration,
      cover: 1,
      skip_servers: { ...listed, [shownServer]: true },
    })
  }
  const rules = entityTable(store, alertRule)
  const all = { cover: 0, ignore: {} }
  rules.insert({
    ...stamps,
    name: 'Processor busy',
    enable: true,
    trigger_mode: 1,
    notification_group_id: 0,
    rules: [{ type: 'cpu', max: 99, duration: 60, ...all }],
  })
  rules.insert({
    ...stamps,
    name: 'Offline',
    enable: true,
    trigger_mode: 1,
    notification_group_id: 0,
    rules: [{ type: 'offline', duration: 60, ...all }],
  })
  const tasks = entityTable(store, cron)
  for (const [name, scheduler, before, last_result] of [
    ['Clean build cache', '0 0 3 * * *', 6 * hour, true],
    ['Renew certificates', '0 30 4 * * 1', 31 * hour, true],
  ] as const) {
    tasks.insert({
      ...stamps,
      name,
      scheduler,
      task_type: 0,
      cover: 0,
      servers: [shownServer],
      command: 'true',
      notification_group_id: 0,
      last_executed_at: timestamp(now - before),
      last_result,
    })
  }
  entityTable(store, nat).insert({
    ...stamps,
    name: 'Build pages',
    enabled: true,
    server_id: shownServer,
    host: '127.0.0.1:8080',
    domain: 'build.example.com',
  })
  const alarms = openAlarms(store, thrown)
  const alarm = alarms.open({
    rule_id: 1,
    owner_id: 1,
    rule_version: '1',
    rule_name: 'Processor busy',
    server_id: shownServer,
    server_name: 'build-waw-1',
    notified: true,
    started_at: now - 8 * hour,
    causes: [{ type: 'cpu', value: 99.4, max: 99 }],
  })
  alarms.close(alarm, now - 7 * hour, false)
  const runs = openTaskRuns(store, { onFailure: thrown })
  const target = [{ id: shownServer, name: 'build-waw-1', isOffline: false }]
  for (const before of [30 * hour, 6 * hour]) {
    const started_at = now - before
    for (const run of runs.begin({ task_id: 1, owner_id: 1, cause: 'schedule', started_at }, target)) {
      const end = { state: 'succeeded', reason: null, exit_code: 0, truncated: false, output: 'done' } as const
      runs.end(run, end, started_at + 4 * minute)
    }
  }
  runs.flush()
  const stored = openOutages(store, thrown)
  for (const { before, length, problem } of outages) {
    stored.begin(1, { started_at: now - before, problem, server_name: 'web-ams-1' })
    stored.end(1, now - before + length)
  }
}

function thrown(error: unknown): never {
  throw error
}

/** A day of metrics and of checks, and what is known of the 30 days. After the server has started. */
export async function addHistory({ services: { metrics, samples } }: FastifyInstance, now: number): Promise<void> {
  for (let at = now - 24 * hour; at < now; at += minute) {
    metrics.add(shownServer, stateAt(at, now), at)
    for (const server of checking) {
      const isDown = outages.some(({ before, length }) => at >= now - before && at < now - before + length)
      const delay = about(server === 7 ? 168 : 24 + server * 9, 20)
      samples.add(1, server, at, isDown ? { outcome: 'down', problem: '' } : { outcome: 'up', delay })
    }
  }
  for (let day = 1; day < 30; day++) {
    const failed = [4, 11, 12].includes(day) ? day : 0
    for (let check = 0; check < 100; check++) {
      const result = check < failed ? { outcome: 'down' as const, problem: '' } : { outcome: 'up' as const, delay: 30 }
      samples.add(1, 1, now - day * 24 * hour, result)
    }
  }
  // Past days are read once, with the first page that shows them.
  await samples.days.flush()
}

/** A machine that builds something every four hours. */
function stateAt(at: number, now: number): HostState {
  const isBusy = (now - at) % (4 * hour) > 2.6 * hour
  const cpu = isBusy ? about(93, 7) : about(9, 40)
  return {
    ...noState,
    cpu: Math.min(100, cpu),
    mem_used: Math.floor(about(isBusy ? 45 : 21, 5) * gibibyte),
    swap_used: 0,
    disk_used: Math.floor((470 + (24 * hour - (now - at)) / hour) * gibibyte),
    net_in_speed: about(isBusy ? 14_000_000 : 300_000, 40),
    net_out_speed: about(isBusy ? 3_000_000 : 90_000, 40),
    net_in_transfer: 205 * gibibyte,
    net_out_transfer: 435 * gibibyte,
    load_1: (16 * cpu) / 100,
    load_5: (16 * cpu) / 110,
    load_15: (16 * cpu) / 125,
    tcp_conn_count: Math.floor(about(180)),
    udp_conn_count: 12,
    process_count: Math.floor(about(isBusy ? 220 : 140)),
    uptime: 5 * 86_400 - Math.floor((now - at) / 1000),
  }
}
