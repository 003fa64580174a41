import { errorCause } from '../../../src/domain/errors.ts'
import type { MachineCheck } from '../../../src/schemas/checks/checks.ts'
import type { CheckReason, CheckRule } from '../../../src/schemas/endpoints/checkEndpoints.ts'
import type { CheckPhases } from '../../../src/schemas/endpoints/serviceHistory.ts'
import { ChecksNotPermittedError, ConnectError, type Host, MachineGoneError } from '../../machines/hosts/host.ts'
import type { Certificate, ProbeResult } from '../../machines/hosts/probe.ts'
import { LookupError, TargetNotAllowedError } from '../../outbound/dial.ts'
import { failureCode } from '../../outbound/failureReason.ts'
import { TooManyRedirectsError } from '../../outbound/guardedRequest.ts'
import { type ChainLink, firstToExpire, type Peers } from '../../outbound/openTls.ts'
import { untilAborted } from '../../outbound/untilAborted.ts'
import { redactSecrets } from './parts/redact.ts'
import { CheckFailure, type Findings, type RunContext } from './parts/runner.ts'
import { runners } from './runners.ts'

/** A check that was run once. */
export interface CheckResult {
  state: 'up' | 'down' | 'not_permitted'
  /** Absent for one that is up. */
  reason?: CheckReason
  phases: CheckPhases & { whole: number }
  code?: number
  /** What was asked, without the secrets of the check. */
  request?: string
  /** What was answered, without them. */
  answer?: string
  /** Of those that were seen, the one that expires first. */
  certificate?: Certificate
  /** Those of each host, that of the host first. */
  chain?: readonly ChainLink[]
  rules: readonly CheckRule[]
}

export interface RunOptions {
  /** Milliseconds after which the check has failed. */
  timeoutMs: number
  /** Whether the target may be in a private network of this server. */
  allowPrivate: boolean
  /** What requests say who they are. Default: a browser, honest about who asks. */
  userAgent?: string
  /** Aborts the check; its result is then meaningless. */
  signal?: AbortSignal
  /** Characters of an answer. */
  maxAnswer?: number
}

/** What a check needs of a machine. */
export type CheckingHost = Pick<Host, 'dial' | 'exchange' | 'ping' | 'probe'>

/** Milliseconds that a check has after its deadline to say what has come until then. */
const lastWordsMs = 250
const usualAnswer = 4096
const usualUserAgent = 'Mozilla/5.0 (compatible; Wheelhouse)'
/** These say that the machine could not check, and nothing of the service. */
const withoutPermission = new Set(['disable_nat', 'disable_send_query', 'target_not_allowed', 'busy', 'no_ping'])

/**
 * Runs a check once, from a machine. Never rejects.
 * @returns `undefined` when the machine has gone before it knew
 */
export async function runCheck(
  check: MachineCheck,
  target: string,
  host: CheckingHost,
  options: RunOptions,
): Promise<CheckResult | undefined> {
  const { timeoutMs, allowPrivate, maxAnswer = usualAnswer } = options
  const userAgent = options.userAgent || usualUserAgent
  const timeout = AbortSignal.timeout(timeoutMs)
  const given = options.signal ? [options.signal] : []
  const signal = AbortSignal.any([timeout, ...given])
  const end = AbortSignal.any([AbortSignal.timeout(timeoutMs + lastWordsMs), ...given])
  const phases: CheckPhases = {}
  const peers: Peers = new Map()
  const requests: string[] = []
  const startedAt = performance.now()
  const { exchange, ping } = host
  const context: RunContext = {
    dial: (name, port, dialSignal) => host.dial(name, port, { allowPrivate, signal: dialSignal }),
    ...(exchange && {
      exchange: (name, port, bytes, isAnswer) => exchange(name, port, bytes, { allowPrivate, signal, isAnswer }),
    }),
    ...(ping && { ping: (name, pings) => ping(name, pings, { timeoutMs, allowPrivate, signal }) }),
    connects: async (port) =>
      findingsOfProbe(await host.probe({ type: 'tcp', target: port }, { timeoutMs, allowPrivate, signal })),
    userAgent,
    signal,
    phases,
    peers,
    requests,
  }
  const found = await untilAborted(runners[check.kind](check as never, target, context), end).catch((error: unknown) =>
    findingsOf(error, timeout.aborted),
  )
  if (!found) return undefined
  const certificate = firstToExpire(peers)
  const { rules = [], code, answer, latency: whole = performance.now() - startedAt } = found
  const reason = found.reason ?? reasonOf(rules)
  const redact = redactSecrets(check)
  return {
    state: reason === undefined ? 'up' : withoutPermission.has(reason.key) ? 'not_permitted' : 'down',
    ...(reason && { reason: redactedReason(reason, redact) }),
    phases: { ...phases, whole },
    ...(code !== undefined && { code }),
    ...(requests.length > 0 && { request: redact(requests.join('\n\n')).slice(0, maxAnswer) }),
    ...(answer !== undefined && { answer: redact(answer.slice(0, 2 * maxAnswer)).slice(0, maxAnswer) }),
    ...(certificate && { certificate, chain: [...peers.values()].flatMap(({ chain }) => chain) }),
    rules: rules.map((rule) => ({ ...rule, ...(rule.found !== undefined && { found: redact(rule.found) }) })),
  }
}

