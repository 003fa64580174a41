import type { Api } from './api.ts'
import type { Targets } from './targets.ts'

/** The name by which the web service is forwarded. */
export const natName = 'soak.example.org'
/** Connections that make the alert rule on TCP connections fire; each has two ends on this machine. */
export const connectionCount = 600

export interface Seeded {
  serviceIds: number[]
  ddnsId: number
  taskIds: { scheduled: number; failed: number; recovered: number }
}

/** The server's own machine, once it has reported. */
export async function ownMachine(api: Api): Promise<{ id: number; name: string; connections: number }> {
  for (let tries = 0; tries < 30; tries++) {
    const rows = (await api.call<Machine[] | undefined>('GET', 'server')) ?? []
    const [machine] = rows
    if (machine && !machine.last_active.startsWith('0001'))
      return { id: machine.id, name: machine.name, connections: machine.state?.tcp_conn_count ?? 0 }
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error('The machine did not report within 15 s.')
}

interface Machine {
  id: number
  name: string
  last_active: string
  state?: { tcp_conn_count?: number }
}

/** One of each kind of record that watches or acts. */
export async function seedRecords(api: Api, targets: Targets, folder: string): Promise<Seeded> {
  const machine = await ownMachine(api)
  const create = (name: string, form: object) => api.call<number>('POST', name, { name: `soak ${name}`, ...form })
  const web = `http://127.0.0.1:${targets.webPort}`

  const notifier = { request_method: 2, request_type: 1, request_header: '', verify_tls: true, skip_check: true }
  const body = '{"text":"#NEZHA#","server":"#SERVER.NAME#","cpu":"#SERVER.CPU#"}'
  const reached = await create('notification', { ...notifier, url: `${web}/notify`, request_body: body })
  // Nobody is there: it must not hold the other one up.
  const unreachable = await create('notification', { ...notifier, url: 'http://127.0.0.1:1/', request_body: body })
  const notification_group_id = await create('notification-group', { notifications: [reached, unreachable] })

  const task = { servers: [machine.id], cover: 0, push_successful: false, notification_group_id }
  const note = (file: string) => `echo x >> '${folder}/${file}'`
  const taskIds = {
    scheduled: await create('cron', { ...task, task_type: 0, scheduler: '*/20 * * * * *', command: note('scheduled') }),
    failed: await create('cron', { ...task, task_type: 1, scheduler: '', cover: 2, command: note('failed') }),
    recovered: await create('cron', { ...task, task_type: 1, scheduler: '', cover: 2, command: note('recovered') }),
  }
  const triggers = { fail_trigger_tasks: [taskIds.failed], recover_trigger_tasks: [taskIds.recovered] }

  const service = {
    duration: 5,
    notify: true,
    notification_group_id,
    cover: 0,
    skip_servers: {},
    display_index: 0,
    enable_trigger_task: false,
    fail_trigger_tasks: [],
    recover_trigger_tasks: [],
    hide_for_guest: false,
    min_latency: 0,
    max_latency: 0,
    latency_notify: false,
  }
  const serviceIds = [
    await create('service', { ...service, type: 1, target: `${web}/page` }),
    await create('service', { ...service, type: 2, target: '127.0.0.1' }),
    await create('service', { ...service, type: 3, target: `127.0.0.1:${targets.tcpPort}` }),
    await create('service', { ...service, type: 3, target: `127.0.0.1:${targets.unstablePort}` }),
  ]

  const rule = { enable: true, trigger_mode: 0, notification_group_id }
  const manyConnections = { type: 'tcp_conn_count', max: machine.connections + connectionCount, duration: 3, cover: 0 }
  const cycle = {
    type: 'transfer_all_cycle',
    max: 1e15,
    cycle_start: '2025-01-01T00:00:00Z',
    cycle_interval: 1,
    cycle_unit: 'month',
    cover: 0,
  }
  await create('alert-rule', { ...rule, ...triggers, rules: [manyConnections] })
  await create('alert-rule', { ...rule, rules: [cycle] })
  await create('alert-rule', { ...rule, rules: [{ type: 'offline', duration: 3, cover: 0 }] })

  const ddnsId = await create('ddns', {
    provider: 'webhook',
    domains: ['soak.example.org'],
    max_retries: 2,
    enable_ipv4: true,
    enable_ipv6: false,
    webhook_url: `${web}/ddns`,
    webhook_method: 2,
    webhook_request_type: 1,
    webhook_request_body: '{"ip":"#ip#"}',
  })
  const { id, name } = machine
  await api.call('PATCH', `server/${id}`, { name, display_index: 0, enable_ddns: true, ddns_profiles: [ddnsId] })
  await create('nat', { enabled: true, server_id: id, host: `127.0.0.1:${targets.webPort}`, domain: natName })
  return { serviceIds, ddnsId, taskIds }
}
