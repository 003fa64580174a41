/** A metric that is too expensive to read for every report: it is refreshed in the background. */
export interface CachedMetric<T> {
  /** The last value, without waiting. Starts a refresh when the value is too old. */
  latest(): T
  /** The value after the first refresh. Never rejects: when a refresh fails, the last value stays. */
  first(): Promise<T>
  /** Resolves when no refresh is running. */
  idle(): Promise<void>
}

export interface CachedMetricOptions<T> {
  /** The value before the first refresh. */
  initial: T
  /** Milliseconds from the start of one refresh to the next. */
  everyMs: number
  /** Reads the new value. */
  refresh: (lastValue: T) => Promise<T>
  /** A monotonic clock in milliseconds. */
  now: () => number
  /** Called when refreshing starts to fail, and again only after it has succeeded in between. */
  onError: (error: unknown) => void
}

export function createCachedMetric<T>({
  initial,
  everyMs,
  refresh,
  now,
  onError,
}: CachedMetricOptions<T>): CachedMetric<T> {
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