/** What the machine's own check says. @throws MachineGoneError */
function findingsOfProbe(result: ProbeResult | undefined): Findings {
  if (!result) throw new MachineGoneError()
  if (result.outcome === 'up') return {}
  return {
    reason:
      result.outcome === 'down'
        ? { key: 'said', values: { said: result.problem } }
        : { key: 'disable_send_query', values: {} },
  }
}

function findingsOf(error: unknown, isTimeout: boolean): Findings | undefined {
  const causes = [...causesOf(error)]
  if (causes.some((cause) => cause instanceof MachineGoneError)) return undefined
  if (error instanceof CheckFailure) return { ...error.findings, reason: error.reason }
  return { reason: failureKey(error, isTimeout) ?? { key: 'failed', values: {} } }
}

/** The first rule that is not fulfilled. */
function reasonOf(rules: readonly CheckRule[]): CheckReason | undefined {
  const broken = rules.find(({ ok }) => !ok)
  if (!broken) return undefined
  const { rule, expected, found = '' } = broken
  return {
    key: found ? `rule_${rule}` : `rule_${rule}_nothing`,
    values: { expected: expected.slice(0, 200), found: found.slice(0, 200) },
  }
}

const redactedReason = ({ key, values }: CheckReason, redact: (text: string) => string): CheckReason => ({
  key,
  values: Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? redact(value) : value]),
  ),
})

/** The reason why a check could not be made or has failed, by what was thrown. `undefined` for an error of this program. */
function failureKey(error: unknown, isTimeout: boolean): CheckReason | undefined {
  for (const cause of causesOf(error)) {
    if (cause instanceof ChecksNotPermittedError) return reason(cause.reason)
    if (cause instanceof TargetNotAllowedError) return reason('target_not_allowed')
  }
  if (isTimeout) return reason('timeout')
  for (const cause of causesOf(error)) {
    if (cause instanceof TooManyRedirectsError) return reason('redirects')
    if (cause instanceof LookupError) return reason(cause.code === 'ENOTFOUND' ? 'no_host' : 'lookup')
    const code = failureCode(cause)
    const key = keys[code] ?? patterns.find(([pattern]) => pattern.test(code))?.[1]
    if (key) return reason(key)
    if (cause instanceof ConnectError) return reason('unreachable')
  }
  return undefined
}

/** An error, its cause, and so on. */
function* causesOf(error: unknown): Iterable<unknown> {
  for (let cause = error; cause; cause = errorCause(cause)) yield cause
}

const reason = (key: string): CheckReason => ({ key, values: {} })

const keys: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ECONNABORTED: 'reset',
  ERR_CLOSED_WITHOUT_REPLY: 'closed',
  ERR_STREAM_PREMATURE_CLOSE: 'closed',
  ETIMEDOUT: 'timeout',
  ABORT_ERR: 'timeout',
  ENOTFOUND: 'no_host',
  EAI_AGAIN: 'lookup',
  EHOSTUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENETDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EMFILE: 'busy',
  ENFILE: 'busy',
  CERT_HAS_EXPIRED: 'certificate_expired',
  CERT_NOT_YET_VALID: 'certificate_early',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate_name',
  HOSTNAME_MISMATCH: 'certificate_name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate_self_signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate_self_signed',
  ERR_SSL_WRONG_VERSION_NUMBER: 'no_tls',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'no_tls',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'tls_version',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'tls_version',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'certificate_asked',
  ERR_NO_HTTP2: 'no_http2',
  ERR_PROXY_REFUSED: 'proxy',
  HPE_HEADER_OVERFLOW: 'head_too_long',
  HPE_UNEXPECTED_CONTENT_LENGTH: 'two_lengths',
}

const patterns: readonly (readonly [RegExp, string])[] = [
  [/NO_APPLICATION_PROTOCOL$/, 'no_http1'],
  [/CERT|^UNABLE_TO_|^INVALID_CA$|^PATH_LENGTH_EXCEEDED$|^INVALID_PURPOSE$/, 'certificate_untrusted'],
  [/^ERR_(SSL|TLS|OSSL)_|^EPROTO$/, 'tls'],
  [/^HPE_/, 'no_http'],
  [/^ERR_HTTP2_/, 'no_http2'],
  [/^(ERR_INVALID_CHAR|ERR_INVALID_HTTP_TOKEN|ERR_HTTP_INVALID_HEADER_VALUE)$/, 'bad_header'],
]
