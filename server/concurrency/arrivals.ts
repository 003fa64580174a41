/**
 * Connections that are being accepted. The system hands over one at each turn of the event loop, so whoever has just
 * connected waits for as many turns as there are connections before theirs: thousands, when all agents come back after a
 * restart. What nobody waits for leaves those turns to them.
 */
export interface Arrivals {
  /** To be called when a connection was accepted. */
  add(): void
  /** Whether connections are being accepted, one after the other. */
  areComing(): boolean
  /**
   * Calls `work` at the next turn of the event loop or, while connections are being accepted, when there are no more. When
   * that takes many turns, what waits is called all the same, one after the other with as many turns between.
   */
  afterwards(work: () => void): void
}

/** Turns that are left to connections before one piece of other work is done: it must not end altogether. */
const mostTurns = 100

/** @param nextTurn calls a function at the next turn of the event loop */
export function createArrivals(nextTurn: (turn: () => void) => void = setImmediate): Arrivals {
  let waiting: (() => void)[] = []
  /** Since the last turn. */
  let hasAccepted = false
  /** How many turns in a row were left to them. */
  let turns = 0
  let isTurnComing = false

  function comeBack(): void {
    if (isTurnComing) return
    isTurnComing = true
    nextTurn(turn)
  }

  function turn(): void {
    isTurnComing = false
    if (hasAccepted && turns < mostTurns) {
      hasAccepted = false
      turns++
      comeBack()
      return
    }
    const [first, ...others] = waiting
    const ready = hasAccepted && first ? [first] : waiting
    waiting = hasAccepted ? others : []
    turns = hasAccepted ? 1 : 0
    hasAccepted = false
    if (turns > 0) comeBack()
    for (const work of ready) work()
  }

  return {
    add() {
      hasAccepted = true
      comeBack()
    },
    areComing: () => hasAccepted || turns > 0,
    afterwards(work) {
      waiting.push(work)
      comeBack()
    },
  }
}

/** Those of this process: it has one event loop. */
export const arrivals = createArrivals()
