import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext } from '@playwright/test'
import { type AgentOptions, TestAgent } from '../agent/testAgent.ts'
import { test as journey } from './journey.ts'

interface AgentFixtures {
  /** A folder of the machines with an agent, in which their commands and shells start. */
  machineFolder: string
  /** Starts an agent with the secret of the user who is signed in there; it ends with the test. */
  startAgent: (owner: BrowserContext, options?: Partial<AgentOptions>) => Promise<TestAgent>
}

/** A journey with test agents beside the machine of the server. Their own pauses are a tenth as long. */
export const test = journey.extend<AgentFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from it
  machineFolder: async ({}, use) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'wheelhouse-agent-')))
    await use(folder)
    rmSync(folder, { recursive: true, force: true })
  },

  startAgent: async ({ server, machineFolder }, use) => {
    const started: TestAgent[] = []
    await use(async (owner, options) => {
      const reply = await owner.request.get('/api/v1/profile')
      const { agent_secret: secret } = ((await reply.json()) as { data: { agent_secret: string } }).data
      const { host } = new URL(server.address)
      const agent = new TestAgent({
        server: host,
        secret,
        timeScale: 0.1,
        traces: false,
        folder: machineFolder,
        home: machineFolder,
        ...options,
      })
      started.push(agent)
      agent.start()
      return agent
    })
    for (const agent of started) await agent.stop()
  },
})
