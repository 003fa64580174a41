import type { FastifyInstance } from 'fastify'
import { agentSecretEndpoints } from '../../src/schemas/endpoints/agentSecretEndpoints.ts'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import { server } from '../../src/schemas/server.ts'
import type { Auth } from '../auth/auth.ts'
import { agentSecretHash } from '../auth/users/furtherAgentSecrets.ts'
import { generateAgentSecret } from '../auth/users/users.ts'
import { entityTable } from '../entities/entityTable.ts'
import { addAuditDetails, auditTarget, route } from '../http/routes/route.ts'
import type { Machines } from '../machines/machines.ts'
import { ApiError, timestamp } from '../wire/apiCall.ts'
import { readTexts } from '../wire/readFields.ts'
import type { AgentSecrets } from './agentSecrets.ts'
import type { AgentSessions } from './agentSessions.ts'
import { grpcCodes } from './grpc/grpcStatus.ts'
import type { TurnedAwayAgents } from './turnedAwayAgents.ts'

interface RouteServices {
  auth: Auth
  machines: Machines
  sessions: AgentSessions
  secrets: AgentSecrets
  turnedAway: TurnedAwayAgents
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** Calls about agents: who may register again, and the secret with which they come. */
export function registerAgentRoutes(app: FastifyInstance, services: RouteServices): void {
  const { auth, machines, sessions, secrets, turnedAway, now } = services
  const servers = entityTable(auth.store, server)

  route(app, 'turnedAwayAgents', endpoints.turnedAwayAgents, ({ person }) => turnedAway.list(person))

  route(app, { name: 'admitAgents', audit: 'agent.admit' }, endpoints.admitAgents, readTexts, (request) => {
    const admitted = turnedAway.admit(request.body, request.person)
    addAuditDetails(request, { target: auditTarget('agent', admitted) })
  })

  route(app, 'agentsOfSecret', agentSecretEndpoints.agentsOfSecret, ({ person }) =>
    secrets.uuidsOf(person?.id ?? 0).flatMap((uuid) => {
      const row = servers.get(machines.idOf(uuid) ?? 0)
      return row ? [{ server_id: row.id, name: String(row.name), online: machines.connected(row) !== undefined }] : []
    }),
  )

  route(
    app,
    { name: 'renewAgentSecret', audit: 'profile.agent-secret' },
    agentSecretEndpoints.renewAgentSecret,
    ({ person }) => {
      const user = auth.users.get(person?.id ?? 0)
      if (!user) throw new ApiError('permission denied')
      const agent_secret = generateAgentSecret()
      auth.store.urgently(() => {
        secrets.retire([agentSecretHash(user.agent_secret), ...auth.furtherSecrets.removeUsers([user.id])])
        auth.users.update(user.id, { agent_secret, updated_at: timestamp(now()) })
      })
      sessions.endOfUser(user.id, { code: grpcCodes.unauthenticated, details: 'the secret of this agent was renewed' })
      return { agent_secret }
    },
  )
}
