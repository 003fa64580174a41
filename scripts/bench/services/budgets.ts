import * as bench from '../report/report.ts'

export type Report = bench.Report<Metric, 'server'>

/** All metrics, in the order they are printed. */
const budgets = {
  checks: {
    text: 'checks of 5,000 services at 30 s, begun in 90 s',
    unit: '',
    least: 14_000,
    reason: 'three rounds are due, the last of them with its tenth to wait',
  },
  lateMedianMs: { text: 'how late they were: median', unit: 'ms' },
  lateMostMs: {
    text: 'how late they were: 99 of 100',
    unit: 'ms',
    limit: 1000,
    reason: 'a check is on time within a second',
  },
  latestMs: { text: 'how late they were: the latest', unit: 'ms' },
  stallMs: {
    text: 'longest time without a turn for others: 99.9 of 100',
    unit: 'ms',
    limit: 100,
    reason: 'longer, and people notice',
  },
  processorPercent: { text: 'processor time, of one core in percent', unit: '' },
  writeStallMs: {
    text: 'the same while two hours of 5,000 services are written and thinned at once',
    unit: 'ms',
    limit: 100,
    reason: 'writing must not hold up anybody',
  },
  serviceKb: {
    text: 'history of a service on one server, after 40 days at 30 s',
    unit: 'kB',
    limit: 60,
    reason: 'docs/decisions/history-storage.md states it',
  },
  serverKb: {
    text: 'history of the metrics of a server, after 40 days',
    unit: 'kB',
    limit: 200,
    reason: 'docs/decisions/history-storage.md states it',
  },
} satisfies Record<string, bench.Budget>

type Metric = keyof typeof budgets

export const createReport = (): Report => bench.createReport(budgets, ['server'])
