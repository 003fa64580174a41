import type { Snapshot } from '../../records/queryRows.ts'

/** Milliseconds for which a snapshot is as good as a new one. */
const maxAgeMs = 1_000

/** The snapshots of one screen. */
export interface Snapshots {
  take(): Promise<Snapshot>
  /** Takes one for somebody who is about to ask for a new key. */
  prepare(): void
  /**
   * The one of this key; another key takes a new one, or that which was prepared just now. Pages of one sorted list come
   * from the same snapshot: metrics that went on changing would shuffle the rows.
   */
  ofKey(key: string): Promise<Snapshot>
}

export function createSnapshots(take: () => Promise<Snapshot>, now = () => performance.now()): Snapshots {
  let prepared: { promise: Promise<Snapshot>; takenAt: number } | undefined
  let used: { key: string; promise: Promise<Snapshot> } | undefined

  const recent = () => (prepared && now() - prepared.takenAt <= maxAgeMs ? prepared.promise : undefined)

  return {
    take,
    prepare() {
      const taken = { promise: take(), takenAt: now() }
      prepared = taken
      // The next one asks again.
      taken.promise.catch(() => {
        if (prepared === taken) prepared = undefined
      })
    },
    ofKey(key) {
      if (used?.key !== key) used = { key, promise: recent() ?? take() }
      return used.promise
    },
  }
}
