import { z } from 'zod'
import { moment } from '../define/fields.ts'
import { noteParts } from '../machines/publicNote.ts'

const texts = (names: object) => z.record(z.enum(Object.keys(names)), z.string())

/** The parts of a public note that its form knows; anything else in the note is not shown. */
const shownNote = z.looseObject({
  billingDataMod: texts(noteParts.billingDataMod).optional(),
  planDataMod: texts(noteParts.planDataMod).optional(),
})
export type ShownNote = Partial<Record<keyof typeof noteParts, Readonly<Record<string, string>>>>

/** Facts about a server that hardly ever change. Sizes in bytes. */
const statusServer = z.looseObject({
  id: z.int(),
  name: z.string(),
  /** Two letters. */
  country_code: z.string().optional(),
  platform: z.string().optional(),
  arch: z.string().optional(),
  virtualization: z.string().optional(),
  cpu: z.array(z.string()).optional(),
  mem_total: z.number().optional(),
  disk_total: z.number().optional(),
  note: shownNote.optional() as z.ZodType<ShownNote | undefined>,
})

/** The live metrics of `hostState` that visitors see. Metrics that are 0 are left out, unless they are in `missing`. */
const statusMetrics = z.looseObject({
  cpu: z.number().optional(),
  mem_used: z.number().optional(),
  disk_used: z.number().optional(),
  net_in_speed: z.number().optional(),
  net_out_speed: z.number().optional(),
  net_in_transfer: z.number().optional(),
  net_out_transfer: z.number().optional(),
  uptime: z.number().optional(),
  load_1: z.number().optional(),
  /** The names of the metrics of which nothing true is known. */
  missing: z.array(z.string()).optional(),
})

/** A service in the last 90 days, the oldest first and today last; `null` for a day without checks. */
const statusService = z.looseObject({
  id: z.int(),
  name: z.string(),
  /** Shares of the good checks, from 0 to 1, rounded to four decimals. */
  up: z.array(z.number().nullable()),
  /** Minutes for which it was down, by the index of the day; days without are left out. */
  down_minutes: z.record(z.string(), z.int()),
  /** The share of the last 30 and 90 days. */
  up_30: z.number().nullable(),
  up_90: z.number().nullable(),
})

/** Up, degraded, down or paused, and since when it is down; without `state` before the first check. */
const serviceState = z.looseObject({
  state: z.enum(['up', 'degraded', 'down', 'paused']).optional(),
  since: moment().optional(),
  /** Of today's good checks on average, in milliseconds. */
  latency: z.number().optional(),
})

/** An outage of a server or service. Its cause names no address. */
const statusIncident = z.looseObject({
  id: z.string(),
  kind: z.enum(['service_down', 'server_offline']),
  name: z.string(),
  started_at: moment(),
  /** Absent while it lasts. */
  ended_at: moment().optional(),
  cause: z.enum(['timeout', 'refused', 'name', 'unreachable', 'certificate', 'offline', 'unknown', 'status']),
  /** The HTTP status of a page that answers with an error. */
  code: z.int().optional(),
})

/**
 * What the status page shows, which is what a guest may see: nothing in it depends on who asks. A frame of `ws/status`
 * has those members that have changed.
 */
export const publicStatus = z.looseObject({
  /** The clock of the server, in milliseconds since 1970. */
  now: z.number(),
  site: z.looseObject({ name: z.string(), language: z.string() }),
  /** In the order in which they are shown. */
  servers: z.array(statusServer),
  /** By the id of the server; those that are offline have none. */
  metrics: z.record(z.string(), statusMetrics),
  /** Groups with a server that is shown; servers that are not shown are not named. */
  groups: z.array(z.looseObject({ id: z.int(), name: z.string(), servers: z.array(z.int()) })),
  /** In the order in which they are shown. */
  services: z.array(statusService),
  /** The last of the days of services, in the time zone of the server: `2026-11-21`. */
  today: z.string(),
  /** By the id of the service. */
  states: z.record(z.string(), serviceState),
  /** Of the last 14 days: those that last first, each part with the latest first. */
  incidents: z.array(statusIncident),
  /** Maintenance windows that are open and about something that is shown. */
  windows: z.array(
    z.looseObject({
      name: z.string(),
      until: moment(),
      servers: z.array(z.int()),
      services: z.array(z.int()),
    }),
  ),
})
export type PublicStatus = z.output<typeof publicStatus>
export type StatusService = PublicStatus['services'][number]
export type StatusIncident = PublicStatus['incidents'][number]
export type StatusServer = PublicStatus['servers'][number]
export type StatusMetrics = PublicStatus['metrics'][string]
