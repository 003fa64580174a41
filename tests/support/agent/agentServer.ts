import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { AppOptions } from '../../../server/app.ts'
import { usersIn } from '../../../server/auth/users/users.ts'
import type { Store } from '../../../server/db/store.ts'
import { createMachines, type Machines } from '../../../server/machines/machines.ts'
import type { Site } from '../../../server/site/site.ts'
import { signedIn, type TestServer, testServer } from '../server/testServer.ts'
import { AgentCalls } from './agentCalls.ts'
import { AgentTrace } from './agentTrace.ts'

/** A row of `GET /server`. */
export type ServerRow = Record<string, unknown> & { id: number; name: string; uuid: string; last_active: string }

/** The whole server on a port of its own, for agents. */
export interface AgentServer extends TestServer {
  port: number
  machines: Machines
  /** The secret of a user's agents: 1 is `admin`, 2 is `member`. */
  secretOf(userId: number): string
  /** The calls of an agent that does nothing by itself. @param metadata replaces the names of an agent of `admin` */
  calls(metadata?: Record<string, string>, tls?: { insecure: boolean; ca?: string }): AgentCalls
  /** What `admin` sees in the list. */
  rows(): Promise<ServerRow[]>
}

export const testUuid = '12345678-1234-4234-8234-123456789abc'

export const offline = '0001-01-01T00:00:00Z'

interface Options {
  site?: Partial<Site>
  tls?: { cert: string; key: string }
  geoipDatabase?: string
  connectionLimits?: AppOptions['connectionLimits']
  replyLimits?: AppOptions['replyLimits']
  dist?: string
  /** Another server's data, as after a restart. */
  store?: Store
}

export async function startAgentServer({ tls, geoipDatabase, ...options }: Options = {}): Promise<AgentServer> {
  let machines: Machines | undefined
  const server = await testServer({
    ...options,
    settings: { host: '127.0.0.1', tls, geoipDatabase },
    machines: (on) => {
      machines = createMachines(on)
      return machines
    },
  })
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.app.close())
  const { port } = server.app.server.address() as AddressInfo
  const secretOf = (id: number) => usersIn(server.store).get(id)?.agent_secret ?? ''
  return {
    ...server,
    port,
    machines: machines as Machines,
    secretOf,
    calls(metadata, tls) {
      const calls = new AgentCalls({
        server: `127.0.0.1:${port}`,
        metadata: metadata ?? { 'client-secret': secretOf(1), 'client-uuid': testUuid },
        userAgent: 'grpc-go/1.83.0',
        tls,
        trace: new AgentTrace(),
      })
      onTestFinished(() => calls.close())
      return calls
    },
    async rows() {
      // Agents that fail get their own address blocked.
      const admin = await signedIn(server, 'admin', '198.51.100.9')
      return ((await admin.call('GET', 'server')).body as { data?: ServerRow[] }).data ?? []
    },
  }
}
