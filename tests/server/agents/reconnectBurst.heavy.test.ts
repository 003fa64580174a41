import { expect, it, onTestFinished } from 'vitest'
import { TestAgent } from '../../support/agent/testAgent.ts'
import { testAgentServer } from '../../support/agent/testAgentServer.ts'

const count = 200

it(`${count} agents are back after a restart of the server, each in its own row, with its name`, async () => {
  const before = await testAgentServer()
  const agents = Array.from(
    { length: count },
    () =>
      new TestAgent({
        server: `127.0.0.1:${before.port}`,
        secret: before.secretOf(1),
        traces: false,
        timeScale: 0.3,
        settings: { report_delay: 4 },
      }),
  )
  onTestFinished(async () => void (await Promise.all(agents.map((agent) => agent.stop()))))
  for (const agent of agents) agent.start()
  await expect.poll(() => agents.filter(before.isConnected).length).toBe(count)
  const rows = (server: typeof before) =>
    agents.map((agent) => {
      const row = server.rowOf(agent)
      return { id: row?.id, name: row?.name, uuid: row?.uuid }
    })
  const first = rows(before)
  expect(new Set(first.map(({ id }) => id)).size).toBe(count)

  await before.app.close()
  const after = await testAgentServer(before.store)
  for (const agent of agents) agent.settings.server = `127.0.0.1:${after.port}`
  await expect.poll(() => agents.filter(after.isConnected).length).toBe(count)
  expect(rows(after)).toEqual(first)
  const admin = await after.admin()
  const { data } = (await admin.get('server')).body as { data: object[] }
  expect(data).toHaveLength(count)
  expect(data.filter((row) => 'duplicate_uuid' in row)).toEqual([])
})
