import { z } from 'zod'
import { alarmCause } from '../alerts/alarmCause.ts'
import { bodyLimits, endpoint } from '../define/endpoint.ts'
import {
  historyPeriods,
  serverMetricHistory,
  serverMetrics,
  serverServices,
  serviceHistory,
  serviceOutage,
  serviceOverview,
} from './serviceHistory.ts'

/** `GET wheelhouse/service/:id/details`; times are RFC 3339. */
const serviceDetails = z.object({
  /**
   * The certificates that its check has seen, host by host as redirects lead to them: that of the host first. Empty until
   * a check has seen any.
   */
  chain: z
    .array(z.object({ host: z.string(), subject: z.string(), issuer: z.string(), expires_at: z.string() }))
    .default([]),
  /** What the job has said, the latest first. */
  calls: z
    .array(
      z.object({
        at: z.string(),
        event: z.enum(['start', 'success', 'fail', 'log']),
        message: z.string(),
        /** Milliseconds that it ran. */
        ms: z.number().optional(),
      }),
    )
    .default([]),
})
export type ServiceDetails = z.output<typeof serviceDetails>

/** What is tested: the rules of a form, as they are written. */
const backtestRequest = z.object({
  /** The alert rule that is edited; a new one has none. It says whose servers the rules cover. */
  id: z.int().min(1).optional(),
  rules: z.array(z.looseObject({})).min(1).max(20),
})

/**
 * What rules would have done in the last 7 days, by the averages that the embedded server keeps; times in ms since 1970.
 */
const alertBacktest = z.object({
  /** Of the first and the last average; absent without any. */
  from: z.number().optional(),
  until: z.number().optional(),
  /** Seconds from sample to sample: that of the finest averages that were used. */
  step: z.number(),
  /** Servers that the rules cover, and those of them whose past was looked at within the time that a test may take. */
  covered: z.int(),
  tested: z.int(),
  /** The servers on which the rules are true by the last report, whatever was before. */
  now: z.array(z.int()).default([]),
  samples: z.number(),
  /** Samples outside the bounds. */
  failed: z.number(),
  /** The latest 200, in the order in which they would have begun. */
  alarms: z
    .array(
      z.object({
        server_id: z.int(),
        started_at: z.number(),
        /** Absent while it would still be running. */
        ended_at: z.number().optional(),
        /** The highest share of samples outside the bounds, 0 to 1. */
        share: z.number(),
        causes: z.array(alarmCause).default([]),
      }),
    )
    .default([]),
  alarms_total: z.int(),
})

/** Calls for the history of services and servers. Apart from the others, so that no list waits for their schemas. */
export const historyEndpoints = {
  /** Services and their last 30 days, as visitors see them. */
  serviceOverview: endpoint('GET', 'service', {
    scopes: ['nezha:service:read'],
    keepsToServers: true,
    reply: serviceOverview,
    access: 'visitor',
  }),
  /** The ids of the servers that check any service. */
  checkingServers: endpoint('GET', 'service/server', {
    scopes: ['nezha:service:read'],
    keepsToServers: true,
    reply: z.array(z.int()).optional(),
    access: 'visitor',
  }),
  /** The next three: periods are `historyPeriods`; nobody who is not signed in sees more than a day. */
  serviceHistory: endpoint('GET', 'service/:id/history', {
    scopes: ['nezha:service:read'],
    keepsToServers: true,
    query: z.object({ period: z.enum(historyPeriods) }),
    reply: serviceHistory,
    access: 'visitor',
  }),
  serverServices: endpoint('GET', 'server/:id/service', {
    scopes: ['nezha:service:read'],
    keepsToServers: true,
    query: z.object({ period: z.enum(historyPeriods) }),
    reply: serverServices,
    access: 'visitor',
  }),
  /** What servers before v2.0.0 have instead of `serverServices`, of the last day. */
  serverServicesBefore: endpoint('GET', 'service/:id', {
    scopes: ['nezha:service:read'],
    keepsToServers: true,
    reply: serverServices,
  }),
  /** The outages of a service, latest first. Only where `GET /setting` says `wheelhouse.outages`. */
  serviceOutages: endpoint('GET', 'wheelhouse/service/:id/outages', {
    scopes: ['nezha:service:read'],
    keepsToServers: true,
    reply: z.array(serviceOutage).default([]),
  }),
  /**
   * The certificates that a service's check has seen, and the calls of its job; for those who own it, and empty for
   * others. Only where `GET /setting` says `wheelhouse.checks`.
   */
  serviceDetails: endpoint('GET', 'wheelhouse/service/:id/details', {
    scopes: ['nezha:service:read'],
    keepsToServers: true,
    reply: serviceDetails,
  }),
  /**
   * A metric of several servers in the last hour, minute by minute: the last one is now, `null` where nothing was
   * measured. Ids beyond the first 100 are ignored, like those that a person may not see. Only where `GET /setting`
   * says `wheelhouse.last_hour`.
   */
  lastHour: endpoint('GET', 'wheelhouse/last-hour', {
    scopes: ['nezha:server:read'],
    keepsToServers: true,
    query: z.object({ metric: z.enum(serverMetrics), ids: z.string().max(2_000) }),
    reply: z.record(z.string(), z.array(z.number().nullable())).default({}),
  }),
  /**
   * What alert rules would have done in the last 7 days. A later call of the same person ends an earlier one. Only where
   * `GET /setting` says `wheelhouse.backtest`.
   */
  backtestAlertRule: endpoint('POST', 'wheelhouse/alert-rule/backtest', {
    scopes: ['nezha:alertrule:read'],
    body: backtestRequest,
    reply: alertBacktest,
    bodyLimit: bodyLimits.largeForm,
  }),
  /** @see serverMetrics */
  serverMetric: endpoint('GET', 'server/:id/metrics', {
    scopes: ['nezha:server:read'],
    keepsToServers: true,
    query: z.object({ metric: z.enum(serverMetrics), period: z.enum(historyPeriods) }),
    reply: serverMetricHistory,
    access: 'visitor',
  }),
} as const
