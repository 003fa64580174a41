import { expect, it } from 'vitest'
import { testAgentServer } from '../../support/agent/testAgentServer.ts'

const gigabyte = 1e9

it('the traffic of an agent is counted over a restart of the server, what passed meanwhile included', async () => {
  let received = 100 * gigabyte
  const state = () => ({ uptime: 90_000, net_in_transfer: received, net_out_transfer: received / 10 })
  const before = await testAgentServer()
  const agent = await before.agent({ state, settings: { report_delay: 1 } })
  const admin = await before.admin()
  const cycle = { type: 'transfer_in_cycle', max: 5e12, cycle_unit: 'year', cycle_interval: 1, cover: 0 }
  const rules = [{ ...cycle, cycle_start: '2026-01-01T00:00:00Z' }]
  const form = { name: 'traffic', enable: true, rules, trigger_mode: 0, notification_group_id: 0 }
  expect((await admin.call('POST', 'alert-rule', { body: form })).body).toMatchObject({ success: true })

  /** Gigabytes that the rule has counted, after a report and a check. */
  async function counted(server: typeof before): Promise<number> {
    const seen = agent.receipts
    await expect.poll(() => agent.receipts > seen + 1).toBe(true)
    await server.app.alerts.check()
    const stats = server.app.alerts.cycleTransferStats()?.[1]
    return (stats?.transfer[String(server.rowOf(agent)?.id)] ?? 0) / gigabyte
  }

  const first = await counted(before)
  received += 3 * gigabyte
  expect((await counted(before)) - first).toBeCloseTo(3, 6)

  await before.app.close()
  // The machine works on while no server listens.
  received += 5 * gigabyte
  const after = await testAgentServer(before.store)
  agent.settings.server = `127.0.0.1:${after.port}`
  await expect.poll(() => after.isConnected(agent)).toBe(true)
  expect((await counted(after)) - first).toBeCloseTo(8, 6)
})
