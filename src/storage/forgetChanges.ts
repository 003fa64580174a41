/** The databases of this browser: what was changed, transfers of files that can go on, and files that other apps shared. */
export const changesDatabase = 'wheelhouse.changes'
export const transfersDatabase = 'wheelhouse.transfers'
export const sharedFilesDatabase = 'wheelhouse.shared'

/**
 * Deletes what this browser holds to take changes back and to go on with transfers, and shared files, of all accounts. Tabs that are
 * reading close it; one that is about to leave the page need not wait.
 */
export function forgetChanges(): void {
  try {
    for (const name of [changesDatabase, transfersDatabase, sharedFilesDatabase]) indexedDB.deleteDatabase(name)
  } catch {
    // Without a database nothing was stored.
  }
}
