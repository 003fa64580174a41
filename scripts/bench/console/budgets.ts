import type { Budget } from '../report/report.ts'

/** Times depend on the machine and its load: they are judged beside those of the least page that does the same. */
const toBaseline: Budget = {
  text: '  to the baseline of the same minutes',
  unit: 'times',
  limit: 2,
  reason: 'they are work on rows: what react-admin and MUI add may double it, not more',
}

/**
 * All metrics, in the order they are printed. Limits in milliseconds hold for two cores that have nothing else to do.
 */
export const budgets = {
  loginBytes: {
    text: 'login form: script and style as served',
    unit: 'kB',
    limit: 80,
    reason: 'on 1 Mbit/s it stands within a second, and everybody who comes back after an hour pays it',
  },
  listBytes: {
    text: 'server list: script and style as served',
    unit: 'kB',
    limit: 300,
    reason: 'react, react-admin, MUI and zod without their forms take 230; the rest is ours to spend with care',
  },
  foreignRequests: {
    text: 'requests to other hosts',
    unit: '',
    limit: 0,
    reason: 'a console must work in a closed network',
  },
  notImmutable: {
    text: 'hashed files not brotli, or not immutable',
    unit: '',
    limit: 0,
    reason: 'a second visit should load nothing, the first one the smallest form',
  },
  loginMs: { text: 'login form usable', unit: 'ms' },
  list5Ms: { text: 'list of 5 servers shown', unit: 'ms' },
  list5AgainMs: {
    text: 'the same at a second visit',
    unit: 'ms',
    limit: 350,
    reason: 'all files are in the cache: what is left is script, and people wait for it at every visit',
  },
  list1000Ms: { text: 'list of 1,000 servers shown', unit: 'ms' },
  list10000Ms: { text: 'list of 10,000 servers shown', unit: 'ms' },
  reply1000Ms: { text: '1,000: shown after the last byte of the reply', unit: 'ms' },
  replyMs: {
    text: '10,000: shown after the last byte of the reply',
    unit: 'ms',
    limit: 1000,
    reason: 'longer, and people take the page for broken; reading nine megabytes is in it',
  },
  replyRatio: {
    text: '10,000 to 1,000: shown after the reply was read',
    unit: 'times',
    limit: 1.5,
    reason: 'a page of rows is drawn, not the list: only sorting may grow with it',
  },
  elementsRatio: {
    text: '10,000 to 1,000: elements of the page',
    unit: 'times',
    limit: 1.05,
    reason: 'elements belong to rows on screen; a few more page links are all that may differ',
  },
  heapMiB: {
    text: '10,000: heap of the page after a search',
    unit: 'MiB',
    limit: 50,
    reason: 'a tab that stays open for weeks should be none that the browser puts to sleep',
  },
  // Fast typists press a key every 80 ms; on two cores: 50 ms.
  keyMs: { text: '10,000: a letter of the search, to the rows it leaves', unit: 'ms' },
  keyRatio: toBaseline,
  // On two cores: 50 ms.
  firstKeyMs: { text: '10,000: the first letter, which gathers the words', unit: 'ms' },
  firstKeyRatio: toBaseline,
  // The next ones on two cores: 100 ms, which a person takes for "at once".
  sortMs: { text: '10,000: sort by a column of records', unit: 'ms' },
  sortRatio: toBaseline,
  liveSortMs: { text: '10,000: sort by a live column', unit: 'ms' },
  liveSortRatio: toBaseline,
  selectPageMs: { text: '10,000: select the page', unit: 'ms' },
  selectPageRatio: toBaseline,
  selectAllMs: { text: '10,000: select all that match', unit: 'ms' },
  selectAllRatio: toBaseline,
  screenMs: { text: '10,000: to another screen and back, the slower way', unit: 'ms' },
  screenRatio: toBaseline,
  bulkEditMs: {
    text: '10,000: the dialog that edits all of them',
    unit: 'ms',
    limit: 300,
    reason: 'longer, and people press the button again; nothing in it may grow with the selection',
  },
  listFetches: {
    text: 'server lists fetched by changes of screen',
    unit: '',
    limit: 1,
    reason: 'the list is in memory; other screens take its names from there',
  },
  tickMs: {
    text: '10,000 in every frame, 100 rows: main thread per tick',
    unit: 'ms',
    limit: 30,
    reason: 'a tick may cost two frames of scrolling, not more, and comes every two seconds',
  },
  restMs: { text: 'the same page without ticks: main thread per second', unit: 'ms' },
  hiddenTicks: { text: 'ticks shown while the page is hidden', unit: '', limit: 0, reason: 'nobody looks' },
} satisfies Record<string, Budget>

export type Metric = keyof typeof budgets
