/** Milliseconds, for browsers that do not tell when the page has nothing to do. */
const pauseMs = 1000

/** Calls back once the page has nothing else to do. */
export function whenIdle(callback: () => void): void {
  if (window.requestIdleCallback) window.requestIdleCallback(callback)
  else setTimeout(callback, pauseMs)
}
