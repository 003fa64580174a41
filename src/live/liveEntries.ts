import type { LiveEntry } from './feedMessages.ts'

type Listener = () => void

const entries = new Map<number, LiveEntry>()
const listeners = new Map<number, Set<Listener>>()
let reportVisible: ((ids: number[]) => void) | undefined
let isReportScheduled = false

/** Sets the function that gets the ids of the servers on screen; `undefined` while there is no feed. */
export function setVisibleListener(report: typeof reportVisible): void {
  reportVisible = report
  if (report) scheduleReport()
}

export const entryOf = (id: number): LiveEntry | undefined => entries.get(id)

/** Calls `listener` when this server's entry changes. A server with a listener counts as on screen. */
export function subscribeToEntry(id: number, listener: Listener): () => void {
  const ofId = listeners.get(id) ?? new Set()
  if (!ofId.size) {
    listeners.set(id, ofId)
    scheduleReport()
  }
  ofId.add(listener)
  return () => {
    ofId.delete(listener)
    if (!ofId.size && listeners.get(id) === ofId) {
      listeners.delete(id)
      scheduleReport()
    }
  }
}

/** Stores changed entries and calls the listeners of their servers. */
export function applyEntries(changed: readonly LiveEntry[]): void {
  for (const entry of changed) {
    // The server may have left the screen meanwhile.
    const ofId = listeners.get(entry.id)
    if (!ofId) continue
    entries.set(entry.id, entry)
    for (const listener of ofId) listener()
  }
}

/** Removes all entries: cells fall back to their records. */
export function clearEntries(): void {
  entries.clear()
  for (const ofId of listeners.values()) for (const listener of ofId) listener()
}

/** A page change mounts and unmounts hundreds of cells: the feed gets one message for all of them. */
function scheduleReport(): void {
  if (isReportScheduled) return
  isReportScheduled = true
  queueMicrotask(() => {
    isReportScheduled = false
    for (const id of entries.keys()) if (!listeners.has(id)) entries.delete(id)
    reportVisible?.([...listeners.keys()])
  })
}
