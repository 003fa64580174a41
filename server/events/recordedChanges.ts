import { type ChangeRow, changeLogOf } from '../changes/changeLog.ts'
import type { Store } from '../db/store.ts'

/** The name of the value that holds the id of the latest change that was sent. */
const lastSentKey = 'told change'

/** Changes at one time: thousands of one bulk edit take some seconds, and not all memory at once. */
const changesPerCheck = 1000

/**
 * Watches for changes of records: each is reported once, after it is on the disk, across restarts too.
 * @param onChange called with each, the oldest first @param isWanted whether somebody gets events of changes
 * @returns a function that looks for new ones; to be called every second
 */
export function watchChanges(
  store: Store,
  { onChange, isWanted }: { onChange: (change: ChangeRow) => void; isWanted: () => boolean },
): () => void {
  const log = changeLogOf(store)
  let lastSentId = store.value<number>(lastSentKey) ?? log.latestId()
  return () => {
    const next = isWanted() ? log.after(lastSentId, changesPerCheck) : []
    const latest = next.at(-1)?.id ?? (isWanted() ? lastSentId : log.latestId())
    if (latest === lastSentId) return
    // What cannot be written, as on a full disk, is tried again with the next look, and the changes are sent then.
    store.setValue(lastSentKey, latest)
    lastSentId = latest
    for (const change of next) onChange(change)
  }
}
