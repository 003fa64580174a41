import type { CheckKindName, CheckOf } from '../../../../src/schemas/checks/checks.ts'
import type { CheckReason, CheckRule } from '../../../../src/schemas/endpoints/checkEndpoints.ts'
import type { CheckPhases } from '../../../../src/schemas/endpoints/serviceHistory.ts'
import type { Host } from '../../../machines/hosts/host.ts'
import type { Pings } from '../../../machines/hosts/probe.ts'
import type { Dial } from '../../../outbound/dial.ts'
import type { Peers } from '../../../outbound/openTls.ts'

/** What a check goes through, and how long it may take. */
export interface RunContext {
  /** Opens connections, from the machine that checks. */
  dial: Dial
  /**
   * Sends a datagram and waits for its answer; absent where the machine cannot.
   * @param isAnswer whether what came is the answer
   */
  exchange?: (host: string, port: number, bytes: Uint8Array, isAnswer: (bytes: Buffer) => boolean) => Promise<Buffer>
  /** Whether a port takes connections, as the machine itself says. */
  connects: (target: string) => Promise<Findings>
  /** Sends pings; absent where the machine cannot. */
  ping?: (host: string, pings: Pings) => ReturnType<NonNullable<Host['ping']>>
  /** What requests say who they are. */
  userAgent: string
  /** The deadline. */
  signal: AbortSignal
  /** Is given what each part took, also by a check that fails. */
  phases: CheckPhases
  /** Is given the certificates of each host, also by a check that fails. */
  peers: Peers
  /** Is given what is asked as text, where that is more than the check says, also by a check that fails. */
  requests: string[]
}

/** What a check found out. */
export interface Findings {
  /** Why it has failed, where no rule says so. */
  reason?: CheckReason
  /** What was asked of the answer; the first that is not fulfilled is the reason why the check has failed. */
  rules?: readonly CheckRule[]
  /** A status code of the protocol. */
  code?: number
  /** What was answered, as text. */
  answer?: string
  /** Milliseconds that count as the latency, where that is not how long the check took. */
  latency?: number
}

/**
 * Runs a kind of check once.
 * @param target of its service, in the form that the kind asks for
 * @throws an error of the connection or of `dial`; CheckFailure
 */
export type Runner<Kind extends CheckKindName> = (
  check: CheckOf<Kind>,
  target: string,
  context: RunContext,
) => Promise<Findings>

/** A check has failed for a reason that no rule says. */
export class CheckFailure extends Error {
  readonly reason: CheckReason
  readonly findings: Omit<Findings, 'reason'>

  constructor(key: string, values: CheckReason['values'] = {}, findings: Omit<Findings, 'reason'> = {}) {
    super(key)
    this.reason = { key, values }
    this.findings = findings
  }
}

/** What answered speaks another protocol. @param wanted the one of the check @param bytes what it has answered */
export const otherProtocol = (wanted: string, bytes: Buffer): CheckFailure =>
  new CheckFailure('other_protocol', { wanted }, { answer: bytes.toString('latin1', 0, 4096) })

/** @param said what the server says against it @param code of the protocol, if there is one */
export const refusedByServer = (said: string, code?: number): CheckFailure =>
  new CheckFailure(
    'refused_by_server',
    { said: said.slice(0, 200) },
    { answer: said, ...(code !== undefined && { code }) },
  )

/** What is read of the rows that a query gives: rows, and bytes of a value. */
export const rowLimits = { rows: 20, value: 2000 } as const

/** Rows as text, one on each line. */
export const rowsText = (rows: readonly (readonly (string | null)[])[]): string =>
  rows.map((row) => row.map((value) => value ?? 'NULL').join('\t')).join('\n')
