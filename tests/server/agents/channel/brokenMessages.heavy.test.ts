import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { fuzzAgents } from '../../../../scripts/fuzz/agents.ts'
import { startAgentServer } from '../../../support/agent/agentServer.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** MiB in objects and buffers that are still used. */
function memoryInUse(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 2 ** 20
}

it('agents that send 3,000 broken messages disturb no healthy one, and nothing of them stays', async () => {
  const server = await startAgentServer()
  const options = { port: server.port, secret: server.secretOf(1) }
  await fuzzAgents({ ...options, count: 500, seed: 1 })
  await wait(2000)
  const before = memoryInUse()
  const report = await fuzzAgents({ ...options, count: 3000, seed: 20_261_122 })
  expect(report.faults).toEqual([])
  expect(Object.keys(report.kinds)).toHaveLength(9)
  // Once connections that broke off are gone.
  await expect.poll(() => memoryInUse() - before, { interval: 500 }).toBeLessThan(20)
  // None of their messages may cause an unexpected error.
  expect(server.logged.filter((line) => line.includes('A call of an agent failed'))).toEqual([])
  // Two that break off, and the healthy ones.
  expect((await server.rows()).length).toBeLessThanOrEqual(4)
})
