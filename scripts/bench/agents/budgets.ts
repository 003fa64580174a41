import * as bench from '../report/report.ts'

type Source = 'server'

/** The limits are those of 5,000 agents; docs/guides/scale.md has the measurements. */
const budgets = {
  processorPercent: {
    text: '5,000 agents: processor time, of one core in percent',
    unit: '',
    limit: 70,
    reason: 'the rest is for people',
  },
  receiptP99Ms: {
    text: '5,000 agents: receipt of a report, 99 of 100',
    unit: 'ms',
    limit: 250,
    reason: 'an agent waits for it before all else',
  },
  receiptMedianMs: { text: '5,000 agents: receipt of a report, median', unit: 'ms' },
  receiptsPerSecond: {
    text: '5,000 agents: reports per second',
    unit: '',
    least: 2000,
    reason: 'each reports every two seconds',
  },
  checksPerSecond: { text: '5,000 agents: checks of services per second', unit: '' },
  liveFrameKb: { text: '5,000 agents: frame of a live list', unit: 'kB' },
  liveFramesPerSecond: {
    text: '5,000 agents: frames per second for five lists',
    unit: '',
    least: 2,
    reason: 'each list gets one every two seconds',
  },
  differentFrames: {
    text: '5,000 agents: frames that were built for one list only',
    unit: '',
    limit: 0,
    reason: 'all lists of an audience share one',
  },
  residentMib: { text: '5,000 agents: resident memory', unit: 'MiB', limit: 700, reason: 'small machines have 1 GiB' },
  firstSeconds: { text: '5,000 agents: until all are online at first, s', unit: '' },
  againSeconds: {
    text: '5,000 agents: until all are back after a restart, s',
    unit: '',
    limit: 30,
    reason: 'agents pause for 10 s',
  },
  wrongRows: {
    text: '5,000 agents: rows too many or too few after a restart',
    unit: '',
    limit: 0,
    reason: 'a machine is one row',
  },
  costRatio: {
    text: 'cost of one of 5,000 agents to one of 1,000',
    unit: 'times',
    limit: 1.3,
    reason: 'nothing may grow with the square',
  },
  personP99Ms: {
    text: '18,000 agents: request of somebody on a new connection, 99 of 100',
    unit: 'ms',
    limit: 2000,
    reason: 'people come before agents',
  },
  personLongestMs: { text: '18,000 agents: request of somebody, the longest', unit: 'ms' },
  normalSeconds: {
    text: '18,000 agents: until receipts come within a second, after half have left, s',
    unit: '',
    limit: 30,
    reason: 'overload ends with the load',
  },
} satisfies Record<string, bench.Budget>

export const createReport = () => bench.createReport<keyof typeof budgets, Source>(budgets, ['server'])
