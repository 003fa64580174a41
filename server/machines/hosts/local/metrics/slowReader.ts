/** A figure that costs too much for every read: it is refreshed in the background and read from memory. */
export interface Slow<T> {
  /** The last known figure, at once. Begins a refresh when it is older than its time. */
  latest(): T
  /** The figure after its first refresh. Never rejects: what cannot be had stays as it was. */
  first(): Promise<T>
  /** Resolves when no refresh is under way. */
  idle(): Promise<void>
}

export interface SlowOptions<T> {
  initial: T
  everyMs: number
  /** Makes the new figure; may look at the one before. */
  refresh: (before: T) => Promise<T>
  /** Milliseconds of a monotonic clock. */
  now: () => number
  /** Told once when refreshing begins to fail, and again only after it has worked in between. */
  onError: (error: unknown) => void
}

export function slow<T>({ initial, everyMs, refresh, now, onError }: SlowOptions<T>): Slow<T> {
  let value = initial
  let dueAt = Number.NEGATIVE_INFINITY
  let isFailing = false
  let running: Promise<void> | undefined
  let firstRun: Promise<void> | undefined

  async function run(): Promise<void> {
    try {
      value = await refresh(value)
      isFailing = false
    } catch (error) {
      if (!isFailing) onError(error)
      isFailing = true
    } finally {
      running = undefined
    }
  }

  function latest(): T {
    if (!running && now() >= dueAt) {
      dueAt = now() + everyMs
      running = run()
      firstRun ??= running
    }
    return value
  }

  return {
    latest,
    first: async () => {
      latest()
      await firstRun
      return value
    },
    idle: async () => running,
  }
}
