import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { usersIn } from '../../../server/auth/users/users.ts'
import type { Store } from '../../../server/db/store.ts'
import { entityTable, type Row } from '../../../server/entities/entityTable.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { server as serverEntity } from '../../../src/schemas/server.ts'
import type { Browser } from '../console/browser.ts'
import { signedIn, testServer } from '../server/testServer.ts'
import { type AgentOptions, TestAgent } from './testAgent.ts'

/**
 * The whole server on a port of its own, to which test agents connect.
 * @param store of a server before, as after a restart
 * @param tls the files of its certificate
 * @param more how often it looks at addresses, and the folder of a built console
 */
export async function testAgentServer(
  store?: Store,
  tls?: { cert: string; key: string },
  more: { addressCheckMs?: number; dist?: string } = {},
) {
  const server = await testServer({ ...more, store, machines: createMachines, settings: { host: '127.0.0.1', tls } })
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.app.close())
  const { port } = server.app.server.address() as AddressInfo
  const table = entityTable(server.store, serverEntity)
  const secretOf = (userId: number) => usersIn(server.store).get(userId)?.agent_secret ?? ''
  const rowOf = (agent: TestAgent): Row | undefined => table.find({ uuid: agent.uuid })[0]

  const isConnected = (agent: TestAgent) => {
    const row = rowOf(agent)
    return row !== undefined && server.app.machines.connected(row) !== undefined
  }

  return {
    ...server,
    port,
    secretOf,
    rowOf,
    isConnected,
    /** An agent that has connected. @param options.owner the user whose secret it has, 1 by default */
    async agent({ owner = 1, ...options }: Partial<AgentOptions> & { owner?: number } = {}): Promise<TestAgent> {
      const agent = new TestAgent({
        server: `127.0.0.1:${port}`,
        secret: secretOf(owner),
        timeScale: 0.05,
        traces: false,
        ...options,
      })
      agent.start()
      onTestFinished(() => agent.stop())
      await expect.poll(() => isConnected(agent)).toBe(true)
      return agent
    },
    admin: (): Promise<Browser> => signedIn(server, 'admin'),
    member: (): Promise<Browser> => signedIn(server, 'member'),
  }
}
