import { writeObstacle } from './storeError.ts'

/** Writes what one turn of the event loop has changed at its end, all at once. */
export interface TurnWriter {
  /** Something has changed. */
  schedule(): void
  /** Resolves when what was scheduled is on the disk, or cannot be written. */
  written(): Promise<void>
  /** Writes now. */
  flush(): void
}

/** Milliseconds until a full disk, or one that another program holds, is tried again. */
const retryMs = 5000

/**
 * @param write writes all changes, if there are any
 * @param onFailure called for failed writes
 */
export function createTurnWriter(write: () => void, onFailure: (error: unknown) => void): TurnWriter {
  let next: PromiseWithResolvers<void> | undefined

  function flush(): void {
    const waiting = next
    next = undefined
    try {
      write()
    } catch (error) {
      onFailure(error)
      if (writeObstacle(error)) setTimeout(schedule, retryMs).unref()
    }
    waiting?.resolve()
  }

  function schedule(): void {
    if (next) return
    next = Promise.withResolvers<void>()
    setImmediate(flush)
  }

  return { schedule, flush, written: () => next?.promise ?? Promise.resolve() }
}
