/** Delays writes to the disk, so that a thousand changes at once cost one write. */
export interface WriteBehind {
  /** Schedules a write. */
  schedule(): void
  /** Writes now. */
  flush(): void
}

/** What a killed server may lose. */
const delayMs = 1000

/**
 * @param write writes all changes, if there are any
 * @param onFailure called for every failed write, as on a full disk
 */
export function writeBehind(write: () => void, onFailure: (error: unknown) => void): WriteBehind {
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    try {
      write()
    } catch (error) {
      onFailure(error)
    }
  }

  return {
    flush,
    schedule() {
      timer ??= setTimeout(flush, delayMs).unref()
    },
  }
}
