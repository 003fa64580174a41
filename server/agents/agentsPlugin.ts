import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Log } from '../log.ts'
import { createAgentSessions } from './agentSessions.ts'
import { createGrpcServer } from './grpc/grpcServer.ts'
import { grpcCodes } from './grpc/grpcStatus.ts'
import { agentMethods } from './methods.ts'

interface AgentsOptions {
  log: Log
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** Takes the reports of agents, and makes each a machine (docs/contract/AGENT.md). */
export const agentsPlugin = fp(
  async (app: FastifyInstance, { log, now }: AgentsOptions) => {
    const { auth, machines, serverTransfers: transfers } = app
    const sessions = createAgentSessions({ machines, now })
    const grpc = createGrpcServer({
      methods: agentMethods({
        ...{ auth, machines, transfers, sessions, startedAt: now() },
        register: (uuid, userId) => machines.register(uuid, '', userId),
      }),
      onError: (error) => log.error('A call of an agent failed:', error),
    })
    app.dispatch.acceptHttp2(grpc.accept)
    app.addHook('preClose', async () => {
      sessions.stop()
      grpc.close({ code: grpcCodes.unavailable, details: 'the server is shutting down' })
    })
  },
  { name: 'agents', dependencies: ['machines', 'auth'] },
)
