import { writeObstacle } from './storeError.ts'

/** The writes that are made as soon as they can be. */
export interface PostponedWrites {
  /** See `Store`. */
  eventually(write: () => void, how?: Postponed['how']): void
  /** Makes the writes that wait, for the last time, and gives up those that cannot be made. */
  close(): void
}

interface PostponedWritesOptions {
  urgently(write: () => void): void
  transaction(write: () => void): void
  /** Called with the error of a write that had to wait and cannot be made at all: it is given up. */
  onLostWrite(error: unknown): void
}

interface Postponed {
  write: () => void
  how: 'urgently' | 'transaction'
}

/** Milliseconds between two tries. */
const retryMs = 1000

export function createPostponedWrites({ urgently, transaction, onLostWrite }: PostponedWritesOptions): PostponedWrites {
  /** What could not be written yet, in its order. */
  const postponed: Postponed[] = []
  let retry: NodeJS.Timeout | undefined

  /**
   * Makes the writes that wait, until something is in their way. One that fails for a reason of its own would fail again,
   * and keep the others waiting for ever.
   * @param own the last of them, whose owner is here
   * @returns the error of what is in the way
   * @throws what `own` throws by itself
   */
  function writeAll(own?: Postponed): unknown {
    clearTimeout(retry)
    retry = undefined
    for (let [next] = postponed; next; [next] = postponed) {
      try {
        if (next.how === 'urgently') urgently(next.write)
        else transaction(next.write)
      } catch (error) {
        if (writeObstacle(error)) {
          retry = setTimeout(() => writeAll(), retryMs).unref()
          return error
        }
        if (next !== own) onLostWrite(error)
        else {
          postponed.pop()
          throw error
        }
      }
      postponed.shift()
    }
    return undefined
  }

  return {
    eventually(write, how = 'urgently') {
      const own: Postponed = { write, how }
      postponed.push(own)
      const error = writeAll(own)
      if (writeObstacle(error) !== 'full' || how === 'urgently') return
      postponed.pop()
      throw error
    },
    close() {
      if (postponed.length > 0) writeAll()
      clearTimeout(retry)
    },
  }
}
