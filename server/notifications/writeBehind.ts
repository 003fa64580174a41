/** Gathers what is to be written, so that a thousand notices at once cost one write to the disk and not a thousand. */
export interface WriteBehind {
  /** There is something to write: it is on the disk soon. */
  soon(): void
  /** Writes it now. */
  now(): void
}

/** What a server may lose that dies without a word. */
const delayMs = 1000

/**
 * @param write writes all that has gathered; may find nothing
 * @param onFailure told of every write that failed, as on a full disk
 */
export function writeBehind(write: () => void, onFailure: (error: unknown) => void): WriteBehind {
  let timer: NodeJS.Timeout | undefined

  function now(): void {
    clearTimeout(timer)
    timer = undefined
    try {
      write()
    } catch (error) {
      onFailure(error)
    }
  }

  return {
    now,
    soon() {
      timer ??= setTimeout(now, delayMs).unref()
    },
  }
}
