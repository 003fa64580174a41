import type { Snapshot } from '../../records/queryRows.ts'

/** Milliseconds for which a snapshot is as good as a new one. */
const maxAgeMs = 1_000

/** The snapshots of one screen. */
export interface Snapshots {
  take(): Promise<Snapshot>
  /**
   * The one of this key; another key takes a new one. Pages of one sorted list come from the same snapshot: metrics that
   * went on changing would shuffle the rows.
   */
  ofKey(key: string): Promise<Snapshot>
  /** The same at once, if it has come, or one that was taken just now; `undefined` otherwise. Takes none. */
  knownOfKey(key: string): Snapshot | undefined
}

export function createSnapshots(takeNew: () => Promise<Snapshot>, now = () => performance.now()): Snapshots {
  const arrived = new WeakMap<Promise<Snapshot>, Snapshot>()
  let latest: { promise: Promise<Snapshot>; takenAt: number } | undefined
  let used: { key: string; promise: Promise<Snapshot> } | undefined

  function take(): Promise<Snapshot> {
    const promise = takeNew()
    latest = { promise, takenAt: now() }
    // Who takes it handles its failure.
    promise.then(
      (snapshot) => arrived.set(promise, snapshot),
      () => {},
    )
    return promise
  }

  return {
    take,
    ofKey(key) {
      if (used?.key !== key) used = { key, promise: take() }
      return used.promise
    },
    knownOfKey(key) {
      if (used?.key === key) return arrived.get(used.promise)
      if (!latest || now() - latest.takenAt > maxAgeMs) return undefined
      const snapshot = arrived.get(latest.promise)
      if (snapshot !== undefined) used = { key, promise: latest.promise }
      return snapshot
    },
  }
}
