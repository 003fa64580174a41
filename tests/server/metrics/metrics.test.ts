import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import type { RunResult } from '../../../server/machines/hosts/host.ts'
import { hostState } from '../../../src/schemas/machines/live.ts'
import { startAgentServer } from '../../support/agent/agentServer.ts'
import { receiver } from '../../support/fakes/receiver.ts'
import { metricsServer } from '../../support/metrics/metricsServer.ts'
import { parseOpenMetrics } from '../../support/metrics/openMetrics.ts'
import { signedIn } from '../../support/server/testServer.ts'

const name = (metric: string) => `wheelhouse_server_${metric}`

it('a server has the metrics of the live stream, in base units', async () => {
  const { server, hosts, scrape } = await metricsServer({ machines: ['web-1'] })
  const at = new Date(server.clock.now)
  const state = {
    cpu: 12.5,
    mem_used: 3e9,
    swap_used: 5e6,
    disk_used: 4e11,
    net_in_transfer: 9e12,
    net_out_transfer: 7e12,
    net_in_speed: 1500,
    net_out_speed: 2500,
    uptime: 86_400,
    load_1: 0.5,
    load_5: 0.25,
    load_15: 0.125,
    tcp_conn_count: 41,
    udp_conn_count: 7,
    process_count: 123,
    gpu: [50, 25],
    temperatures: [
      { Name: 'core', Temperature: 45.5 },
      { Name: 'core', Temperature: 47 },
      { Name: 'core 2', Temperature: 48 },
    ],
  }
  hosts[0]?.report({ host: { mem_total: 8e9, swap_total: 1e9, disk_total: 1e12 }, state, at })
  const { values, labels } = await scrape()
  const expected = {
    up: 1,
    cpu_usage_ratio: 0.125,
    last_seen_timestamp_seconds: server.clock.now / 1000,
    memory_size_bytes: 8e9,
    memory_used_bytes: 3e9,
    swap_size_bytes: 1e9,
    swap_used_bytes: 5e6,
    disk_size_bytes: 1e12,
    disk_used_bytes: 4e11,
    network_receive_bytes_total: 9e12,
    network_transmit_bytes_total: 7e12,
    network_receive_bytes_per_second: 1500,
    network_transmit_bytes_per_second: 2500,
    load1: 0.5,
    load5: 0.25,
    load15: 0.125,
    tcp_connections: 41,
    udp_connections: 7,
    processes: 123,
    uptime_seconds: 86_400,
  }
  for (const [metric, value] of Object.entries(expected)) {
    expect([metric, values(name(metric))]).toEqual([metric, { 1: value }])
    expect(labels(name(metric))).toEqual([{ id: '1', name: 'web-1' }])
  }
  expect(values(name('gpu_usage_ratio'), 'gpu')).toEqual({ 0: 0.5, 1: 0.25 })
  // No two samples have the same labels, whatever sensors are called.
  expect(values(name('temperature_celsius'), 'sensor')).toEqual({ core: 45.5, 'core 2': 47, 'core 2 2': 48 })
})

it('each number that the wire has for a report is in a metric', async () => {
  const { server, hosts, scrape } = await metricsServer({ machines: ['web-1'] })
  const lists = ['temperatures', 'gpu']
  const numbers = Object.keys(hostState.shape).filter((field) => !lists.includes(field))
  const state = Object.fromEntries(numbers.map((field, index) => [field, 50 + index]))
  hosts[0]?.report({ state, at: new Date(server.clock.now) })
  const { families } = await scrape()
  const values = new Set(families.flatMap(({ samples }) => samples.map(({ value }) => value)))
  const isShown = (value: number) => values.has(value) || values.has(value / 100)
  expect(numbers.filter((_, index) => !isShown(50 + index))).toEqual([])
})

it('a server that is offline has no metrics, but says so, and when it was there last, also after a restart', async () => {
  const before = await metricsServer({ machines: ['web-1', 'web-2'] })
  const seen = before.server.clock.now / 1000
  for (const host of before.hosts) {
    host.report({ host: { mem_total: 8e9 }, state: { cpu: 50 }, at: new Date(before.server.clock.now) })
  }
  before.hosts[1]?.disconnect()
  before.server.clock.now += 3000
  const { values } = await before.scrape()
  expect(values(name('up'))).toEqual({ 1: 1, 2: 0 })
  expect(values(name('last_seen_timestamp_seconds'))).toEqual({ 1: seen, 2: seen })
  expect(values(name('cpu_usage_ratio'))).toEqual({ 1: 0.5 })
  expect(values(name('memory_size_bytes'))).toEqual({ 1: 8e9, 2: 8e9 })
  await before.server.app.machines.stop()

  const after = await metricsServer({ store: before.server.store })
  const scrape = await after.scrape()
  expect(scrape.values(name('up'))).toEqual({ 1: 0, 2: 0 })
  expect(scrape.values(name('last_seen_timestamp_seconds'))).toEqual({ 1: seen, 2: seen })
  expect(scrape.values(name('cpu_usage_ratio'))).toEqual({})
})

