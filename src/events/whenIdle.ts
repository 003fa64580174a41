/** Milliseconds after which a busy page does it as well. */
const latest = 5_000
/** Milliseconds, for browsers that do not tell when the page has nothing to do. */
const pause = 100

/** Calls back once the page has nothing else to do. Returns how to call it off. */
export function whenIdle(callback: () => void): () => void {
  if (!globalThis.requestIdleCallback) {
    const timer = setTimeout(callback, pause)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(callback, { timeout: latest })
  return () => cancelIdleCallback(handle)
}
