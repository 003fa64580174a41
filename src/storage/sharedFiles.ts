import { type DBSchema, openDB } from 'idb'
import { sharedFilesDatabase } from './forgetChanges.ts'

/** How much a browser keeps of what other apps share with the installed console, and for how many milliseconds: a day. */
export const sharedLimits = { files: 100, bytes: 256 * 1024 * 1024, ageMs: 24 * 60 * 60_000 } as const

interface SharedFile {
  /** Milliseconds since 1970. */
  at: number
  file: File
}

interface Schema extends DBSchema {
  files: { key: number; value: SharedFile }
}

/** Reads and writes in one transaction, without what is older than a day. The database is that of this origin. */
async function withFiles<T>(
  now: number,
  work: (present: readonly File[], store: { add(one: SharedFile): Promise<unknown>; clear(): Promise<void> }) => T,
): Promise<Awaited<T>> {
  const database = await openDB<Schema>(sharedFilesDatabase, 1, {
    upgrade: (created) => void created.createObjectStore('files', { autoIncrement: true }),
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  })
  try {
    const transaction = database.transaction('files', 'readwrite')
    const store = transaction.objectStore('files')
    const present: File[] = []
    for (let cursor = await store.openCursor(); cursor; cursor = await cursor.continue()) {
      const { at, file } = cursor.value
      // The clock may have been set back.
      if (Math.abs(now - at) < sharedLimits.ageMs) present.push(file)
      else await cursor.delete()
    }
    const result = await work(present, { add: (one) => store.add(one), clear: () => store.clear() })
    await transaction.done
    return result
  } finally {
    database.close()
  }
}

const bytesOf = (files: readonly File[]) => files.reduce((sum, { size }) => sum + size, 0)

/**
 * Keeps files until they are uploaded or discarded, for a day at most, beside those that are kept already.
 * @returns whether they fit; else none of them is kept. Rejects where the browser has no room
 */
export const keepShared = (files: readonly File[], now = Date.now()): Promise<boolean> =>
  withFiles(now, async (present, { add }) => {
    const all = [...present, ...files]
    if (all.length > sharedLimits.files || bytesOf(all) > sharedLimits.bytes) return false
    for (const file of files) await add({ at: now, file })
    return true
  })

/** What is kept; nothing where the browser keeps nothing. */
export async function sharedFiles(now = Date.now()): Promise<readonly File[]> {
  // Asking for a database makes it: most people share nothing.
  const known = await globalThis.indexedDB?.databases?.()
  if (!known?.some(({ name }) => name === sharedFilesDatabase)) return []
  return withFiles(now, (present) => present)
}

/** Removes all that is kept. */
export const discardShared = (): Promise<void> => withFiles(Date.now(), (_present, { clear }) => clear())
