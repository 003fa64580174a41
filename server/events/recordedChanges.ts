import { type ChangeRow, changeLogOf } from '../changes/changeLog.ts'
import type { Store } from '../db/store.ts'

/** The name of the value that holds the id of the latest change that was told. */
const toldKey = 'told change'

/** Changes at one time: thousands of one bulk edit take some seconds, and not all memory at once. */
const changesPerCheck = 1000

/**
 * Tells of changes of records, once they are on the disk and each once, over restarts too.
 * @param tell called with each, the oldest first @param isWanted whether anybody wants to know
 * @returns looks for new ones; to be called every second
 */
export function watchChanges(
  store: Store,
  { tell, isWanted }: { tell: (change: ChangeRow) => void; isWanted: () => boolean },
): () => void {
  const log = changeLogOf(store)
  let told = store.value<number>(toldKey) ?? log.latestId()
  return () => {
    const next = isWanted() ? log.after(told, changesPerCheck) : []
    const latest = next.at(-1)?.id ?? (isWanted() ? told : log.latestId())
    if (latest === told) return
    told = latest
    store.setValue(toldKey, told)
    for (const change of next) tell(change)
  }
}
