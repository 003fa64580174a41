import { isIP } from 'node:net'
import type { AddressDatabase } from '../auth/addresses/addressDatabase.ts'
import type { Load } from '../concurrency/load.ts'
import type { HostAddresses } from '../machines/hosts/host.ts'
import { AgentRefusal } from './agentRefusal.ts'
import type { AgentSession } from './agentSession.ts'
import type { AgentSessions } from './agentSessions.ts'
import { type AgentIdentity, type AuthenticationServices, authenticateAgent } from './authenticateAgent.ts'
import { handleInTurn } from './callInTurn.ts'
import type { GrpcCall } from './grpc/grpcCall.ts'
import { grpcCodes } from './grpc/grpcStatus.ts'
import {
  type GeoIp,
  geoIpMessage,
  pathOf,
  receiptMessage,
  sessionPath,
  uint64ReceiptMessage,
} from './grpc/nezhaService.ts'
import { maxReportBytes, readHost } from './grpc/readReports.ts'
import type { SecretLimits } from './secretLimits.ts'

interface MethodServices extends AuthenticationServices {
  limits: SecretLimits
  sessions: AgentSessions
  countries: Pick<AddressDatabase, 'countryOf'> | undefined
  /** Milliseconds since 1970. */
  startedAt: number
  load: Pick<Load, 'agentWork'>
}

/**
 * Milliseconds: when agents wait longer, no further ones are taken. Agents of some versions connect again when they have
 * no receipt within ten seconds (docs/contract/AGENT.md#11-older-agents).
 */
const longestWaitMs = 6000

type Handler = (call: GrpcCall, session: AgentSession, identity: AgentIdentity) => void

/** @throws AgentRefusal while agents that are here wait long enough already */
export function refuseWhenLate({ agentWork }: Pick<Load, 'agentWork'>): void {
  if (agentWork.waitedMs() > longestWaitMs)
    throw new AgentRefusal('the server has too much to do: try again later', grpcCodes.unavailable)
}

/** Handlers by path. */
export type AgentMethods = ReadonlyMap<string, (call: GrpcCall) => void>

/** What agents call (docs/contract/AGENT.md#3-calls-and-their-order). */
export function agentMethods(services: MethodServices): AgentMethods {
  const dashboard_boot_time = Math.floor(services.startedAt / 1000)

  function authenticated(handler: Handler): (call: GrpcCall) => void {
    return (call) => {
      try {
        const identity = authenticateAgent(call, services)
        if (!services.sessions.find(identity.uuid)?.isConnected()) refuseWhenLate(services.load)
        services.limits.countCall(identity, call)
        call.connection.authenticated()
        handler(call, services.sessions.of(identity), identity)
      } catch (error) {
        if (!(error instanceof AgentRefusal)) throw error
        call.end(error.status)
      }
    }
  }

  function reportHost(call: GrpcCall, session: AgentSession, receipt: Uint8Array): void {
    unary(call, (bytes) => {
      session.receiveHost(call, readHost(bytes))
      return receipt
    })
  }

  const addressOf = (call: GrpcCall, { address }: AgentIdentity) => address || call.connection.address

  const handlers: Record<string, Handler> = {
    ReportSystemInfo: (call, session) => reportHost(call, session, receiptMessage.encode({ proced: true })),
    ReportSystemInfo2: (call, session) =>
      reportHost(call, session, uint64ReceiptMessage.encode({ data: dashboard_boot_time })),
    ReportGeoIP: (call, session, identity) =>
      unary(call, (bytes) => {
        const message = geoIpMessage.decode(bytes)
        const { ip } = readAddresses(message, addressOf(call, identity))
        const located = (message.use6 ? ip.ipv6_addr : undefined) ?? ip.ipv4_addr ?? ip.ipv6_addr ?? ''
        const country_code = services.countries?.countryOf(located) ?? ''
        session.receiveAddresses(call, { ip, country_code })
        return geoIpMessage.encode({ country_code, dashboard_boot_time })
      }),
    ReportSystemState: (call, session, identity) => session.openStateStream(call, addressOf(call, identity)),
    RequestTask: (call, session, identity) => session.openTaskStream(call, addressOf(call, identity)),
    IOStream: (call, session) => session.openIoStream(call),
  }
  return new Map(Object.entries(handlers).map(([name, handler]) => [pathOf(name), authenticated(handler)]))
}

/** The same for calls of this server's own connections: each waits for its turn. */
export function inTurn(methods: AgentMethods, queue: Parameters<typeof handleInTurn>[1]): AgentMethods {
  return new Map(
    [...methods].map(([path, handle]) => [
      path,
      // A session stream is for somebody who waits for it.
      path === sessionPath ? handle : (call) => handleInTurn(call, queue, handle),
    ]),
  )
}

/** Milliseconds for the only message of a call to come: agents wait as long for the answer. */
const unaryMs = 10_000

/** Answers the only message of a call. */
function unary(call: GrpcCall, answer: (bytes: Uint8Array) => Uint8Array): void {
  const timer = setTimeout(() => call.end(noMessage), unaryMs)
  call.onClose(() => clearTimeout(timer))
  call.onMessage((bytes) => {
    call.send(answer(bytes))
    call.end()
  }, maxReportBytes)
}

const noMessage = { code: grpcCodes.unknown, details: 'no message for too long' }

/** @param fallback the address of the connection, for an agent that found none */
function readAddresses({ ip }: GeoIp, fallback: string): HostAddresses {
  const ipv4_addr = isIP(ip?.ipv4 ?? '') === 4 ? ip?.ipv4 : undefined
  const ipv6_addr = isIP(ip?.ipv6 ?? '') === 6 ? ip?.ipv6 : undefined
  if (ipv4_addr ?? ipv6_addr) return { ip: { ipv4_addr, ipv6_addr } }
  return { ip: isIP(fallback) === 6 ? { ipv6_addr: fallback } : { ipv4_addr: fallback } }
}
