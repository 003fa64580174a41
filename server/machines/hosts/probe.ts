import type { CheckReason } from '../../../src/schemas/endpoints/checkEndpoints.ts'
import type { CheckPhases } from '../../../src/schemas/endpoints/serviceHistory.ts'
import type { ChainLink } from '../../outbound/openTls.ts'

/** One check of a service (docs/contract/CONTRACT.md#511-services). */
export interface Check {
  type: 'http' | 'icmp' | 'tcp'
  /** `http`: a URL. `icmp`: a host name or address. `tcp`: `host:port`. */
  target: string
}

export interface ProbeOptions {
  /** Milliseconds after which the check has failed. */
  timeoutMs: number
  /** Whether the target may be in a private network, or be the machine itself. */
  allowPrivate: boolean
  /** Aborts the check; its result is then meaningless. */
  signal?: AbortSignal
}

/**
 * Problems are messages for people, in the words of real agents where there are any. What is `isCertain` counts at once:
 * no lost packet can be its reason.
 */
export type ProbeResult =
  | ({ outcome: 'up' /** Milliseconds. */; delay: number; certificate?: Certificate; isCertain?: true } & ProbeDetails)
  | ({
      outcome: 'down'
      problem: string
      certificate?: Certificate
      failure?: ProbeFailure
      isCertain?: true
    } & ProbeDetails)
  /** The machine could not check; the status of the service is unknown. */
  | { outcome: 'not permitted'; problem: string }

/** More about a check of a service's own. */
interface ProbeDetails {
  /** How long its parts took. */
  phases?: CheckPhases
  /** The certificates that were sent, host by host, that of the host first. */
  chain?: readonly ChainLink[]
}

/** More about a check that has failed. */
export interface ProbeFailure {
  reason: CheckReason
  /** A status code of the protocol. */
  code?: number
  /** The beginning of what was answered, without the secrets of the check. */
  answer?: string
}

/** The TLS certificate of the target, valid or not. */
export interface Certificate {
  issuer: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

/** How many pings, and with how many bytes in each. */
export interface Pings {
  packets: number
  size: number
}
