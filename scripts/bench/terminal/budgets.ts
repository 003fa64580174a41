import * as bench from '../report/report.ts'

/** What the page is compared with. */
type Source = 'console' | 'bare client' | 'from memory'

export type Report = bench.Report<Metric, Source>

/**
 * All metrics, in the order they are printed. The bare client is a socket in a program of its own that does the same
 * work and shows nothing; "from memory" is the same output written into the same terminal without a socket.
 */
const budgets = {
  promptMs: { text: 'terminal page opened, to its prompt', unit: 'ms' },
  outputMs: { text: 'seq 1 2000000, to its last line on screen', unit: 'ms' },
  outputRatio: {
    text: 'its speed, of that from memory',
    unit: 'times',
    least: 0.7,
    reason: 'the emulator is what takes time; the way from the shell to it should not be noticed',
  },
  shellRatio: {
    text: 'its speed, of that of the bare client',
    unit: 'times',
    least: 0.6,
    reason: 'the shell decides when a flood is over; the screen leaves out what nobody could see',
  },
  gapMs: {
    text: 'longest time without a frame meanwhile',
    unit: 'ms',
    limit: 200,
    reason: 'longer, and a click seems to have been lost',
  },
  echoMs: {
    text: 'a key, to its letter on screen: median',
    unit: 'ms',
    limit: 33,
    reason: 'two frames are what a terminal on the own machine takes as well',
  },
  slowEchoMs: {
    text: 'the same: 95th percentile',
    unit: 'ms',
    limit: 33,
    reason: 'a letter in twenty is in every line',
  },
  downRate: { text: 'download of 200 MiB', unit: 'MiB/s' },
  downRatio: {
    text: 'its speed, of that of the bare client',
    unit: 'times',
    least: 0.5,
    reason: 'the browser copies and stores what the bare client throws away; more than once that is waste',
  },
  upRate: { text: 'upload of 200 MiB', unit: 'MiB/s' },
  upRatio: {
    text: 'its speed, of that of the bare client',
    unit: 'times',
    least: 0.5,
    reason: 'the browser reads, copies and masks what the bare client has in memory',
  },
  folderMs: {
    text: 'a folder of 5,000 entries, to its first rows after the reply',
    unit: 'ms',
    limit: 80,
    reason: 'a person takes up to a tenth of a second for "at once", and the reply is on its way before',
  },
  listMs: { text: 'the same, from the question on', unit: 'ms' },
  heapMiB: { text: 'download of 1 GiB: heap of the page at most', unit: 'MiB' },
  memoryMiB: {
    text: "the same: growth of the page's process at most",
    unit: 'MiB',
    limit: 100,
    reason: 'a file goes through the page, not into it, however long it is',
  },
} satisfies Record<string, bench.Budget>

type Metric = keyof typeof budgets

export const createReport = (): Report => bench.createReport(budgets, ['console', 'bare client', 'from memory'])
