import type { Log } from '../log.ts'

/** Work that is repeated between start and stop. Starting it twice starts one timer. */
interface Repetition {
  start(): void
  /** Does not wait for a call that is under way. Such a call ends without a word: what it works on may be closed by then. */
  stop(): void
}

interface RepeatOptions {
  /** Milliseconds from the start of one call to the start of the next, and from `start` to the first call. */
  intervalMs: number
  log: Pick<Log, 'error'>
  /** The sentence of the log for an error of the work. */
  failure: string
}

/**
 * Repeats work at an interval. An error before the stop goes to the log and does not end the repetition. The timer does not keep the
 * process alive. A call does not wait for the promise of an earlier one: work that takes long is `oneAtATime`, or keeps
 * count of itself.
 */
export function repeat(work: () => void | Promise<void>, { intervalMs, log, failure }: RepeatOptions): Repetition {
  let timer: NodeJS.Timeout | undefined
  async function run(): Promise<void> {
    const startedBy = timer
    try {
      await work()
    } catch (error) {
      if (timer === startedBy) log.error(failure, error)
    }
  }
  return {
    start() {
      timer ??= setInterval(run, intervalMs).unref()
    },
    stop() {
      clearInterval(timer)
      timer = undefined
    },
  }
}

/** Work that is not begun while an earlier call of it lasts: such a call does nothing. */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let isUnderWay = false
  return async () => {
    if (isUnderWay) return
    isUnderWay = true
    try {
      await work()
    } finally {
      isUnderWay = false
    }
  }
}
