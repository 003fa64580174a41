import type { MachineCheck } from '../../../src/schemas/checks/checks.ts'
import type { CheckReason, CheckRule } from '../../../src/schemas/endpoints/checkEndpoints.ts'
import type { CheckPhases } from '../../../src/schemas/endpoints/checkPhases.ts'
import { type Host, MachineGoneError } from '../../machines/hosts/host.ts'
import type { Certificate, ProbeResult } from '../../machines/hosts/probe.ts'
import { type ChainLink, firstToExpire, type Peers } from '../../outbound/peers.ts'
import { untilAborted } from '../../outbound/untilAborted.ts'
import { causesOf, failureKey } from './failureKey.ts'
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
