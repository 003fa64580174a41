import { expect, it, vi } from 'vitest'
import { entityTable, type ServerRow } from '../../../../server/entities/entityTable.ts'
import { server as servers } from '../../../../src/schemas/server.ts'
import { offline, startAgentServer, testUuid } from '../../../support/agent/agentServer.ts'

it('an agent gets a row, reports, runs a command, and is offline when it ends its reports', async () => {
  const server = await startAgentServer()
  const agent = server.calls()
  const startedAt = server.clock.now / 1000
  const host = { platform: 'debian', cpu: ['AMD EPYC 2 Virtual Core'], mem_total: 25_276_510_208, boot_time: 1000 }
  expect(await agent.unary('ReportSystemInfo2', host)).toEqual({ data: startedAt })
  const tasks = agent.stream('RequestTask')
  const states = agent.stream('ReportSystemState')
  const receipts: object[] = []
  states.onMessage((receipt) => receipts.push(receipt))
  states.send({ cpu: 12.5, load1: 0.5, uptime: 5, temperatures: [{ name: 'core', temperature: 40 }], gpu: [1, 2] })
  await vi.waitFor(() => expect(receipts).toEqual([{ proced: true }]))
  expect(await agent.unary('ReportGeoIP', { ip: { ipv4: '203.0.113.7' } })).toEqual({ dashboard_boot_time: startedAt })
  states.send({ cpu: 13, load1: 0.5, temperatures: [{ name: 'core', temperature: 40 }], gpu: [1, 2] })
  await vi.waitFor(() => expect(receipts).toHaveLength(2))
  expect(await server.rows()).toMatchObject([
    {
      uuid: testUuid,
      name: expect.stringMatching(/^[a-z]+-[a-z]+$/),
      owner: { id: 1, username: 'admin' },
      host,
      state: { cpu: 13, load_1: 0.5, temperatures: [{ Name: 'core', Temperature: 40 }], gpu: [1, 2] },
      geoip: { ip: { ipv4_addr: '203.0.113.7' } },
      last_active: '2026-11-21T00:00:00Z',
    },
  ])

  tasks.onMessage(({ id, type, data }) => {
    tasks.send({ id: (id ?? 0) + 1, type, data: 'with the id of another task', successful: true })
    tasks.send({ id, type: 12, data: 'of another type', successful: true })
    tasks.send({ id, type, data: `did ${data}`, delay: 1.5, successful: true })
  })
  const row = entityTable(server.store, servers).all()[0] as ServerRow
  const result = await server.machines.connected(row)?.run('uptime', { timeoutMs: 5000, maxOutputBytes: 1000 })
  expect(result).toMatchObject({ exitCode: 0, ended: 'exited', output: 'did uptime' })

  states.halfClose()
  expect(await states.status).toMatchObject({ code: 0 })
  await vi.waitFor(async () =>
    expect(await server.rows()).toMatchObject([{ last_active: offline, state: { cpu: 13 } }]),
  )
})
