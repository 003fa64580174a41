import { useSyncExternalStore } from 'react'
import { createEmitter } from '../events/emitter.ts'

/** Ages on screen are shown in minutes or longer: twice a minute is often enough. */
const stepMs = 30_000

let offset = 0
let timer: ReturnType<typeof setInterval> | undefined
const ticks = createEmitter()

/** The server's clock, ms since 1970; the browser's own until the first frame. */
export const serverNow = (): number => Date.now() + offset

/** Takes the server's time from a frame that has just arrived. */
export function setServerNow(now: number): void {
  const before = offset
  offset = now - Date.now()
  // Latency differs from frame to frame; only a large correction is reported.
  if (Math.abs(offset - before) > stepMs) ticks.emit()
}

/** The server's clock in steps of 30 s, for ages that grow on screen. */
export const useServerClock = (): number =>
  useSyncExternalStore(subscribe, () => Math.floor(serverNow() / stepMs) * stepMs)

function subscribe(listener: () => void): () => void {
  const unsubscribe = ticks.subscribe(listener)
  timer ??= setInterval(ticks.emit, stepMs)
  return () => {
    unsubscribe()
    if (ticks.hasListeners) return
    clearInterval(timer)
    timer = undefined
  }
}
