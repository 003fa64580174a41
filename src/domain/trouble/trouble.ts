import type { AlarmCause } from '../../schemas/alerts/alarmCause.ts'

/** How bad something is, the worst first. `silenced`: somebody knows, it is muted or in maintenance. */
export const severities = ['critical', 'alarm', 'warning', 'silenced'] as const
export type Severity = (typeof severities)[number]

interface TroubleBase {
  /** The same for as long as it lasts: `server 7`, `alarm 12`. */
  key: string
  severity: Severity
  /** What it is about: the name of a server, a service or an agent; empty for the console itself. */
  name: string
  /** When it began, ms since 1970 by the server's clock; absent where nobody has written it down. */
  since?: number
}

interface Offline {
  kind: 'server_offline'
  server_id: number
}

interface Alarm {
  kind: 'alarm'
  server_id: number
  rule_id: number
  rule_name: string
  causes: readonly AlarmCause[]
}

interface DiskFull {
  kind: 'disk_full'
  server_id: number
  /** Whole percent of all disks of the machine. */
  percent: number
}

interface TrafficUsed {
  kind: 'traffic_used'
  server_id: number
  /** Whole percent of what is included in the period. */
  percent: number
}

interface ContractEnd {
  kind: 'contract_end'
  server_id: number
  /** When the contract ends or has ended, ms since 1970. */
  expires_at: number
}

interface SharedUuid {
  kind: 'shared_uuid'
  server_id: number
  addresses: readonly string[]
}

interface Down {
  kind: 'service_down'
  service_id: number
  /** Why the latest check failed, as the server says it; empty where it does not say. */
  problem: string
}

interface Certificate {
  kind: 'certificate'
  service_id: number
  /** When the certificate runs out, ms since 1970. */
  expires_at: number
}

interface TurnedAway {
  kind: 'agent_turned_away'
  /** From where the agent called; empty where that is not known. */
  address: string
}

interface Undelivered {
  kind: 'undelivered'
  notification_id: number
  /** The reply to the last try; empty where there was none. */
  problem: string
}

interface OfConsole {
  kind: 'console'
  /** One of the server's warnings, as `GET /setting` names it. */
  warning: string
}

/** One thing that is wrong now. */
export type Trouble = TroubleBase &
  (
    | Offline
    | Alarm
    | DiskFull
    | TrafficUsed
    | ContractEnd
    | SharedUuid
    | Down
    | Certificate
    | TurnedAway
    | Undelivered
    | OfConsole
  )

/** Worst first, then newest first; what nobody knows the beginning of stands behind the others of its severity. */
export function inOrder(troubles: readonly Trouble[]): Trouble[] {
  const keyed = troubles.map((trouble) => ({ trouble, severity: severities.indexOf(trouble.severity) }))
  keyed.sort(
    (one, other) =>
      one.severity - other.severity ||
      (other.trouble.since ?? 0) - (one.trouble.since ?? 0) ||
      (one.trouble.key < other.trouble.key ? -1 : 1),
  )
  return keyed.map(({ trouble }) => trouble)
}

/** Those that nobody has silenced: what people should look at. */
export const loud = (troubles: readonly Trouble[]): Trouble[] =>
  troubles.filter(({ severity }) => severity !== 'silenced')
