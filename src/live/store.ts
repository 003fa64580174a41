import { useCallback, useSyncExternalStore } from 'react'
import { type Entries, type FeedMessage, type LiveEntry, unpackEntries } from './feedMessages.ts'
import { type FeedWorker, type OpenFeedWorker, openFeedWorker } from './feedWorker.ts'
import { setFleet } from './fleet.ts'
import { expectFrames, markLive, markLost, pauseFrames, resetStatus } from './liveStatus.ts'
import { setServerNow } from './serverClock.ts'

type Listener = () => void

const entries = new Map<number, LiveEntry>()
const listeners = new Map<number, Set<Listener>>()
let reportVisible: ((ids: number[]) => void) | undefined
let isReportScheduled = false

/** Sets the function that gets the ids of the servers on screen; `undefined` while there is no feed. */
function setVisibleListener(report: typeof reportVisible): void {
  reportVisible = report
  if (report) scheduleReport()
}

/** The current live entry of a server on screen, without subscribing to it. */
export const liveEntry = (id: number): LiveEntry | undefined => entries.get(id)

/** Calls `listener` when this server's entry changes. A server with a listener counts as on screen. */
function subscribeToEntry(id: number, listener: Listener): () => void {
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
function clearEntries(): void {
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

interface LiveOptions {
  /**
   * Called before every reconnect. `false` stops for good, a rejection means "unknown, try again later". The socket is
   * a public route, where a request with an ended session counts as an attack and blocks the address.
   */
  mayReconnect?: () => Promise<boolean>
  /** Whether the server has `/ws/wheelhouse/servers`, asked once. Default: it has `/ws/server` only. */
  sendsChanges?: () => Promise<boolean | undefined>
  /** Called with every frame and the number of different servers that were in the frames so far. */
  onFrame?: (serverCount: number) => void
  /** Opens the feed. Default: in a worker. */
  open?: OpenFeedWorker
}

let running: { worker: FeedWorker; stop: () => void } | undefined
const snapshots = new Map<number, (entries: Entries) => void>()
const noEntries: Entries = new Map<number, LiveEntry>()
/** Shared by all callers until the next frame. */
let current: { [type in 'snapshot' | 'states']?: Promise<Entries> } = {}
let requests = 0

/** Starts live metrics after sign-in. Does nothing while they are running. */
export function startLive({
  mayReconnect = async () => true,
  sendsChanges = async () => false,
  onFrame = () => {},
  open = defaultOpen,
}: LiveOptions = {}): void {
  if (running || !open) return
  const receive = (message: FeedMessage): void => {
    if (running?.worker !== worker) return
    switch (message.type) {
      case 'tick':
        current = {}
        setServerNow(message.now)
        markLive(message.watching)
        if (message.offline || message.fullDisks) setFleet(message)
        applyEntries(message.entries)
        onFrame(message.serverCount)
        return
      case 'known':
        applyEntries(message.entries)
        return
      case 'lost':
        markLost()
        return
      case 'ready':
        mayReconnect().then(
          (allowed) => {
            if (allowed) worker.post({ type: 'connect' })
            else if (running?.worker === worker) stopLive()
          },
          () => worker.post({ type: 'wait' }),
        )
        return
      case 'snapshot':
        snapshots.get(message.request)?.(unpackEntries(message.entries))
        snapshots.delete(message.request)
    }
  }
  const worker = open(receive)
  const channel = new BroadcastChannel(channelName)
  channel.onmessage = ({ data }) => {
    if (data?.type === 'stop-live') stopLive()
  }
  const onHidden = () => {
    worker.post({ type: document.hidden ? 'pause' : 'resume' })
    if (document.hidden) pauseFrames()
    else expectFrames()
  }
  document.addEventListener('visibilitychange', onHidden)
  const stop = () => {
    document.removeEventListener('visibilitychange', onHidden)
    channel.close()
    setVisibleListener(undefined)
    worker.close()
  }
  running = { worker, stop }
  resetStatus('connecting')
  setVisibleListener((ids) => worker.post({ type: 'visible', ids }))
  if (document.hidden) onHidden()
  void sendsChanges().then((changes) => worker.post({ type: 'start', sendsChanges: changes === true }))
}

/** Closes the socket of this tab and removes its entries; only `startLive` connects again. */
export function stopLive(): void {
  running?.stop()
  running = undefined
  for (const answer of snapshots.values()) answer(noEntries)
  snapshots.clear()
  current = {}
  clearEntries()
  setFleet(undefined)
  resetStatus('off')
}

/** Ends a reconnect delay early: the server can be reached again. */
export const retryLive = (): void => running?.worker.post({ type: 'retry' })

/** `stopLive` in every tab. Must be called before any other request once a session has ended. */
export function stopLiveEverywhere(): void {
  stopLive()
  const channel = new BroadcastChannel(channelName)
  channel.postMessage({ type: 'stop-live' })
  channel.close()
}

/**
 * One live value of a server; the component re-renders only when the picked value changes, and the server counts
 * as on screen while it is mounted. `pick` gets `undefined` before the first frame and returns a primitive or a part
 * of the entry, never a new object.
 *
 * @example const cpu = useLive(record.id, (live) => (live?.state ?? record.state)?.cpu)
 */
export function useLive<T>(id: number, pick: (live: LiveEntry | undefined) => T): T {
  const subscribe = useCallback((listener: () => void) => subscribeToEntry(id, listener), [id])
  return useSyncExternalStore(subscribe, () => pick(liveEntry(id)))
}

/**
 * All servers as of the newest frame, on screen or not, with the values that lists sort by; empty while live metrics are
 * stopped.
 */
export const liveSnapshot = (): Promise<Entries> => ask('snapshot')

/** The same, but only which of them are online is sure to be there: may be asked for as often as frames come. */
export const liveStates = (): Promise<Entries> => ask('states')

function ask(type: 'snapshot' | 'states'): Promise<Entries> {
  const worker = running?.worker
  if (!worker) return Promise.resolve(noEntries)
  current[type] ??= new Promise((resolve) => {
    requests += 1
    snapshots.set(requests, resolve)
    worker.post({ type, request: requests })
  })
  return current[type]
}

const channelName = 'wheelhouse'

/** Where there are no workers, cells show what records say. */
const defaultOpen = typeof Worker === 'undefined' ? undefined : openFeedWorker
