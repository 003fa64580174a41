import { type Arrivals, arrivals as ofProcess } from './arrivals.ts'

/**
 * Work that others come before. While there is little of it, it is done at once. When it takes longer, it waits and is
 * done in turns with everything else, in the order in which it came: requests of people are answered between the turns.
 */
export interface WorkQueue {
  /** Does the work, now or when its turn comes. */
  add(work: () => void): void
  /** Milliseconds: how long the first of what waits has waited; 0 when nothing waits. */
  waitedMs(): number
  /** How much waits. */
  count(): number
  /** Does all that waits, and from now on everything at once. To be called at the end of the server. */
  close(): void
}

interface WorkQueueOptions {
  /** Called with what a piece of work throws; the others go on. */
  onError: (error: unknown) => void
  /** The clock, in milliseconds. */
  now?: () => number
  /** Connections, which come first. Default: those of this process. */
  arrivals?: Arrivals
}

/** Milliseconds of this work between two turns of the event loop: a request of somebody takes some turns. */
const turnMs = 5

interface Waiting {
  work: () => void
  since: number
}

export function createWorkQueue({
  onError,
  now = () => performance.now(),
  arrivals = ofProcess,
}: WorkQueueOptions): WorkQueue {
  let waiting: Waiting[] = []
  /** The place of the first that waits; those before it were done. */
  let first = 0
  let spentMs = 0
  let isRunning = false
  let isTurnComing = false
  let isClosed = false

  const count = () => waiting.length - first

  function run(work: () => void): void {
    const startedAt = now()
    isRunning = true
    try {
      work()
    } catch (error) {
      onError(error)
    }
    isRunning = false
    spentMs += now() - startedAt
  }

  function comeBack(): void {
    if (isTurnComing) return
    isTurnComing = true
    arrivals.afterwards(turn)
  }

  function turn(): void {
    isTurnComing = false
    spentMs = 0
    while (count() > 0 && spentMs < turnMs) run(takeFirst())
    if (count() > 0) comeBack()
  }

  function takeFirst(): () => void {
    const { work } = waiting[first] as Waiting
    first++
    if (first === waiting.length) {
      waiting = []
      first = 0
    } else if (first > waiting.length / 2 && first > 1000) {
      waiting = waiting.slice(first)
      first = 0
    }
    return work
  }

  return {
    count,
    waitedMs: () => (count() > 0 ? now() - (waiting[first] as Waiting).since : 0),
    add(work) {
      // What comes of work that is being done belongs to it, unless others wait.
      if (isRunning && count() === 0) return work()
      if (!isClosed && (count() > 0 || spentMs >= turnMs || arrivals.areComing())) waiting.push({ work, since: now() })
      else run(work)
      comeBack()
    },
    close() {
      isClosed = true
      while (count() > 0) run(takeFirst())
    },
  }
}
