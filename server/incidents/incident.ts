import type { z } from 'zod'
import type {
  incidentEntry,
  incidentNotice,
  incidentPart,
  incidentStates,
} from '../../src/schemas/incidents/incidentRecord.ts'
import type { Messages } from '../site/messages.ts'

/** Times are milliseconds since 1970. */
type Timed<Wire, Times extends string> = Omit<Wire, Times>

/** Something that went wrong, as its feature reports it. */
export interface Trouble {
  kind: z.output<typeof incidentPart>['kind']
  /** Of the alarm, the outage or the DDNS profile; 0 where there is no such record. */
  id: number
  /** What it is about; 0 for none. */
  server_id: number
  service_id: number
  rule_id: number
  /** Whose rule, service or server it is; 0 for nobody's. */
  owner_id: number
  /** The host that a service is checked at; '' for none. */
  host: string
  /** The DNS record that is wrong, such as `www.example.org (A)`; absent for anything else. */
  record?: string
  /** Whether the server itself is gone, so that nothing on it can be well. */
  is_gone: boolean
  /** The names of what it is about. */
  name: string
  /** The name of the rule, for an incident on many servers. */
  rule_name: string
  started_at: number
}

export interface Part extends Trouble {
  /** `null` while it lasts. */
  ended_at: number | null
  withdrawn: boolean
  /** Whether nothing is measured of it now, as its server is offline. */
  paused?: boolean
  role: 'cause' | 'consequence'
}

export interface Entry extends Timed<z.output<typeof incidentEntry>, 'at'> {
  at: number
}

export interface Notice extends Timed<z.output<typeof incidentNotice>, 'at'> {
  at: number
}

/** Things that went wrong together. */
export interface Incident {
  id: number
  title: string
  state: (typeof incidentStates)[number]
  started_at: number
  acknowledged_at: number | null
  acknowledged_by: string
  resolved_at: number | null
  parts: Part[]
  entries: Entry[]
  notices: Notice[]
}

/** What tells one thing that is wrong from others. */
export type TroubleKey = Pick<Trouble, 'kind' | 'id' | 'server_id' | 'service_id' | 'record'>

/** The same for all reports of one thing that lasts. */
export function keyOf({ kind, id, server_id, service_id, record }: TroubleKey): string {
  if (kind === 'alarm') return `alarm ${id}`
  if (kind === 'ddns') return `ddns ${id} server ${server_id} ${record}`
  return `${kind} ${server_id && !service_id ? `server ${server_id}` : `service ${service_id}`}`
}

/** Whose all parts are; `undefined` where they are of several, or of nobody. */
export function ownerOf({ parts: [first, ...others] }: Incident): number | undefined {
  const owner = first?.owner_id
  return owner && others.every(({ owner_id }) => owner_id === owner) ? owner : undefined
}

export const isOpen = ({ ended_at }: Part): boolean => ended_at === null

/** What an incident is called: its only cause by its name, many that are alike by what they share. */
export function incidentTitle({ parts }: Pick<Incident, 'parts'>, messages: Messages): string {
  const causes = parts.filter(({ role }) => role === 'cause')
  const [first] = causes.length > 0 ? causes : parts
  if (!first) return ''
  const names = new Set(causes.map(({ name }) => name))
  if (names.size <= 1) return first.name
  const gone = causes.filter(({ is_gone }) => is_gone)
  if (gone.length > 0 && gone.length < causes.length) {
    const others = new Set(causes.flatMap(({ is_gone, name }) => (is_gone ? [] : name)))
    return messages('incident_and_more', { name: incidentTitle({ parts: gone }, messages), more: others.size })
  }
  return (
    titleOfAlike(causes, first, messages) ?? messages('incident_and_more', { name: first.name, more: names.size - 1 })
  )
}

function titleOfAlike(causes: readonly Part[], first: Part, messages: Messages): string | undefined {
  const servers = new Set(causes.map(({ server_id }) => server_id)).size
  // A rule and the console have noticed the same.
  if (servers === 1 && causes.every(({ is_gone }) => is_gone)) return first.name
  const rules = new Set(causes.map(({ rule_name }) => rule_name))
  if (causes.every(({ is_gone }) => is_gone)) return messages('incident_servers_gone', { count: servers })
  if (causes.every(({ kind }) => kind === 'alarm') && rules.size === 1) {
    return messages('incident_rule_on_servers', { rule: first.rule_name, count: servers })
  }
  const hosts = new Set(causes.map(({ host }) => host))
  if (causes.every(({ kind }) => kind === 'outage') && hosts.size === 1 && first.host) {
    return messages('incident_services_at_host', { host: first.host, count: causes.length })
  }
  return undefined
}

/** An incident as a notifier group sees it. */
export interface SeenIncident {
  id: number
  title: string
  /** The keys of the parts that are causes. */
  causes: ReadonlySet<string>
  /** Who has resolved it by hand; '' for nobody. */
  resolvedBy: string
}

/** @param isVisible whether the owner of the group may see a part */
export function seenIncident(incident: Incident, isVisible: (part: Part) => boolean, messages: Messages): SeenIncident {
  const parts = incident.parts.filter(isVisible)
  const isWhole = parts.length === incident.parts.length
  const resolved = isWhole ? incident.entries.find(({ kind }) => kind === 'resolved') : undefined
  return {
    id: incident.id,
    title: isWhole ? incident.title : incidentTitle({ parts }, messages),
    causes: new Set(parts.filter(({ role }) => role === 'cause').map(keyOf)),
    resolvedBy: resolved?.name ? String(resolved.name) : '',
  }
}
