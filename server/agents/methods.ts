import { isIP } from 'node:net'
import type { Auth } from '../auth/auth.ts'
import type { HostAddresses } from '../machines/hosts/host.ts'
import type { Machines } from '../machines/machines.ts'
import type { ServerTransfers } from '../machines/serverTransfers.ts'
import { AgentRefusal } from './agentRefusal.ts'
import type { AgentSession, AgentSessions } from './agentSessions.ts'
import { type AgentIdentity, authenticateAgent } from './authenticateAgent.ts'
import type { GrpcCall } from './grpc/grpcCall.ts'
import { type GeoIp, geoIpMessage, hostMessage, receiptMessage, uint64ReceiptMessage } from './grpc/nezhaService.ts'

interface MethodServices {
  auth: Auth
  machines: Machines
  transfers: ServerTransfers
  sessions: AgentSessions
  /** Milliseconds since 1970. */
  startedAt: number
  /** A machine that is not in the list yet. @returns the id of its new row @throws AgentRefusal */
  register(uuid: string, userId: number): number
}

type Handler = (call: GrpcCall, session: AgentSession, identity: AgentIdentity) => void

/** What agents call, by path (docs/contract/AGENT.md#3-calls-and-their-order). */
export function agentMethods(services: MethodServices): ReadonlyMap<string, (call: GrpcCall) => void> {
  const startSeconds = Math.floor(services.startedAt / 1000)

  function authenticated(handler: Handler): (call: GrpcCall) => void {
    return (call) => {
      try {
        const identity = authenticateAgent(call, services)
        call.connection.authenticated()
        handler(call, services.sessions.of(identity.uuid), identity)
      } catch (error) {
        if (!(error instanceof AgentRefusal)) throw error
        call.end(error.status)
      }
    }
  }

  const handlers: Record<string, Handler> = {
    ReportSystemInfo: (call, session) =>
      unary(call, (bytes) => {
        session.host.receiveHost(hostMessage.decode(bytes))
        return receiptMessage.encode({ proced: true })
      }),
    ReportSystemInfo2: (call, session) =>
      unary(call, (bytes) => {
        session.host.receiveHost(hostMessage.decode(bytes))
        return uint64ReceiptMessage.encode({ data: startSeconds })
      }),
    ReportGeoIP: (call, session, { address }) =>
      unary(call, (bytes) => {
        session.host.receiveAddresses(readAddresses(geoIpMessage.decode(bytes), address || call.connection.address))
        return geoIpMessage.encode({ dashboard_boot_time: startSeconds })
      }),
    ReportSystemState: (call, session) => session.openStateStream(call),
    RequestTask: (call, session) => session.openTaskStream(call),
    IOStream: (call, session) => session.openIoStream(call),
  }
  return new Map(
    Object.entries(handlers).map(([name, handler]) => [`/proto.NezhaService/${name}`, authenticated(handler)]),
  )
}

/** Answers the only message of a call. */
function unary(call: GrpcCall, answer: (bytes: Uint8Array) => Uint8Array): void {
  call.onMessage((bytes) => {
    call.send(answer(bytes))
    call.end()
  })
}

/** @param fallback the address of the connection, for an agent that found none */
function readAddresses({ ip }: GeoIp, fallback: string): HostAddresses {
  const ipv4_addr = isIP(ip?.ipv4 ?? '') === 4 ? ip?.ipv4 : undefined
  const ipv6_addr = isIP(ip?.ipv6 ?? '') === 6 ? ip?.ipv6 : undefined
  if (ipv4_addr ?? ipv6_addr) return { ip: { ipv4_addr, ipv6_addr } }
  return { ip: isIP(fallback) === 6 ? { ipv6_addr: fallback } : { ipv4_addr: fallback } }
}
