/**
 * Why something is down, for visitors: what a check or machine says may name addresses and programs, so only its kind
 * is shown.
 */
export type IncidentCause =
  | { kind: 'timeout' | 'refused' | 'name' | 'unreachable' | 'certificate' | 'offline' | 'unknown' }
  /** A page that answers with an error. */
  | { kind: 'status'; code: number }

type SimpleKind = Exclude<IncidentCause['kind'], 'status'>

/** Words of this server, of agents (which are Go programs) and of the ping commands; the first that fits counts. */
const kinds: readonly (readonly [RegExp, SimpleKind])[] = [
  [/certificate|x509|\btls\b/i, 'certificate'],
  [/timeout|timed out|deadline exceeded|no reply|answered after|time limit/i, 'timeout'],
  [/refused|reset by peer|closed without a reply|ECONNRESET/i, 'refused'],
  [
    /no such host|server misbehaving|cannot be looked up|unknown host|ENOTFOUND|name or service not known|not resolve/i,
    'name',
  ],
  [/unreachable|no route to host|EHOSTUNREACH|ENETUNREACH/i, 'unreachable'],
]

/** Names and addresses, whose words say nothing about the cause: `"https://timeout.example"`, `tcp 192.0.2.1:443`. */
const targets = /"[^"]*"|\b(?:ping6?|lookup|tcp) \S+|\S*[.:@/]\S*\w/g

/** @param problem what the check that decided said (`Outage.problem`) */
export function causeOfOutage(problem: string): IncidentCause {
  const [, code] = /^([1-5]\d\d)(?!\d)/.exec(problem) ?? []
  if (code) return { kind: 'status', code: Number(code) }
  const words = problem.replaceAll(targets, '')
  return { kind: kinds.find(([pattern]) => pattern.test(words))?.[1] ?? 'unknown' }
}
