import { expect, it, onTestFinished } from 'vitest'
import { openAuditLog } from '../../../server/audit/auditLog.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { createTestHost } from '../../support/server/testHost.ts'
import { testServer } from '../../support/server/testServer.ts'

it('another version of an agent is a line of the audit log, one in ten minutes', async () => {
  const audit = openAuditLog()
  const host = createTestHost({ name: 'web-1' })
  const server = await testServer({
    audit,
    machines: (on) => {
      const machines = createMachines(on)
      machines.add(host)
      return machines
    },
  })
  onTestFinished(() => server.app.close())
  const lines = async () =>
    (await audit.read(0, 10)).rows.map(({ action, target, detail }) => ({ action, target, detail }))
  function report(version: string, minutes: number): void {
    server.clock.now += minutes * 60_000
    host.report({ host: { version }, at: new Date(server.clock.now) })
  }
  report('2.0.0', 0)
  report('2.0.0', 1)
  expect(await lines()).toEqual([])
  report('2.1.0', 1)
  report('2.2.0', 1)
  report('2.1.0', 1)
  const line = { action: 'server.agent-version', target: 'server 1' }
  expect(await lines()).toEqual([{ ...line, detail: { name: 'web-1', from: '2.0.0', to: '2.1.0' } }])
  report('2.2.0', 1)
  report('2.2.0', 10)
  expect((await lines())[0]).toEqual({ ...line, detail: { name: 'web-1', from: '2.1.0', to: '2.2.0' } })
  expect(await lines()).toHaveLength(2)
})
