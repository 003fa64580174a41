import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds of work between two turns of the event loop. */
const turnMs = 5

/**
 * Makes a function that is called between steps of long work: it lets others work when some milliseconds have passed
 * since they could.
 */
export function takeTurns(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < turnMs) return
    await nextTurn()
    since = performance.now()
  }
}
