import type { Budget } from '../report/report.ts'

const network = 'slow network'

/**
 * All metrics, in the order they are printed. Bytes have their headers with them. Times have no limit of their own,
 * because the slowed processor is that of this machine: their ratio to the least page of the same run has one.
 */
export const budgets = {
  loginBytes: {
    text: 'login form: script and style',
    unit: 'kB',
    limit: 80,
    reason: 'half a second of the slow network, which everybody waits for who comes back after an hour',
  },
  listBytes: {
    text: 'server list: script and style',
    unit: 'kB',
    limit: 300,
    reason: 'under two seconds of the slow network',
  },
  listRequests: {
    text: 'server list: requests until it is complete',
    unit: '',
    limit: 20,
    reason: 'six go at a time over HTTP/1.1, and each further row of six waits for a round trip',
  },
  plainLoginBytes: {
    text: 'login form, uncompressed: script and style',
    unit: 'kB',
    limit: 300,
    reason: 'inside a Nezha server nothing is compressed',
  },
  plainListBytes: {
    text: 'server list, uncompressed: script and style',
    unit: 'kB',
    limit: 1000,
    reason: 'inside a Nezha server it is most of the wait',
  },
  statusBytes: {
    text: 'status page for visitors: script and style',
    unit: 'kB',
    limit: 60,
    reason: 'visitors come with phones, and often when something is wrong',
  },
  statusMs: {
    text: `${network}: status page painted`,
    unit: 'ms',
    limit: 2500,
    reason: 'it is in the first reply, without a script',
  },
  statusVisitors: {
    text: 'percent of a core for 1,000 visitors with open sockets',
    unit: '',
    limit: 20,
    reason: 'a crowd of visitors must not slow down who works on the trouble',
  },
  // On two cores: 2.2 s.
  loginMs: { text: `${network}: login form usable`, unit: 'ms' },
  // On two cores: 5.5 s.
  listMs: { text: `${network}: list of 5 servers shown`, unit: 'ms' },
  // On two cores: 7.5 s, of which 5.0 s carry bytes.
  plainListMs: { text: `${network}: the same, uncompressed`, unit: 'ms' },
  http2ListMs: { text: `${network}: the list over HTTP/2 and TLS`, unit: 'ms' },
  http2Ratio: {
    text: `${network}: list over HTTP/2 to that over HTTP/1.1`,
    unit: 'times',
    limit: 1.1,
    reason: 'TLS costs round trips once, and requests at the same time have to be worth them',
  },
  loginRatio: {
    text: `${network}: login form to the list of the least page`,
    unit: 'times',
    limit: 0.9,
    reason: 'who signs in should not wait for what lists need',
  },
  listRatio: {
    text: `${network}: list to that of the least page`,
    unit: 'times',
    limit: 1.6,
    reason: 'react-admin, routes, forms and languages are worth half as long again, not more',
  },
  plainListRatio: {
    text: `${network}: the same, uncompressed`,
    unit: 'times',
    limit: 1.75,
    reason: 'the same, where each byte of them is carried uncompressed',
  },
} satisfies Record<string, Budget>

export type Metric = keyof typeof budgets