it('names, countries and groups are there to be joined with, a server of two groups in both', async () => {
  const { server, hosts, scrape, create, admin } = await metricsServer({ machines: ['web-1', 'web-2'] })
  const host = { platform: 'debian', platform_version: '12.8', arch: 'x86_64', virtualization: 'kvm', version: '2.3.3' }
  for (const one of hosts) one.report({ host, country_code: 'de', at: new Date(server.clock.now) })
  const ids = [
    await create('server-group', { name: 'Europe', servers: [1, 2] }),
    await create('server-group', { name: 'Web', servers: [1] }),
  ]
  const { labels } = await scrape()
  const facts = { platform: 'debian', platform_version: '12.8', arch: 'x86_64', virtualization: 'kvm' }
  expect(labels(name('info'))).toEqual([
    { id: '1', name: 'web-1', country: 'de', ...facts, agent_version: '2.3.3' },
    { id: '2', name: 'web-2', country: 'de', ...facts, agent_version: '2.3.3' },
  ])
  expect(labels(name('group_info'))).toEqual([
    { id: '1', name: 'web-1', group_id: `${ids[0]}`, group: 'Europe' },
    { id: '2', name: 'web-2', group_id: `${ids[0]}`, group: 'Europe' },
    { id: '1', name: 'web-1', group_id: `${ids[1]}`, group: 'Web' },
  ])
  await admin.call('POST', 'batch-delete/server', { body: [1] })
  expect((await scrape()).labels(name('group_info'))).toHaveLength(1)
})

it('a name may have quotes, line breaks, backslashes and half a character', async () => {
  const strange = 'a "b" \\n c\\ \n d {x="1"} # EOF 中 \ud800'
  const { server, hosts, scrape } = await metricsServer({ machines: [strange] })
  const temperatures = [{ Name: strange, Temperature: 1 }]
  hosts[0]?.report({ state: { temperatures }, at: new Date(server.clock.now) })
  const { labels } = await scrape()
  const read = strange.toWellFormed()
  expect(labels(name('up'))).toEqual([{ id: '1', name: read }])
  expect(labels(name('temperature_celsius'))).toEqual([{ id: '1', name: read, sensor: read }])
})

it('an alert rule says on how many servers it fires', async () => {
  const { server, hosts, scrape, create } = await metricsServer({ machines: ['web-1', 'web-2', 'web-3'] })
  const report = () => {
    for (const [index, host] of hosts.entries()) {
      host.report({ state: { cpu: index === 0 ? 5 : 95 }, at: new Date(server.clock.now) })
    }
  }
  report()
  const rule = { type: 'cpu', max: 90, duration: 3, cover: 0 }
  const form = { trigger_mode: 0, notification_group_id: 0, fail_trigger_tasks: [], recover_trigger_tasks: [] }
  await create('alert-rule', { ...form, name: 'Busy', enable: true, rules: [rule] })
  await create('alert-rule', { ...form, name: 'Off', enable: false, rules: [rule] })
  expect((await scrape()).values('wheelhouse_alert_rule_firing', 'name')).toEqual({ Busy: 0, Off: 0 })
  for (let check = 0; check < 4; check++) {
    server.clock.now += 3000
    report()
    await server.app.alerts.check()
  }
  const { values } = await scrape()
  expect(values('wheelhouse_alert_rule_firing', 'name')).toEqual({ Busy: 2, Off: 0 })
  expect(values('wheelhouse_alert_rule_enabled', 'name')).toEqual({ Busy: 1, Off: 0 })
})

it('a service says whether it is up, how fast, and until when its certificate is good', async () => {
  const { server, hosts, scrape, create } = await metricsServer({ machines: ['web-1'] })
  const [host] = hosts
  host?.report({ at: new Date(server.clock.now) })
  const expiresAt = Date.parse('2027-01-01T00:00:00Z')
  const certificate = { issuer: 'CA', expiresAt }
  if (host) host.reply = async () => ({ outcome: 'up', delay: 25, certificate })
  const form = { type: 1, duration: 30, cover: 0, notification_group_id: 0, skip_servers: {} }
  await create('service', { ...form, name: 'Shop', target: 'https://shop.example' })
  await create('service', { ...form, name: 'New', target: 'https://new.example', cover: 1 })
  const { checker } = server.app.services
  expect((await scrape()).values('wheelhouse_service_up', 'name')).toEqual({})
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      server.clock.now += 1000
      host?.report({ at: new Date(server.clock.now) })
      checker.tick()
      await checker.idle()
    }
  }
  await pass(40)
  const good = await scrape()
  expect(good.values('wheelhouse_service_up', 'name')).toEqual({ Shop: 1 })
  expect(good.values('wheelhouse_service_latency_seconds', 'name')).toEqual({ Shop: 0.025 })
  expect(good.values('wheelhouse_service_certificate_expiry_timestamp_seconds', 'name')).toEqual({
    Shop: expiresAt / 1000,
  })
  if (host) host.reply = async () => ({ outcome: 'down', problem: 'refused' })
  await pass(70)
  const { values } = await scrape()
  expect(values('wheelhouse_service_up', 'name')).toEqual({ Shop: 0 })
  // Of the time before: a failed check has no latency.
  expect(values('wheelhouse_service_latency_seconds', 'name')).toEqual({ Shop: 0.025 })
  expect(values('wheelhouse_service_checks_total')['']).toBe(server.app.services.checker.counts().begun)
  await pass(16 * 60)
  expect((await scrape()).values('wheelhouse_service_latency_seconds', 'name')).toEqual({})
})

