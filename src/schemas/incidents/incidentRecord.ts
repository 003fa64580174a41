import { z } from 'zod'
import { moment } from '../define/fields.ts'

/** The states of an incident. `acknowledged`: somebody is on it, so nobody is told again that it lasts. */
export const incidentStates = ['open', 'acknowledged', 'resolved'] as const

/** What an incident consists of. */
export const incidentPartKinds = ['alarm', 'outage', 'offline', 'certificate', 'ddns', 'quota', 'contract'] as const

/** What stands in the diary of an incident. */
export const incidentEntryKinds = [
  'note',
  'acknowledged',
  'unacknowledged',
  'resolved',
  'merged',
  'outlived',
  // Something began because of what was over.
  'reopened',
  // A step of an escalation plan told somebody, or had nobody to tell.
  'escalated',
  'not_escalated',
  'muted',
  // A task ended that somebody or an alarm has started.
  'task_run',
  'task_failed',
] as const

/**
 * One thing that went wrong: an alarm, an outage of a service, a server that is offline, a certificate that ends, a DNS
 * record that cannot be pointed at its server, traffic of a period that is used up, a contract that ends.
 */
export const incidentPart = z.looseObject({
  kind: z.enum(incidentPartKinds),
  /** Of the alarm, the outage or the DDNS profile; 0 where there is no such record. */
  id: z.int(),
  /** What it is about; 0 for none. They may be deleted by now. */
  server_id: z.int(),
  service_id: z.int(),
  rule_id: z.int(),
  /** The names of what it is about, on that day. */
  name: z.string(),
  started_at: moment(),
  /** Absent while it lasts. */
  ended_at: moment().optional(),
  /** Whether it ended without recovery: what it is about was changed or deleted. */
  withdrawn: z.boolean().optional(),
  /** Whether nothing is measured of it now, as its server is offline; only of alarms about load. */
  paused: z.boolean().optional(),
  /** A consequence is there because of a cause, and is told only with it. */
  role: z.enum(['cause', 'consequence']),
})

/** An entry of the diary of an incident: who did what. */
export const incidentEntry = z.looseObject({
  at: moment(),
  kind: z.enum(incidentEntryKinds),
  /** Who; absent for what happened by itself. */
  name: z.string().optional(),
  text: z.string().optional(),
})

/** A message about an incident to a notifier group; what became of it is in the deliveries. */
export const incidentNotice = z.looseObject({
  at: moment(),
  kind: z.enum(['opened', 'grew', 'repeated', 'flapping', 'resolved', 'escalated']),
  notification_group_id: z.int(),
  notification_group_name: z.string(),
  /** What it was about. */
  message: z.string(),
})

/** Characters of a note. */
export const maxIncidentNote = 2000

/** An incident as it is on the wire, without its id. */
export const incidentRecord = z
  .object({
    title: z.string(),
    state: z.enum(incidentStates),
    started_at: moment(),
    acknowledged_at: moment(),
    /** Who is on it, by name. */
    acknowledged_by: z.string(),
    resolved_at: moment(),
    parts: z.array(incidentPart),
    entries: z.array(incidentEntry),
    notices: z.array(incidentNotice),
  })
  .partial()
