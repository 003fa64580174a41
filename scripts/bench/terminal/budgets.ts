import * as bench from '../report/report.ts'

/** What the page is compared with. */
type Source = 'console' | 'bare client' | 'from memory'

/** How the browser reaches the machine: the embedded server, or a relay that behaves as a Nezha server does. */
export type Way = 'embedded' | 'relay'

export type Report = bench.Report<Metric, Source>

const floodRatio = {
  text: 'its speed, of that of the bare client',
  unit: 'times',
  least: 0.6,
  reason: 'the shell decides when a flood is over; the screen leaves out what nobody could see',
} satisfies bench.Budget

const frameGap = {
  text: 'longest time without a frame during seq',
  unit: 'ms',
  limit: 200,
  reason: 'longer, and a click seems to have been lost',
} satisfies bench.Budget

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
  shellRatio: floodRatio,
  catMs: { text: 'cat of 50 MB, to its last line on screen', unit: 'ms' },
  catRatio: floodRatio,
  interruptMs: {
    text: 'Ctrl-C after 3 s of yes, to the prompt on screen',
    unit: 'ms',
    limit: 300,
    reason: 'the server holds no more than a window of output, and the shell stops at once',
  },
  gapMs: frameGap,
  relayOutputMs: { text: 'through a relay: seq 1 2000000, to its last line on screen', unit: 'ms' },
  relayShellRatio: floodRatio,
  relayCatMs: { text: 'through a relay: cat of 50 MB, to its last line on screen', unit: 'ms' },
  relayCatRatio: floodRatio,
  relayInterruptMs: {
    text: 'through a relay: Ctrl-C after 3 s of yes, to the prompt',
    unit: 'ms',
    limit: 1000,
    reason: 'what a server without acknowledgements has taken from the shell is read, and left out',
  },
  relayGapMs: frameGap,
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
  downRate: { text: 'download of 100 MiB', unit: 'MiB/s' },
  downRatio: {
    text: 'its speed, of that of the bare client',
    unit: 'times',
    least: 0.7,
    reason: 'the browser copies and stores what the bare client only stores; more than once that is waste',
  },
  upRate: { text: 'upload of 100 MiB', unit: 'MiB/s' },
  upRatio: {
    text: 'its speed, of that of the bare client',
    unit: 'times',
    least: 0.7,
    reason: 'the browser reads, copies and masks as the bare client does, in three processes',
  },
  relayDownRate: { text: 'through a relay: download of 100 MiB', unit: 'MiB/s' },
  relayDownRatio: {
    text: 'its speed, of that of the bare client',
    unit: 'times',
    least: 0.4,
    reason: 'the relay takes part of the processors that the browser needs',
  },
  relayUpRate: { text: 'through a relay: upload of 100 MiB', unit: 'MiB/s' },
  relayUpRatio: {
    text: 'its speed, of that of the bare client',
    unit: 'times',
    least: 0.4,
    reason: 'a refusal is waited for before data is sent, because such servers announce nothing',
  },
  panelMs: {
    text: 'file panel opened, to its first rows',
    unit: 'ms',
    limit: 150,
    reason: 'an existing console takes 133; its session and its listing are asked for when the button is pressed',
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
