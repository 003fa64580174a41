/** The databases of this browser: what was changed, and transfers of files that can go on. */
export const changesDatabase = 'wheelhouse.changes'
export const transfersDatabase = 'wheelhouse.transfers'

/**
 * Deletes what this browser holds to take changes back and to go on with transfers, of all accounts. Tabs that are
 * reading close it; one that is about to leave the page need not wait.
 */
export function forgetChanges(): void {
  try {
    for (const name of [changesDatabase, transfersDatabase]) indexedDB.deleteDatabase(name)
  } catch {
    // Without a database nothing was stored.
  }
}
