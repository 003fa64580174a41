import { expect, it } from 'vitest'
import { taskMessage } from '../../../server/agents/grpc/nezhaService.ts'
import { taskTypes } from '../../../server/machines/hosts/agent/agentConnection.ts'
import { cluster, hostOf } from '../../support/agent/followerInFront.ts'
import { forwardedName, sendRequest, startService } from '../../support/server/natServer.ts'

async function agentAtFollower() {
  const { leader, atFollower } = await cluster()
  const agent = await leader.agent({ ...atFollower, traces: true })
  const host = hostOf(leader, agent)
  if (!host) throw new Error('the agent is offline')
  return { leader, agent, host, id: Number(leader.rowOf(agent)?.id) }
}

it('the settings of an agent at a follower are read and changed', async () => {
  const { leader, agent, host } = await agentAtFollower()
  expect(JSON.parse((await host.config?.()) ?? '')).toMatchObject({ uuid: agent.uuid })
  expect(await host.applyConfig?.('{"report_delay":2}')).toEqual({ reconnects: true })
  await expect.poll(() => agent.settings.report_delay).toBe(2)
  await expect.poll(() => agent.connections).toBe(2)
  await expect.poll(() => leader.isConnected(agent)).toBe(true)
})

it('an agent at a follower is ordered to update', async () => {
  const { agent, host } = await agentAtFollower()
  await host.orderUpdate?.()
  const orders = () =>
    agent.trace.events.flatMap((event) =>
      'type' in event && event.type === 'Task' ? [taskMessage.decode(event.bytes).type] : [],
    )
  await expect.poll(orders).toContain(taskTypes.update)
})

it('an agent at a follower checks services', async () => {
  const { host } = await agentAtFollower()
  const { port } = await startService()
  const options = { timeoutMs: 60_000, allowPrivate: true }
  expect(await host.probe({ type: 'tcp', target: `127.0.0.1:${port}` }, options)).toMatchObject({ outcome: 'up' })
  expect(await host.probe({ type: 'http', target: `http://127.0.0.1:${port}/` }, options)).toMatchObject({
    outcome: 'up',
  })
})

it('a host name is forwarded by way of an agent at a follower', async () => {
  const { leader, id } = await agentAtFollower()
  const { port } = await startService()
  const admin = await leader.admin()
  const profile = { name: 'n', enabled: true, server_id: id, host: `127.0.0.1:${port}`, domain: forwardedName }
  expect((await admin.call('POST', 'nat', { body: profile })).body).toMatchObject({ success: true })
  expect(await sendRequest(leader.port)).toMatchObject({ status: 200, text: 'hello' })
})
