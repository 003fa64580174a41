import { useSyncExternalStore } from 'react'
import { createEmitter } from '../events/emitter.ts'

export interface LiveStatus {
  /** `off`: not started, or stopped. */
  state: 'off' | 'connecting' | 'live' | 'lost'
  /** How many sockets watch the server at the moment, this tab included. */
  watching?: number
  /** When the last frame came, ms since 1970 by the browser's clock, if none has come for 6 s. */
  stalledSince?: number
}

/** Milliseconds. A frame comes every 2 s: after three missing ones, what is on screen may be out of date. */
const stalledAfterMs = 6_000

let status: LiveStatus = { state: 'off' }
/** Or when frames were lost before there was one. */
let lastFrameAt: number | undefined
let timer: ReturnType<typeof setTimeout> | undefined
const changes = createEmitter()

function setStatus(next: LiveStatus): void {
  const isSame =
    next.state === status.state && next.watching === status.watching && next.stalledSince === status.stalledSince
  if (isSame) return
  status = next
  changes.emit()
}

/** A connection is wanted, or none. */
export function resetStatus(state: 'connecting' | 'off'): void {
  clearTimeout(timer)
  lastFrameAt = undefined
  setStatus({ state })
}

/** A frame has arrived; the next one is expected from now on. */
export function markLive(watching: number): void {
  lastFrameAt = Date.now()
  setStatus({ state: 'live', watching })
  expectFrames()
}

/** The connection was closed or refused. */
export function markLost(): void {
  setStatus({ state: 'lost', stalledSince: status.stalledSince })
  if (lastFrameAt !== undefined) return
  lastFrameAt = Date.now()
  expectFrames()
}

/** From now on a frame is missed; before there was one, nobody knows how long the first takes. */
export function expectFrames(): void {
  clearTimeout(timer)
  if (lastFrameAt === undefined) return
  timer = setTimeout(() => setStatus({ ...status, stalledSince: lastFrameAt }), stalledAfterMs)
}

/** Frames are not read for a while, which says nothing about the connection. */
export const pauseFrames = (): void => clearTimeout(timer)

/** Whether live metrics are arriving. */
export const useLiveStatus = (): LiveStatus => useSyncExternalStore(changes.subscribe, () => status)

/** `stalledSince` alone: drawn only when that changes. */
export const useStalledSince = (): number | undefined =>
  useSyncExternalStore(changes.subscribe, () => status.stalledSince)
