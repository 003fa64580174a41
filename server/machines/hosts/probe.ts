/** One question to a service: is it there, and how quickly? */
export interface Check {
  type: 'http' | 'icmp' | 'tcp'
  /** A web address, a host, or `host:port`. */
  target: string
}

export interface ProbeOptions {
  /** The answer is there by then. */
  timeoutMs: number
  /** Whether the target may lie behind the machine: in a private network, or be the machine itself. */
  allowPrivate: boolean
  /** Gives up; how it went is of no interest any more. */
  signal?: AbortSignal
}

export type ProbeResult =
  | { outcome: 'up' /** Milliseconds. */; delay: number; certificate?: Certificate }
  | { outcome: 'down'; problem: string; certificate?: Certificate }
  /** It could not be asked: nothing is known about the service. */
  | { outcome: 'not permitted'; problem: string }

/** Of a target that was asked by TLS, good or not. */
export interface Certificate {
  issuer: string
  /** Milliseconds since 1970. */
  expiresAt: number
}
