/** Delays writes to the disk, so that a thousand changes at once cost one write. */
export interface WriteBehind {
  /** Schedules a write. */
  schedule(): void
  /** Writes now. */
  flush(): void
}

interface WriteBehindOptions {
  /** Tries a failed write again until it succeeds, and reports only the first failure of a row. Default: false. */
  retry?: boolean
}

/** What a killed server may lose. */
const delayMs = 1000

/**
 * @param write writes all changes, if there are any
 * @param onFailure called for failed writes, as on a full disk
 */
export function writeBehind(
  write: () => void,
  onFailure: (error: unknown) => void,
  { retry = false }: WriteBehindOptions = {},
): WriteBehind {
  let timer: NodeJS.Timeout | undefined
  let isFailing = false

  /** @returns whether the write succeeded */
  function flush(): boolean {
    clearTimeout(timer)
    timer = undefined
    try {
      write()
      isFailing = false
    } catch (error) {
      if (!(retry && isFailing)) onFailure(error)
      isFailing = true
    }
    return !isFailing
  }

  function schedule(): void {
    timer ??= setTimeout(() => {
      if (!flush() && retry) schedule()
    }, delayMs).unref()
  }

  return { flush, schedule }
}
