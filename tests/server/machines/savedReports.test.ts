import { expect, it, vi } from 'vitest'
import { openStore } from '../../../server/db/store.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { startAgentServer, testUuid } from '../../support/agent/agentServer.ts'
import { createTestHost } from '../../support/server/testHost.ts'

it('what a machine reported last is there after a restart of the server, and it is offline until it is back', async () => {
  const before = await startAgentServer()
  const calls = before.calls()
  await calls.unary('ReportSystemInfo2', { platform: 'debian', boot_time: 5000, version: '2.3.3' })
  await calls.unary('ReportGeoIP', { ip: { ipv4: '203.0.113.7' } })
  const states = calls.stream('ReportSystemState')
  const received = new Promise((resolve) => states.onMessage(resolve))
  states.send({ cpu: 7, uptime: 60 })
  await received
  const name = (await before.rows())[0]?.name
  await before.machines.stop()
  await before.app.close()

  const after = await startAgentServer({ store: before.store })
  const savedRow = { id: 1, uuid: testUuid, name, geoip: { ip: { ipv4_addr: '203.0.113.7' } } }
  expect(await after.rows()).toMatchObject([
    {
      ...savedRow,
      host: { platform: 'debian', boot_time: 5000, version: '2.3.3' },
      state: { cpu: 7, uptime: 60 },
      last_active: '0001-01-01T00:00:00Z',
    },
  ])
  // An agent that knows the server sends neither host nor address again before its first report.
  const again = after.calls().stream('ReportSystemState')
  const receipt = new Promise((resolve) => again.onMessage(resolve))
  again.send({ cpu: 8 })
  await receipt
  const rows = await after.rows()
  expect(rows).toHaveLength(1)
  expect(rows).toMatchObject([{ ...savedRow, host: { platform: 'debian' }, state: { cpu: 8 } }])
  // The clock of the machine was set back while the server was down.
  await after.calls().unary('ReportSystemInfo2', { platform: 'debian', boot_time: 4000, version: '2.3.4' })
  const next = new Promise((resolve) => again.onMessage(resolve))
  again.send({ cpu: 9 })
  await next
  expect(await after.rows()).toMatchObject([{ host: { boot_time: 4000, version: '2.3.4' } }])
})

it('reports are saved within a minute, a few at a time, and those of deleted servers go with them', () => {
  vi.useFakeTimers()
  const store = openStore(':memory:')
  const machines = createMachines({ store })
  const hosts = Array.from({ length: 120 }, (_, index) => createTestHost({ uuid: `machine-${index}` }))
  for (const host of hosts) {
    machines.add(host)
    host.report({ state: { cpu: 1 } })
  }
  const table = store.table({ name: 'server_report', columns: [] })
  vi.advanceTimersByTime(1000)
  expect(table.count()).toBe(2)
  vi.advanceTimersByTime(59_000)
  expect(table.count()).toBe(120)
  machines.forget([{ id: 1 }, { id: 2 }])
  expect(table.count()).toBe(118)
})

it('machines whose counters leap with every report cost one write a second together', () => {
  vi.useFakeTimers()
  const store = openStore(':memory:')
  let writes = 0
  const transaction = <T>(work: () => T): T => {
    writes++
    return store.transaction(work)
  }
  const machines = createMachines({ store: { ...store, transaction } })
  const hosts = Array.from({ length: 40 }, (_, index) => createTestHost({ uuid: `machine-${index}` }))
  for (const host of hosts) machines.add(host)
  const reportAll = (received: number) => {
    for (const host of hosts) host.report({ state: { net_in_transfer: received, uptime: 5000 } })
  }
  reportAll(1000)
  const before = writes
  for (let report = 0; report < 10; report++) reportAll(report % 2 === 0 ? 0 : 1000)
  expect(writes).toBe(before)
  vi.advanceTimersByTime(1000)
  expect(store.table({ name: 'server_report', columns: [] }).count()).toBe(40)
  // The second is that of the reports that are written once a minute.
  expect(writes - before).toBeLessThanOrEqual(2)
})

it('a full disk is logged once, and the reports are saved when there is space again', () => {
  vi.useFakeTimers()
  const store = openStore(':memory:')
  const failures: unknown[] = []
  let isFull = false
  const transaction = <T>(work: () => T): T => {
    if (isFull) throw new Error('database or disk is full')
    return store.transaction(work)
  }
  const machines = createMachines({ store: { ...store, transaction }, onFailure: (error) => failures.push(error) })
  const host = createTestHost()
  machines.add(host)
  host.report()
  isFull = true
  vi.advanceTimersByTime(180_000)
  expect(failures).toHaveLength(1)
  isFull = false
  vi.advanceTimersByTime(60_000)
  expect(store.table({ name: 'server_report', columns: [] }).count()).toBe(1)
})
