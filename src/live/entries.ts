import type { LiveEntry } from './messages.ts'

type Listener = () => void

const entries = new Map<number, LiveEntry>()
const listeners = new Map<number, Set<Listener>>()
let announceVisible: ((ids: number[]) => void) | undefined
let announcing = false

/** Who wants to hear which servers are on screen; `undefined` when nobody is connected. */
export function onVisible(announce: typeof announceVisible): void {
  announceVisible = announce
  if (announce) scheduleAnnouncement()
}

export const entryOf = (id: number): LiveEntry | undefined => entries.get(id)

/** Calls `listener` when this server's entry changes. A server with a listener counts as on screen. */
export function watchEntry(id: number, listener: Listener): () => void {
  const ofId = listeners.get(id) ?? new Set()
  if (!ofId.size) {
    listeners.set(id, ofId)
    scheduleAnnouncement()
  }
  ofId.add(listener)
  return () => {
    ofId.delete(listener)
    if (!ofId.size && listeners.get(id) === ofId) {
      listeners.delete(id)
      scheduleAnnouncement()
    }
  }
}

/** Takes in what the feed told; only listeners of these servers are called. */
export function applyEntries(changed: readonly LiveEntry[]): void {
  for (const entry of changed) {
    // A server may have left the screen while the message was on its way.
    const ofId = listeners.get(entry.id)
    if (!ofId) continue
    entries.set(entry.id, entry)
    for (const listener of ofId) listener()
  }
}

/** Forgets all figures: cells fall back to their records. */
export function clearEntries(): void {
  entries.clear()
  for (const ofId of listeners.values()) for (const listener of ofId) listener()
}

/** A page change mounts and unmounts hundreds of cells; the feed hears of it once. */
function scheduleAnnouncement(): void {
  if (announcing) return
  announcing = true
  queueMicrotask(() => {
    announcing = false
    for (const id of entries.keys()) if (!listeners.has(id)) entries.delete(id)
    announceVisible?.([...listeners.keys()])
  })
}
