import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { errorMessage } from '../../src/domain/errors.ts'
import { roles } from '../../src/schemas/define/access.ts'
import { agentSecretEndpoints } from '../../src/schemas/endpoints/agentSecretEndpoints.ts'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import { server } from '../../src/schemas/server.ts'
import type { Auth } from '../auth/auth.ts'
import { agentSecretHash } from '../auth/users/furtherAgentSecrets.ts'
import { generateAgentSecret } from '../auth/users/users.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { checkRecordQuota } from '../entities/memberQuota.ts'
import { addAuditDetails, auditTarget, route } from '../http/routes/route.ts'
import type { Log } from '../log.ts'
import type { Machines } from '../machines/machines.ts'
import { ApiError, timestamp } from '../wire/apiCall.ts'
import { readTexts } from '../wire/readFields.ts'
import { AgentRefusal } from './agentRefusal.ts'
import { type AgentSecrets, openAgentSecrets } from './agentSecrets.ts'
import { type AgentSessions, createAgentSessions } from './agentSessions.ts'
import { watchAgentVersions } from './agentVersions.ts'
import { type AuthenticationServices, nobody } from './authenticateAgent.ts'
import { createGrpcServer } from './grpc/grpcServer.ts'
import { grpcCodes } from './grpc/grpcStatus.ts'
import { agentMethods, inTurn, refuseWhenLate } from './methods.ts'
import { createRemoteCalls } from './nodes/remoteCalls.ts'
import { createSecretLimits } from './secretLimits.ts'
import { openTurnedAwayAgents, type TurnedAwayAgents } from './turnedAwayAgents.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** How many agents are connected. */
    connectedAgents(): number
    /** Takes a link of another node, on which it tells of its agents in this version of what is said. */
    acceptNode(socket: Socket, protocol: number): void
  }
}

interface AgentsOptions {
  store: Store
  log: Log
  /** The clock, in milliseconds since 1970. */
  now: () => number
  /** Warns the operator without filling the log. */
  warnRarely: (text: string, kind: string) => void
  /** Milliseconds that an agent has to open a stream that it was asked for. Default: 10,000. */
  agentStreamMs?: number
}

/** Takes the reports of agents, and makes each a machine (docs/contract/AGENT.md). */
export const agentsPlugin = fp(
  async (app: FastifyInstance, { store, log, now, warnRarely, agentStreamMs }: AgentsOptions) => {
    const { auth, machines, serverTransfers: transfers, load } = app
    const sessions = createAgentSessions({
      machines,
      load,
      now,
      attachTimeoutMs: agentStreamMs,
      whenDurable: store.whenDurable,
    })
    app.decorate('connectedAgents', sessions.connectedCount)
    const secrets = openAgentSecrets(store, (error) =>
      log.error('Which agents use which secret could not be saved:', error),
    )
    const turnedAway = openTurnedAwayAgents(store, now)
    const servers = entityTable(store, server)

    const stopWatching = watchAgentVersions({ machines, servers, audit: app.audit, now })
    app.addHook('onClose', async () => stopWatching())

    const limits = createSecretLimits({
      machinesOf: (userId) => (userId === nobody ? 1 : servers.count({ user_id: userId })),
      onRefusal: warnRarely,
    })

    function checkQuota(userId: number): void {
      try {
        const teams = new Set(app.auth.teams.of(userId).map(({ id }) => id))
        const recordsPerMember = app.recordsPerMember()
        checkRecordQuota({ entity: server, table: servers, userId, maker: { id: userId, teams }, recordsPerMember })
      } catch (error) {
        throw new AgentRefusal(errorMessage(error), grpcCodes.resourceExhausted)
      }
    }

    const register: AuthenticationServices['register'] = ({ uuid, user, address }) => {
      if (turnedAway.has(uuid)) {
        turnedAway.called(uuid, address)
        throw new AgentRefusal(
          'the server of this agent was deleted in the console, where the agent can be let in again',
          grpcCodes.permissionDenied,
        )
      }
      refuseWhenLate(load)
      if (user.role !== roles.admin) checkQuota(user.id)
      limits.countNewMachine({ uuid, userId: user.id })
      return machines.register(uuid, '', user.id)
    }

    const onError = (error: unknown) => log.error('A call of an agent failed:', error)
    const methods = agentMethods({
      auth,
      machines,
      transfers,
      secrets,
      sessions,
      limits,
      load,
      register,
      countries: app.addressDatabase,
      startedAt: now(),
    })
    const { agentWork: work } = load
    const { whenShown } = store
    const grpc = createGrpcServer({ methods: inTurn(methods, { work, onError }), onError, work, whenShown })
    app.dispatch.acceptHttp2(grpc.accept)
    const remote = createRemoteCalls({ methods, onError, work, whenShown })
    app.decorate('acceptNode', remote.accept)
    registerAgentRoutes(app, { auth, machines, sessions, secrets, turnedAway, now })

    const stopListening = machines.onForget((deleted) => {
      // A machine without an agent, such as that of this server, goes on reporting and gets a new row.
      const agents = deleted.flatMap(({ row: { uuid, name, user_id = 0 }, host }) => {
        const isAgent = typeof uuid === 'string' && uuid !== '' && (!host || sessions.find(uuid)?.host === host)
        return isAgent ? [{ uuid, name: String(name ?? ''), user_id }] : []
      })
      turnedAway.add(agents)
      secrets.remove(agents.map(({ uuid }) => uuid))
      for (const { uuid } of agents)
        sessions.end(uuid, { code: grpcCodes.permissionDenied, details: 'the server of this agent was deleted' })
    })

    app.addHook('preClose', async () => {
      stopListening()
      sessions.stop()
      remote.close()
      grpc.close({ code: grpcCodes.unavailable, details: 'the server is shutting down' })
      secrets.close()
    })
  },
  { name: 'agents', dependencies: ['machines', 'site', 'audit'] },
)

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
function registerAgentRoutes(app: FastifyInstance, services: RouteServices): void {
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
