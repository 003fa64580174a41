import * as bench from '../report/report.ts'

/** All metrics, in the order they are printed. */
const budgets = {
  scrapeMs: {
    text: '5,000 servers: a scrape, from the request to the last byte',
    unit: 'ms',
    limit: 300,
    reason: 'collectors ask every few seconds',
  },
  gzipMs: {
    text: 'the same in gzip, as Prometheus asks for it',
    unit: 'ms',
    limit: 500,
    reason: 'the thread that compresses decides',
  },
  processorMs: {
    text: 'processor time of a scrape, with the client',
    unit: 'ms',
    limit: 200,
    reason: 'what other programs take does not count here',
  },
  turnMs: {
    text: 'processor time until others get a turn during a scrape, at most',
    unit: 'ms',
    limit: 50,
    reason: 'longer, and people notice',
  },
  kb: { text: 'a scrape', unit: 'kB' },
  gzipKb: { text: 'a scrape in gzip', unit: 'kB' },
} satisfies Record<string, bench.Budget>

export const createReport = () => bench.createReport<keyof typeof budgets, 'server'>(budgets, ['server'])
