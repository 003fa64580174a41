import { useCallback, useSyncExternalStore } from 'react'
import { applyEntries, clearEntries, entryOf, onVisible, watchEntry } from './entries.ts'
import type { FromFeed, LiveEntry } from './messages.ts'
import { type Entries, unpackEntries } from './packedEntries.ts'
import { setServerNow } from './serverClock.ts'
import { setLost, setStatus } from './status.ts'
import { type FeedPort, type OpenFeed, openWorker } from './workerPort.ts'

export interface LiveOptions {
  /**
   * Asked before every reconnect. `false` stops for good, a rejection means "cannot tell, ask again later". The
   * socket is a public route, and knocking there with an ended session counts as an attack and blocks the address.
   */
  mayReconnect?: () => Promise<boolean>
  /** Opens the feed; a worker unless a test brings its own. */
  open?: OpenFeed
}

let running: { port: FeedPort; stop: () => void } | undefined
const snapshots = new Map<number, (entries: Entries) => void>()
const noEntries: Entries = new Map<number, LiveEntry>()
/** Until the next frame it is the newest moment that there is. */
let moment: Promise<Entries> | undefined
let requests = 0

/** Starts live figures after sign-in. Does nothing while they are running. */
export function startLive({ mayReconnect = async () => true, open = defaultOpen }: LiveOptions = {}): void {
  if (running || !open) return
  const port = open((message) => running?.port === port && receive(message, port, mayReconnect))
  const channel = new BroadcastChannel(channelName)
  channel.onmessage = ({ data }) => {
    if (data?.type === 'stop-live') stopLive()
  }
  const onHidden = () => port.post({ type: document.hidden ? 'pause' : 'resume' })
  document.addEventListener('visibilitychange', onHidden)
  const stop = () => {
    document.removeEventListener('visibilitychange', onHidden)
    channel.close()
    onVisible(undefined)
    port.close()
  }
  running = { port, stop }
  setStatus({ state: 'connecting' })
  onVisible((ids) => port.post({ type: 'visible', ids }))
  if (document.hidden) onHidden()
  port.post({ type: 'start', url: socketUrl() })
}

/** Closes the socket of this tab and forgets its figures; nothing reconnects until `startLive`. */
export function stopLive(): void {
  running?.stop()
  running = undefined
  for (const answer of snapshots.values()) answer(noEntries)
  snapshots.clear()
  moment = undefined
  clearEntries()
  setStatus({ state: 'off' })
}

/** Ends a pause between two attempts early: the server is known to be there again. */
export const retryLive = (): void => running?.port.post({ type: 'retry' })

/** `stopLive` in every tab: to be called before any other request once a session has ended. */
export function stopLiveEverywhere(): void {
  stopLive()
  const channel = new BroadcastChannel(channelName)
  channel.postMessage({ type: 'stop-live' })
  channel.close()
}

/**
 * One live figure of a server; the component re-renders only when the picked value changes, and the server counts
 * as on screen while it is mounted. `pick` gets `undefined` before the first frame and returns a primitive or a part
 * of the entry, never a new object.
 *
 * @example const cpu = useLive(record.id, (live) => (live?.state ?? record.state)?.cpu)
 */
export function useLive<T>(id: number, pick: (live: LiveEntry | undefined) => T): T {
  const subscribe = useCallback((listener: () => void) => watchEntry(id, listener), [id])
  return useSyncExternalStore(subscribe, () => pick(entryOf(id)))
}

/** What is known about a server on screen right now, without subscribing to it. */
export const liveEntry = entryOf

/**
 * All servers as of the newest frame, on screen or not, with the facts and figures that lists sort by; empty while live
 * figures are stopped.
 */
export function liveSnapshot(): Promise<Entries> {
  const port = running?.port
  if (!port) return Promise.resolve(noEntries)
  moment ??= new Promise((resolve) => {
    requests += 1
    snapshots.set(requests, resolve)
    port.post({ type: 'snapshot', request: requests })
  })
  return moment
}

const channelName = 'wheelhouse'

/** Without workers (no browser of today) records stand as they were read. */
const defaultOpen = typeof Worker === 'undefined' ? undefined : openWorker

function receive(message: FromFeed, port: FeedPort, mayReconnect: () => Promise<boolean>): void {
  switch (message.type) {
    case 'tick':
      moment = undefined
      setServerNow(message.now)
      setStatus({ state: 'live', watching: message.watching })
      applyEntries(message.entries)
      return
    case 'known':
      applyEntries(message.entries)
      return
    case 'lost':
      setLost()
      return
    case 'ready':
      mayReconnect().then(
        (allowed) => {
          if (allowed) port.post({ type: 'connect' })
          else if (running?.port === port) stopLive()
        },
        () => port.post({ type: 'wait' }),
      )
      return
    case 'snapshot':
      snapshots.get(message.request)?.(unpackEntries(message.entries))
      snapshots.delete(message.request)
  }
}

const socketUrl = (): string => new URL('/api/v1/ws/server', location.href.replace(/^http/, 'ws')).href
