import { describe, expect, it, vi } from 'vitest'
import { entityTable, type ServerRow } from '../../../server/entities/entityTable.ts'
import { createLiveFrames } from '../../../server/machines/live/liveSocket.ts'
import { createServerAccess } from '../../../server/machines/serverHooks.ts'
import type { Person } from '../../../server/person.ts'
import type { LiveFrame } from '../../../src/schemas/machines/live.ts'
import { server as servers } from '../../../src/schemas/server.ts'
import { type AgentServer, startAgentServer, testUuid } from '../../support/agent/agentServer.ts'

/** A machine with the uuid of the others; each has an address of its own. */
async function machine(server: AgentServer, address: string, host: { platform: string; boot_time: number }) {
  const calls = server.calls({
    client_secret: server.secretOf(1),
    client_uuid: testUuid,
    'x-agent-ip': address,
  })
  await calls.unary('ReportSystemInfo2', host)
  await calls.unary('ReportGeoIP', { ip: { ipv4: address } })
  const tasks = calls.stream('RequestTask')
  const states = calls.stream('ReportSystemState')
  tasks.onMessage(({ id, type }) => tasks.send({ id, type, data: host.platform, successful: true }))
  let onReceipt = () => {}
  states.onMessage(() => onReceipt())
  return {
    calls,
    states,
    tasks,
    report(cpu: number) {
      const received = new Promise<void>((resolve) => {
        onReceipt = resolve
      })
      states.send({ cpu })
      return received
    },
  }
}

async function twoMachines() {
  const server = await startAgentServer({ site: { agent_real_ip_header: 'X-Agent-IP' } })
  const first = await machine(server, '203.0.113.1', { platform: 'first', boot_time: 2000 })
  await first.report(1)
  // Longer than last messages on an old stream may take, and too short for a keepalive to be missed.
  server.clock.now += 10_000
  const second = await machine(server, '203.0.113.2', { platform: 'second', boot_time: 3000 })
  await second.report(2)
  const run = async () => {
    const row = entityTable(server.store, servers).all()[0] as ServerRow
    const result = await server.machines.connected(row)?.run('id', { timeoutMs: 2000, maxOutputBytes: 100 })
    return result?.output
  }
  return { server, first, second, run }
}

const addresses = ['203.0.113.1', '203.0.113.2']

