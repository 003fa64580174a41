import { expect, it, onTestFinished } from 'vitest'
import { writeSite } from '../../../server/site/site.ts'
import type { TestAgent } from '../../support/agent/testAgent.ts'
import { testAgentServer } from '../../support/agent/testAgentServer.ts'
import { createReceiver } from '../../support/fakes/receiver.ts'

async function fixture() {
  const server = await testAgentServer(undefined, undefined, { addressCheckMs: 50 })
  const admin = await server.admin()
  const receiver = await createReceiver()
  onTestFinished(() => receiver.close())
  const body = { request_method: 2, request_type: 1, request_body: '{"text":"#NEZHA#"}' }
  await admin.call('POST', 'notification', { body: { ...body, name: 'n', url: receiver.origin, skip_check: true } })
  await admin.call('POST', 'notification-group', { body: { name: 'g', notifications: [1] } })
  const idOf = (agent: TestAgent) => server.rowOf(agent)?.id as number

  /** Three seconds pass, in which every agent that is connected reports. */
  async function check(agents: readonly TestAgent[]): Promise<void> {
    server.clock.now += 3000
    const before = agents.map(({ receipts }) => receipts)
    await expect.poll(() => agents.every(({ receipts }, index) => receipts > (before[index] ?? 0) + 1)).toBe(true)
    await server.app.alerts.check()
  }

  return {
    ...server,
    admin,
    idOf,
    check,
    messages: () => receiver.deliveries.map(({ body }) => JSON.parse(body).text as string),
    name: (agent: TestAgent) => String(server.rowOf(agent)?.name),
  }
}

it('a rule watches all agents: the busy one raises an alarm, and its task runs there and nowhere else', async () => {
  const { agent, admin, idOf, check, messages, app, name } = await fixture()
  const busy = await agent({ state: () => ({ cpu: 99, uptime: 9 }), addresses: { ipv4: '203.0.113.7' } })
  const calm = await agent({ state: () => ({ cpu: 1, uptime: 9 }) })
  const task = { name: 'look', task_type: 1, cover: 2, command: 'echo hot' }
  await admin.call('POST', 'cron', { body: task })
  const rules = [{ type: 'cpu', max: 50, duration: 3, cover: 0 }]
  const form = { name: 'busy', enable: true, rules, fail_trigger_tasks: [1], trigger_mode: 1, notification_group_id: 1 }
  expect((await admin.call('POST', 'alert-rule', { body: form })).body).toMatchObject({ success: true })
  for (let number = 0; number < 4; number++) await check([busy, calm])
  await app.tasks.idle()
  await expect.poll(messages).toEqual([expect.stringContaining(`[Incident] ${name(busy)}(203.****.7) busy\n`)])
  expect((await admin.get('cron/1/runs')).body).toMatchObject({
    data: { value: [{ server_id: idOf(busy), state: 'succeeded' }], pagination: { total: 1 } },
  })
})

it('an agent that goes raises the alarm of an offline rule, and ends it when it is back', async () => {
  const { agent, admin, check, messages, isConnected, name } = await fixture()
  const [gone, other] = [await agent(), await agent()]
  const rules = [{ type: 'offline', duration: 3, cover: 0 }]
  const form = { name: 'away', enable: true, rules, trigger_mode: 1, notification_group_id: 1 }
  await admin.call('POST', 'alert-rule', { body: form })
  for (let number = 0; number < 3; number++) await check([gone, other])
  const goneName = name(gone)
  await gone.stop()
  await expect.poll(() => isConnected(gone)).toBe(false)
  for (let number = 0; number < 4; number++) await check([other])
  await expect.poll(messages).toEqual([expect.stringMatching(`^\\[Incident\\] ${goneName}.* away$`)])
  const back = await agent({ uuid: gone.uuid })
  for (let number = 0; number < 4; number++) await check([other, back])
  await expect
    .poll(messages)
    .toEqual([expect.anything(), expect.stringMatching(`^\\[Resolved\\] ${goneName}.* away\\nafter `)])
})

it('an agent with another address is named in a notification, with both addresses', async () => {
  const { agent, messages, store, name, idOf, app } = await fixture()
  writeSite(store, { enable_ip_change_notification: true, cover: 1, ip_change_notification_group_id: 1 })
  const one = await agent({ addresses: { ipv4: '203.0.113.7' }, settings: { ip_report_period: 30 } })
  const geoip = () => JSON.stringify(app.machines.wireReport({ id: idOf(one) }).geoip)
  await expect.poll(geoip).toContain('203.0.113.7')
  const addresses = store.table<{ id: number; ipv4_addr: string }>({ name: 'known_address', columns: [] })
  await expect.poll(() => addresses.all().map((row) => row.ipv4_addr)).toEqual(['203.0.113.7'])
  await one.stop()
  await agent({ uuid: one.uuid, addresses: { ipv4: '198.51.100.9' } })
  await expect.poll(messages).toEqual([`[IP changed] ${name(one)}: 203.****.7 => 198.****.9`])
})
