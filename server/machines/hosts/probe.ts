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

/** Problems are messages for people, in the words of real agents where there are any. */
export type ProbeResult =
  | { outcome: 'up' /** Milliseconds. */; delay: number; certificate?: Certificate }
  | { outcome: 'down'; problem: string; certificate?: Certificate }
  /** The machine could not check; the status of the service is unknown. */
  | { outcome: 'not permitted'; problem: string }

/** The TLS certificate of the target, valid or not. */
export interface Certificate {
  issuer: string
  /** Milliseconds since 1970. */
  expiresAt: number
}