describe('two machines with one uuid', () => {
  it('do not take turns: the one that was here first stays, and the console gets both addresses', async () => {
    const { server, first, second, run } = await twoMachines()
    expect(await server.rows()).toMatchObject([{ state: { cpu: 2 } }])
    server.clock.now += 3000
    await first.report(1)
    for (const cpu of [3, 4]) {
      server.clock.now += 3000
      await second.report(cpu)
      await first.report(1)
    }
    const rows = await server.rows()
    expect(rows).toMatchObject([
      {
        host: { platform: 'first' },
        state: { cpu: 1 },
        geoip: { ip: { ipv4_addr: addresses[0] } },
        duplicate_uuid: addresses,
      },
    ])
    expect(rows).toHaveLength(1)
    // Lists that are open say so too: to those who own the server, not to visitors.
    const frames = createLiveFrames(server.store, server.machines, createServerAccess(server.store))
    const liveRow = async (person?: Person) =>
      (JSON.parse(String((await frames.frame(person, 1, false)).bytes)) as LiveFrame).servers?.[0]
    expect(await liveRow({ id: 1, username: 'admin', role: 0 })).toMatchObject({ duplicate_uuid: addresses })
    expect(await liveRow()).not.toHaveProperty('duplicate_uuid')
    expect(await run()).toBe('first')
    expect(second.states.hasEnded || first.states.hasEnded).toBe(false)
  })

  it('count as one again when only the newer is left, which then is the server', async () => {
    const { server, first, second, run } = await twoMachines()
    server.clock.now += 3000
    await first.report(1)
    first.tasks.halfClose()
    first.states.halfClose()
    await first.states.status
    await second.report(5)
    const rows = await server.rows()
    expect(rows).toMatchObject([{ host: { platform: 'second' }, state: { cpu: 5 } }])
    expect(rows[0]).not.toHaveProperty('duplicate_uuid')
    expect(await run()).toBe('second')
  })

  it('are distinguished from an agent that has connected again, whose last messages on the old stream come late', async () => {
    const { server, first, second } = await twoMachines()
    server.clock.now += 500
    await first.report(1)
    await second.report(5)
    const rows = await server.rows()
    expect(rows).toMatchObject([{ host: { platform: 'second' }, state: { cpu: 5 } }])
    expect(rows[0]).not.toHaveProperty('duplicate_uuid')
  })

  it('whose streams cannot be distinguished get no tasks: the command was not started, and the reply says why', async () => {
    const server = await startAgentServer({ site: { agent_real_ip_header: 'X-Agent-IP' } })
    const address = '203.0.113.1'
    const first = await machine(server, address, { platform: 'first', boot_time: 2000 })
    await first.report(1)
    server.clock.now += 10_000
    const second = await machine(server, address, { platform: 'second', boot_time: 3000 })
    await second.report(2)
    server.clock.now += 3000
    // A proxy opens one connection for each call.
    const apart = server.calls({ client_secret: server.secretOf(1), client_uuid: testUuid, 'x-agent-ip': address })
    first.tasks.cancel()
    await first.tasks.status
    const tasks = apart.stream('RequestTask')
    tasks.onMessage(({ id, type }) => tasks.send({ id, type, successful: true }))
    await apart.unary('ReportGeoIP', { ip: { ipv4: address } })
    await first.report(1)
    const row = entityTable(server.store, servers).all()[0] as ServerRow
    const result = await server.machines.connected(row)?.run('id', { timeoutMs: 2000, maxOutputBytes: 200 })
    expect(result).toMatchObject({ ended: 'failed', output: expect.stringContaining('several machines use the uuid') })
  })

  it('may be at most eight: what comes beyond is refused', async () => {
    const { server } = await twoMachines()
    for (let more = 2; more < 8; more++) {
      const other = await machine(server, `203.0.113.${more + 1}`, { platform: `number ${more}`, boot_time: 1 })
      await other.report(more)
    }
    const last = await machine(server, '203.0.113.99', { platform: 'last', boot_time: 1 })
    expect(await last.states.status).toMatchObject({ code: 2, details: 'state stream superseded' })
    expect(await last.tasks.status).toMatchObject({ code: 2, details: 'request task stream superseded' })
  })
})

it('a stream without a report for 12 seconds is ended, and the server is offline', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const server = await startAgentServer()
  const states = server.calls().stream('ReportSystemState')
  const received = new Promise((resolve) => states.onMessage(resolve))
  states.send({ cpu: 1 })
  await received
  await vi.advanceTimersByTimeAsync(12_000)
  vi.useRealTimers()
  expect(await states.status).toMatchObject({ code: 2, details: 'no report for too long' })
  expect(await server.rows()).toMatchObject([{ last_active: '0001-01-01T00:00:00Z', state: { cpu: 1 } }])
})

it('every agent gets a keepalive every 20 seconds, and one that answers none is ended', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const server = await startAgentServer()
  const answering = server.calls().stream('RequestTask')
  const tasks: object[] = []
  answering.onMessage((task) => {
    tasks.push(task)
    answering.send({ type: 7 })
  })
  const silent = server
    .calls({ client_secret: server.secretOf(1), client_uuid: testUuid.replace('1', '2') })
    .stream('RequestTask')
  await server.calls().unary('ReportSystemInfo2', {})
  await vi.waitFor(() => expect(server.machines.idOf(testUuid.replace('1', '2'))).toBeDefined())
  for (let minute = 1; minute <= 4; minute++) {
    server.clock.now += 20_000
    await vi.advanceTimersByTimeAsync(20_000)
    await vi.waitFor(() => expect(tasks).toHaveLength(minute))
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  expect(tasks[0]).toEqual({ type: 7 })
  expect(await silent.status).toMatchObject({ code: 2 })
  expect(answering.hasEnded).toBe(false)
})
