import { type DBSchema, type IDBPObjectStore, openDB } from 'idb'
import { sharedFilesDatabase } from './forgetChanges.ts'

/** How much a browser keeps of what other apps share with the installed console, and for how many milliseconds: a day. */
export const sharedLimits = { files: 100, bytes: 256 * 1024 * 1024, ageMs: 24 * 60 * 60_000 } as const

interface StoredFile {
  /** Milliseconds since 1970. */
  at: number
  file: File
  /** Who has seen it first: see `currentAccount`. The service worker, which stores it, does not know who is signed in. */
  account?: string
}

/** A file that is kept. */
export interface SharedFile {
  key: number
  file: File
}

interface Schema extends DBSchema {
  files: { key: number; value: StoredFile }
}

type Writing = IDBPObjectStore<Schema, ['files'], 'files', 'readwrite'>

/** Works in one transaction. The database is that of this origin. */
async function withFiles<T>(work: (store: Writing) => Promise<T>): Promise<T> {
  const database = await openDB<Schema>(sharedFilesDatabase, 1, {
    upgrade: (created) => void created.createObjectStore('files', { autoIncrement: true }),
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  })
  try {
    const transaction = database.transaction('files', 'readwrite')
    const result = await work(transaction.objectStore('files'))
    await transaction.done
    return result
  } finally {
    database.close()
  }
}

/**
 * What is kept, without what is older than a day, which is removed.
 * @param account who looks: what nobody has seen yet is theirs from now on, and what others have seen is removed. Without
 *   one, that of everybody
 */
async function present(store: Writing, now: number, account?: string): Promise<SharedFile[]> {
  const found: SharedFile[] = []
  for (let cursor = await store.openCursor(); cursor; cursor = await cursor.continue()) {
    const { at, file, account: owner } = cursor.value
    // The clock may have been set back.
    const isRecent = Math.abs(now - at) < sharedLimits.ageMs
    if (!isRecent || (account !== undefined && owner !== undefined && owner !== account)) await cursor.delete()
    else {
      if (account !== undefined && owner === undefined) await cursor.update({ at, file, account })
      found.push({ key: cursor.primaryKey, file })
    }
  }
  return found
}

const bytesOf = (files: readonly File[]) => files.reduce((sum, { size }) => sum + size, 0)

/** A file under a name that no other has: in one folder, the later one would take the place of the other. */
function underFreeName(file: File, taken: Set<string>): File {
  const [, stem = file.name, ending = ''] = /^(.+?)(\.[^.]*)?$/s.exec(file.name) ?? []
  let name = file.name
  for (let number = 2; taken.has(name); number += 1) name = `${stem} (${number})${ending}`
  taken.add(name)
  return name === file.name ? file : new File([file], name, { type: file.type, lastModified: file.lastModified })
}

/**
 * Keeps files until they are uploaded or discarded, for a day at most, beside those that are kept already. Apps call many
 * of theirs `image.jpg`: the second one is `image (2).jpg`.
 * @returns whether they fit; else none of them is kept. Rejects where the browser has no room
 */
export const keepShared = (files: readonly File[], now = Date.now()): Promise<boolean> =>
  withFiles(async (store) => {
    const before = (await present(store, now)).map(({ file }) => file)
    const all = [...before, ...files]
    if (all.length > sharedLimits.files || bytesOf(all) > sharedLimits.bytes) return false
    const taken = new Set(before.map(({ name }) => name))
    for (const file of files) await store.add({ at: now, file: underFreeName(file, taken) })
    return true
  })

/**
 * What is kept for an account; nothing where the browser keeps nothing. Whoever looks first after a share has it: when
 * their session ends without a sign-out, the next person in this browser does not get their files.
 */
export async function sharedFiles(account: string, now = Date.now()): Promise<readonly SharedFile[]> {
  // Asking for a database makes it: most people share nothing.
  const known = await globalThis.indexedDB?.databases?.()
  if (!known?.some(({ name }) => name === sharedFilesDatabase)) return []
  return withFiles((store) => present(store, now, account))
}

/** Removes these: what was shared since they were read stays. */
export const discardShared = (files: readonly SharedFile[]): Promise<void> =>
  withFiles(async (store) => {
    for (const { key } of files) await store.delete(key)
  })
