import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'

/** Periods of which traffic is kept, the present one included. */
export const keptPeriods = 24

/** Bytes of a period; the times are RFC 3339. */
const period = z.object({
  from: z.string(),
  to: z.string(),
  received: z.number(),
  sent: z.number(),
  /** What counts against the quota. */
  used: z.number(),
})

export const trafficOfPeriod = period.extend({
  server_id: z.int(),
  name: z.string(),
  /** Empty without a contract. */
  provider: z.string(),
  /** 0: there is no limit. */
  quota_bytes: z.number(),
  /** What `used` comes to at the end of the present period if it goes on so; absent in its first six hours. */
  forecast: z.number().optional(),
  /** When counters leapt or fell, and what they did was left out; of a month, the latest 20. */
  jumps: z.array(z.string()),
  /** What somebody said that the provider shows: bytes that `used` has beside what was counted, below 0 for less. */
  correction: z.object({ at: z.string(), difference: z.number(), by: z.string() }).optional(),
})
export type TrafficOfPeriod = z.output<typeof trafficOfPeriod>

export const serverTraffic = trafficOfPeriod.extend({
  /** Absent before its first report. */
  counted_since: z.string().optional(),
  /** The days of the period that anything is known of, as `2026-11-21` in the zone of the contract. */
  days: z.array(z.object({ day: z.string(), received: z.number(), sent: z.number() })),
  /** The latest first. */
  periods: z.array(period),
})
export type ServerTraffic = z.output<typeof serverTraffic>

/** How many periods back, from 0 to 23; empty or 0 is the present one. */
export const periodQuery = z.object({ period: z.string().max(2) })

const common = { scopes: ['nezha:inventory:read'], keepsToServers: true, query: periodQuery } as const

/**
 * Traffic in the periods of contracts, for owners of servers. Only where `GET /setting` says `wheelhouse.contracts`.
 */
export const trafficEndpoints = {
  /** All servers that somebody owns. */
  traffic: endpoint('GET', 'wheelhouse/traffic', { ...common, reply: z.array(trafficOfPeriod).default([]) }),
  /** One server with the days of the period, and the periods before. */
  serverTraffic: endpoint('GET', 'wheelhouse/traffic/:id', { ...common, reply: serverTraffic }),
} as const
