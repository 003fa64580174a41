import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'
import {
  historyPeriods,
  serverMetricHistory,
  serverMetrics,
  serverServices,
  serviceHistory,
  serviceOverview,
} from './serviceHistory.ts'

/** Calls for what services and servers were like over time. Apart from the others: no list waits for their schemas. */
export const historyEndpoints = {
  /** Services and their last 30 days, as visitors see them. */
  serviceOverview: endpoint('GET', 'service', { reply: serviceOverview, access: 'anyone' }),
  /** The ids of the servers that check any service. */
  checkingServers: endpoint('GET', 'service/server', { reply: z.array(z.int()).optional(), access: 'anyone' }),
  /** The next three: periods are `historyPeriods`; nobody who is not signed in sees more than a day. */
  serviceHistory: endpoint('GET', 'service/:id/history', {
    query: z.object({ period: z.enum(historyPeriods) }),
    reply: serviceHistory,
    access: 'anyone',
  }),
  serverServices: endpoint('GET', 'server/:id/service', {
    query: z.object({ period: z.enum(historyPeriods) }),
    reply: serverServices,
    access: 'anyone',
  }),
  /** What servers before v2.0.0 have instead of `serverServices`, of the last day. */
  serverServicesBefore: endpoint('GET', 'service/:id', { reply: serverServices }),
  /** @see serverMetrics */
  serverMetric: endpoint('GET', 'server/:id/metrics', {
    query: z.object({ metric: z.enum(serverMetrics), period: z.enum(historyPeriods) }),
    reply: serverMetricHistory,
    access: 'anyone',
  }),
} as const
