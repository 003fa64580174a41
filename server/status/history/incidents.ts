import { server } from '../../../src/schemas/server.ts'
import { service } from '../../../src/schemas/service.ts'
import type { Alarm } from '../../alerts/alarms.ts'
import type { Store } from '../../db/store.ts'
import { entityTable } from '../../entities/entityTable.ts'
import type { Outage } from '../../services/outages.ts'

/** A service that was down or a server that was offline, as visitors see it. Times are milliseconds since 1970. */
export interface Incident {
  /** Unique, and the same for as long as the incident is shown: `service-outage-7`, `server-alarm-12`. */
  id: string
  kind: 'service_down' | 'server_offline'
  /** The id of the service or server. */
  record_id: number
  /** The name of the service or server today. */
  name: string
  started_at: number
  /** `null` while it lasts. */
  ended_at: number | null
  cause: IncidentCause
}

/** The incidents of the last 14 days (docs/decisions/incidents.md). */
export interface Incidents {
  /** Those of services and servers that guests may see; those that last first, each part with the latest first. */
  recent(): Incident[]
}

export interface IncidentSources {
  store: Store
  /** Outages of services that last, and the latest of the others. */
  recentOutages(count: number): readonly Outage[]
  /** All alarms. */
  allAlarms(): readonly Alarm[]
  /** Milliseconds since 1970. */
  now: () => number
}

export const incidentLimits = {
  /** Milliseconds after its end. */
  ageMs: 14 * 86_400_000,
  /** In one answer: what lasts is never left out for what has ended. */
  count: 200,
  /** Outages that are read, those of hidden services included. */
  outages: 2_000,
} as const

/** Milliseconds for which what was read is not read again. What was hidden meanwhile is left out at once. */
const freshMs = 2_000

export function createIncidents({ store, recentOutages, allAlarms, now }: IncidentSources): Incidents {
  const services = entityTable(store, service)
  const servers = entityTable(store, server)
  let read: { at: number; incidents: readonly Incident[] } | undefined

  /** Of all services and servers, whoever may see them; their names are added for the reader. */
  function all(at: number): readonly Incident[] {
    if (!read || Math.abs(at - read.at) >= freshMs) {
      const outages = recentOutages(incidentLimits.outages).map(incidentOfOutage)
      const offline = mergeByServer(allAlarms().filter(isOffline)).map(incidentOfAlarm)
      read = { at, incidents: [...outages, ...offline].sort(runningFirst) }
    }
    return read.incidents
  }

  return {
    recent() {
      const at = now()
      const shown: Incident[] = []
      for (const incident of all(at)) {
        if (shown.length >= incidentLimits.count) break
        if (incident.ended_at !== null && incident.ended_at < at - incidentLimits.ageMs) continue
        const row = (incident.kind === 'service_down' ? services : servers).get(incident.record_id)
        if (row && !row.hide_for_guest) shown.push({ ...incident, name: String(row.name) })
      }
      return shown
    },
  }
}

const incidentOfOutage = ({ id, service_id, started_at, ended_at, problem }: Outage): Incident => ({
  id: `service-outage-${id}`,
  kind: 'service_down',
  record_id: service_id,
  name: '',
  started_at,
  ended_at,
  cause: causeOfOutage(problem),
})

const incidentOfAlarm = ({ id, server_id, started_at, ended_at }: Alarm): Incident => ({
  id: `server-alarm-${id}`,
  kind: 'server_offline',
  record_id: server_id,
  name: '',
  started_at,
  ended_at,
  cause: { kind: 'offline' },
})

/**
 * Whether an alarm is about a server that was offline, outside maintenance. Thresholds concern only those who look
 * after the server, and when a withdrawn alarm would have ended is not known.
 */
const isOffline = ({ causes, withdrawn, silenced }: Alarm) =>
  !withdrawn && silenced !== 'maintenance' && causes.some(({ type }) => type === 'offline')

/** Several rules may watch over a server: what overlaps is one incident, with the id of the alarm that came first. */
function mergeByServer(alarms: readonly Alarm[]): Alarm[] {
  const merged: Alarm[] = []
  for (const ofServer of Map.groupBy(alarms, ({ server_id }) => server_id).values()) {
    let last: Alarm | undefined
    for (const alarm of ofServer.toSorted((one, other) => one.started_at - other.started_at || one.id - other.id)) {
      if (last && (last.ended_at === null || alarm.started_at <= last.ended_at)) {
        last.ended_at = latestEnd(last.ended_at, alarm.ended_at)
        continue
      }
      last = { ...alarm }
      merged.push(last)
    }
  }
  return merged
}

const latestEnd = (one: number | null, other: number | null) =>
  one === null || other === null ? null : Math.max(one, other)

const runningFirst = (one: Incident, other: Incident) =>
  Number(one.ended_at !== null) - Number(other.ended_at !== null) ||
  other.started_at - one.started_at ||
  (one.id < other.id ? -1 : 1)

/**
 * Why something is down, for visitors: what a check or machine says may name addresses and programs, so only its kind
 * is shown.
 */
type IncidentCause =
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