it('the server has metrics of its process and of the requests that it answered', async () => {
  const { server, scrape } = await metricsServer()
  const { values, labels } = await scrape()
  expect(labels('wheelhouse_build_info')).toEqual([{ version: '1.2.3', node: process.versions.node }])
  for (const metric of ['process_resident_memory_bytes', 'nodejs_heap_size_used_bytes', 'process_cpu_seconds_total']) {
    expect(values(metric)['']).toBeGreaterThan(0)
  }
  for (const part of ['p50', 'p99', 'max']) {
    expect(values(`nodejs_eventloop_lag_${part}_seconds`)['']).toBeGreaterThanOrEqual(0)
  }
  expect(values('process_start_time_seconds')['']).toBeCloseTo(Date.now() / 1000 - process.uptime(), -1)
  const before = values('wheelhouse_http_requests_total', 'status')
  for (const url of ['/nowhere', '/nowhere/else', '/api/v1/setting']) {
    await server.app.inject({ url, headers: { host: '127.0.0.1' } })
  }
  const after = (await scrape()).values('wheelhouse_http_requests_total', 'status')
  // The scrape before has ended with 200, too.
  expect(after).toEqual({ ...before, '2xx': (before['2xx'] ?? 0) + 2, '4xx': 2 })
})

it('the server has metrics of what waits: notifications, tasks and checks, and which of them came late', async () => {
  const { server, hosts, scrape, create } = await metricsServer({ machines: ['web-1'] })
  const [host] = hosts
  const idle = [
    'notifications_queued',
    'task_executions_running',
    'service_checks_running',
    'service_checks_late_total',
  ]
  const read = async () => {
    const { values } = await scrape()
    return Object.fromEntries(idle.map((metric) => [metric, values(`wheelhouse_${metric}`)['']]))
  }
  expect(await read()).toEqual(Object.fromEntries(idle.map((metric) => [metric, 0])))
  expect((await scrape()).values('wheelhouse_events_queued')).toEqual({ '': server.app.events.waitingCount() })

  host?.report({ at: new Date(server.clock.now) })
  const { origin } = await receiver(() => {})
  const notifier = {
    name: 'n',
    url: origin,
    request_method: 2,
    request_type: 1,
    request_header: '',
    request_body: '{}',
  }
  const id = await create('notification', { ...notifier, skip_check: true })
  const groupId = await create('notification-group', { name: 'g', notifications: [id] })
  for (let number = 0; number < 3; number++) server.app.notifications.send({ groupId, message: `${number}` })

  const run = Promise.withResolvers<RunResult>()
  const check = Promise.withResolvers<undefined>()
  onTestFinished(() => {
    run.resolve({ exitCode: 0, ended: 'exited', output: '', truncated: false })
    check.resolve(undefined)
  })
  if (host) Object.assign(host, { answer: () => run.promise, reply: () => check.promise })
  const task = { name: 't', task_type: 1, scheduler: '', command: 'true', cover: 0, servers: [1] }
  const cron = await create('cron', { ...task, notification_group_id: 0, push_successful: false })
  server.app.tasks.runNow(cron, { id: 1, username: 'admin', role: 0 })

  const service = { type: 1, duration: 30, cover: 0, notification_group_id: 0, skip_servers: {} }
  await create('service', { ...service, name: 'Shop', target: 'https://shop.example' })
  const { checker } = server.app.services
  checker.tick()
  server.clock.now += 3500
  host?.report({ at: new Date(server.clock.now) })
  checker.tick()
  expect(await read()).toEqual({
    notifications_queued: 2,
    task_executions_running: 1,
    service_checks_running: 1,
    service_checks_late_total: 1,
  })
  const { values } = await scrape()
  expect(values('wheelhouse_service_check_delay_seconds_total')['']).toBeGreaterThan(1)
})

it('the server has metrics of agents, connections and sockets that are open', async () => {
  const server = await startAgentServer()
  const admin = await signedIn(server)
  const read = async () => {
    const text = (await admin.get('/metrics')).text
    const open = ['agents_connected', 'http_connections', 'websockets', 'live_viewers']
    const values = parseOpenMetrics(text).flatMap(({ samples }) => samples)
    return open.map((metric) => values.find((sample) => sample.name === `wheelhouse_${metric}`)?.value)
  }
  expect(await read()).toEqual([0, 0, 0, 0])
  const state = server.calls().stream('ReportSystemState')
  const receipt = new Promise((resolve) => state.onMessage(resolve))
  state.send({ cpu: 7 })
  await receipt
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/api/v1/ws/server`)
  onTestFinished(() => socket.terminate())
  await once(socket, 'message')
  await expect.poll(read).toEqual([1, 1, 1, 1])
  socket.terminate()
  await expect.poll(read).toEqual([1, 0, 0, 0])
})
