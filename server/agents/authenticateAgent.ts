import type { IncomingHttpHeaders } from 'node:http2'
import { errorMessage } from '../../src/domain/errors.ts'
import { server } from '../../src/schemas/server.ts'
import { usePeerAddress } from '../../src/schemas/settings/siteSetting.ts'
import { isProxyHeaderUnread, readClientAddress } from '../auth/addresses/clientAddress.ts'
import type { Auth } from '../auth/auth.ts'
import type { User } from '../auth/users/users.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Machines } from '../machines/machines.ts'
import type { ServerTransfers } from '../machines/serverTransfers.ts'
import { teamOfOwner } from '../person.ts'
import { readSite } from '../site/site.ts'
import { AgentRefusal } from './agentRefusal.ts'
import type { AgentSecrets } from './agentSecrets.ts'
import type { GrpcCall } from './grpc/grpcCall.ts'
import { grpcCodes } from './grpc/grpcStatus.ts'

/** Who makes a call. */
export interface AgentIdentity {
  uuid: string
  /** The id of the machine's row. */
  serverId: number
  /** Whose secret the agent has; 0 when it has one of its own. */
  userId: number
  /** The agent's address, by the site's settings; '' when it is not known. */
  address: string
}

export interface AuthenticationServices {
  auth: Auth
  machines: Machines
  transfers: Pick<ServerTransfers, 'acceptsSecret' | 'isPendingFrom' | 'hasOwnSecret' | 'ownerConnected'>
  secrets: AgentSecrets
  /** A machine that is not in the list yet. @returns the id of its new row @throws AgentRefusal */
  register(agent: { uuid: string; user: User; address: string }): number
}

/**
 * Finds out whose agent makes a call; a machine that calls for the first time gets a row
 * (docs/contract/AGENT.md#2-authentication-and-first-contact).
 * @throws AgentRefusal
 */
export function authenticateAgent(call: GrpcCall, services: AuthenticationServices): AgentIdentity {
  const { auth, machines, transfers, secrets, register } = services
  const { waf, users, furtherSecrets, store } = auth
  const address = addressOf(call, auth)
  if (waf.isBlockedByAdmin(address)) throw blocked()
  const secret = credential(call.metadata, 'client-secret', 'client_secret')
  if (secret === '') throw new AgentRefusal('客户端认证失败')
  const uuid = credential(call.metadata, 'client-uuid', 'client_uuid')
  // After the secret: a right one cannot be guessed, and good agents share their address with bad ones.
  const offend = (details: string) => {
    if (waf.blockFor(address, { kind: 'agent' })) return blocked()
    waf.recordFailure(address, { kind: 'agent' })
    return new AgentRefusal(details)
  }
  if (!uuidPattern.test(uuid)) throw offend('客户端 UUID 不合法')
  const knownId = machines.idOf(uuid)
  const row = knownId === undefined ? undefined : entityTable(store, server).get(knownId)
  if (row && transfers.acceptsSecret(row.id, secret)) {
    waf.clearAgentFailures(address)
    secrets.used(uuid, nobody)
    return { uuid, serverId: row.id, userId: nobody, address }
  }
  const user =
    users.all().find(({ agent_secret }) => agent_secret === secret) ??
    users.get(furtherSecrets.ownerOf(secret) ?? nobody)
  // An agent with the secret from before is no attacker, and must not get the address of its office blocked.
  // The server of a team goes on with the secret of the person who gave it, also when they are deleted, until its agent
  // has one of its own.
  const isOfTeam = row !== undefined && teamOfOwner(row.user_id) > 0 && !transfers.hasOwnSecret(row.id)
  if (!user && isOfTeam && row.made_by === furtherSecrets.ownerOf(secret)) {
    waf.clearAgentFailures(address)
    secrets.used(uuid, nobody)
    return { uuid, serverId: row.id, userId: nobody, address }
  }
  if (!user) throw secrets.isRetired(secret) ? new AgentRefusal('客户端认证失败') : offend('客户端认证失败')
  const isMaker = isOfTeam && row.made_by === user.id
  if (row && row.user_id !== user.id && !isMaker && !transfers.isPendingFrom(row.id, user.id))
    throw new AgentRefusal('client UUID does not belong to the agent secret owner')
  if (row && row.user_id === user.id) transfers.ownerConnected(row.id)
  waf.clearAgentFailures(address)
  const serverId = row?.id ?? register({ uuid, user, address })
  secrets.used(uuid, user.id)
  return { uuid, serverId, userId: user.id, address }
}

const blocked = () => new AgentRefusal('you were blocked by nezha WAF', grpcCodes.unknown)

/** The user id for agents with a secret of their own, such as those of servers that were moved. */
export const nobody = 0

const uuidPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Agents from 2.2.0 on send both names; some proxies drop names with an underscore. */
function credential(metadata: IncomingHttpHeaders, name: string, olderName: string): string {
  const value = metadata[name] ?? metadata[olderName]
  return ([value].flat()[0] ?? '').trim()
}

/** @throws AgentRefusal in the contract's words when the header of the settings is missing or holds no address */
function addressOf({ metadata, connection }: GrpcCall, { store }: Auth): string {
  const request = { headers: metadata, socket: { remoteAddress: connection.address } }
  const header = readSite(store).agent_real_ip_header || usePeerAddress
  // All agents behind a proxy would share its address: one wrong secret would block them all.
  if (isProxyHeaderUnread(request, header)) return ''
  try {
    return readClientAddress(request, header)
  } catch (error) {
    throw new AgentRefusal(errorMessage(error), grpcCodes.unknown)
  }
}
