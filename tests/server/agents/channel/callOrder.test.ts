import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { entityTable } from '../../../../server/entities/entityTable.ts'
import { server as servers } from '../../../../src/schemas/server.ts'
import type { AgentCalls } from '../../../support/agent/agentCalls.ts'
import { type AgentServer, offline, startAgentServer, testUuid } from '../../../support/agent/agentServer.ts'

async function reportTo(calls: AgentCalls, cpu: number) {
  const states = calls.stream('ReportSystemState')
  let receipts = 0
  states.onMessage((receipt) => {
    expect(receipt).toEqual({ proced: true })
    receipts++
  })
  states.send({ cpu })
  await expect.poll(() => receipts).toBe(1)
  return { states, receipts: () => receipts }
}

const metadata = (server: AgentServer) => ({ client_secret: server.secretOf(1), client_uuid: testUuid })

describe('the calls of an agent (docs/contract/AGENT.md#3-calls-and-their-order)', () => {
  it.each([
    ['ReportSystemInfo', (_startedAt: number) => ({ proced: true })],
    ['ReportSystemInfo2', (startedAt: number) => ({ data: startedAt })],
    ['ReportGeoIP', (startedAt: number) => ({ dashboard_boot_time: startedAt })],
  ] as const)('%s is answered with %o', async (rpc, reply) => {
    const server = await startAgentServer()
    expect(await server.calls().unary(rpc, {})).toEqual(reply(server.clock.now / 1000))
  })

  it('are answered with one receipt for each report, none before the first, and none twice', async () => {
    const server = await startAgentServer()
    const states = server.calls().stream('ReportSystemState')
    let receipts = 0
    states.onMessage(() => receipts++)
    await wait(100)
    expect(receipts).toBe(0)
    for (let cpu = 1; cpu <= 50; cpu++) states.send({ cpu })
    await expect.poll(() => receipts).toBe(50)
    await wait(100)
    expect(receipts).toBe(50)
    expect(await server.rows()).toMatchObject([{ state: { cpu: 50 } }])
  })

  it.each(['ReportSystemState', 'RequestTask'] as const)(
    '%s ends with OK when the agent half-closes it (real servers end it with 2 EOF, which agents take the same way)',
    async (rpc) => {
      const server = await startAgentServer()
      const stream = server.calls().stream(rpc)
      stream.onMessage(() => {})
      stream.halfClose()
      expect(await stream.status).toMatchObject({ code: 0 })
    },
  )

  it('in any order: results of several tasks overlap, and each goes to its own request', async () => {
    const server = await startAgentServer()
    const calls = server.calls()
    const tasks = calls.stream('RequestTask')
    const open: { id?: number; type?: number; data?: string }[] = []
    tasks.onMessage((task) => {
      open.push(task)
      if (open.length < 3) return
      for (const { id, type, data } of open.reverse()) tasks.send({ id, type, data: `of ${data}`, successful: true })
    })
    await reportTo(calls, 1)
    const host = hostOf(server)
    const run = (command: string) => host.run(command, { timeoutMs: 5000, maxOutputBytes: 100 })
    const results = await Promise.all(['a', 'b', 'c'].map(run))
    expect(results.map(({ output }) => output)).toEqual(['of a', 'of b', 'of c'])
  })
})

describe('a command for an agent that reports but takes no tasks', () => {
  const run = (server: AgentServer) => hostOf(server).run('id', { timeoutMs: 5000, maxOutputBytes: 100 })

  it('was not started, and no reply says that it may still run', async () => {
    const server = await startAgentServer()
    await reportTo(server.calls(), 1)
    expect(await run(server)).toMatchObject({ ended: 'failed', exitCode: null, output: 'the agent is not connected' })
  })

  it('is refused as its settings and its update are (real servers say success)', async () => {
    const server = await startAgentServer()
    await reportTo(server.calls(), 1)
    for (const order of [hostOf(server).config(), hostOf(server).applyConfig('{}'), hostOf(server).orderUpdate()])
      await expect(order).rejects.toThrow('the agent is not connected')
  })

  it('that was sent before the agent went may have run', async () => {
    const server = await startAgentServer()
    const calls = server.calls()
    const tasks = calls.stream('RequestTask')
    tasks.onMessage(() => tasks.cancel())
    await reportTo(calls, 1)
    expect(await run(server)).toMatchObject({ ended: 'lost', output: expect.stringContaining('may still run') })
  })
})

describe('an agent that connects again', () => {
  it('is online all the time, whenever its old streams end, and tasks go to the new one', async () => {
    const server = await startAgentServer()
    const old = server.calls(metadata(server))
    const oldTasks = old.stream('RequestTask')
    const before = await reportTo(old, 1)
    server.clock.now += 10_000
    const fresh = server.calls(metadata(server))
    const newTasks = fresh.stream('RequestTask')
    newTasks.onMessage(({ id, type }) => newTasks.send({ id, type, data: 'new', successful: true }))
    const after = await reportTo(fresh, 2)
    for (const stream of [before.states, oldTasks]) stream.cancel()
    await Promise.all([before.states.status, oldTasks.status])
    await wait(100)
    const [row] = await server.rows()
    expect(row).toMatchObject({ state: { cpu: 2 } })
    expect(row?.last_active).not.toBe(offline)
    expect(row).not.toHaveProperty('duplicate_uuid')
    expect(after.states.hasEnded).toBe(false)
    const result = await hostOf(server).run('id', { timeoutMs: 5000, maxOutputBytes: 100 })
    expect(result.output).toBe('new')
  })
})

function hostOf(server: AgentServer) {
  const [row] = entityTable(server.store, servers).all()
  const host = row && server.machines.connected(row)
  if (!host) throw new Error('the agent is not connected')
  return host
}
