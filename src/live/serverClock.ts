import { useSyncExternalStore } from 'react'

/** Ages on screen are told in minutes and longer; looking twice a minute is enough. */
const step = 30_000

let offset = 0
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

/** The server's clock, ms since 1970; the browser's own until a frame has told the difference. */
export const serverNow = (): number => Date.now() + offset

/** Takes the server's time from a frame that has just arrived. */
export function setServerNow(now: number): void {
  const before = offset
  offset = now - Date.now()
  // Each frame differs by its travel time; only a real correction is news.
  if (Math.abs(offset - before) > step) notify()
}

/** The server's clock in steps of 30 s, for ages that grow on screen. */
export const useServerClock = (): number =>
  useSyncExternalStore(watchClock, () => Math.floor(serverNow() / step) * step)

function watchClock(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(notify, step)
  return () => {
    listeners.delete(listener)
    if (listeners.size) return
    clearInterval(timer)
    timer = undefined
  }
}

function notify(): void {
  for (const listener of listeners) listener()
}
