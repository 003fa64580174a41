import { setImmediate as nextTurn } from 'node:timers/promises'
import { arrivals } from './arrivals.ts'

/** Milliseconds of work between two turns of the event loop. */
const turnMs = 5

/** Lets others work, and while connections are being accepted those first: for work that nobody waits for. */
export const leaveTurn = () => new Promise<void>(arrivals.afterwards)

/**
 * Makes a function that is called between steps of long work: it lets others work when some milliseconds have passed
 * since they could.
 * @param leave how they are let. Default: for one turn, as for a request of somebody.
 */
export function takeTurns(leave: () => Promise<void> = nextTurn): () => Promise<void> | undefined {
  let since = performance.now()
  async function leaveNow(): Promise<void> {
    await leave()
    since = performance.now()
  }
  // Called for each of thousands of machines: where there is nothing to wait for, no promise is made.
  return () => (performance.now() - since < turnMs ? undefined : leaveNow())
}

/**
 * Takes the steps of work that somebody waits for, in turns with others.
 * @param check called after each step; what it throws ends the work
 */
export async function finishInTurns<T>(steps: Generator<void, T>, check: () => void): Promise<T> {
  const turn = takeTurns()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    check()
    await turn()
  }
}

/** Takes the steps of work that nobody waits for: the first ones now, for some milliseconds, and then in turns. */
export async function inTurns(steps: Iterable<unknown>): Promise<void> {
  let since = performance.now()
  for (const _ of steps) {
    if (performance.now() - since < turnMs) continue
    await leaveTurn()
    since = performance.now()
  }
}
