import type { z } from 'zod'
import type {
  incidentEntry,
  incidentNotice,
  incidentPart,
  incidentStates,
} from '../../src/schemas/incidents/incidentRecord.ts'

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
