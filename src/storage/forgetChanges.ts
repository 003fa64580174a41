/** The database of this browser with what was changed. */
export const changesDatabase = 'wheelhouse.changes'

/**
 * Deletes what this browser holds to take changes back, of all accounts. Tabs that are reading close it; one that
 * is about to leave the page need not wait.
 */
export function forgetChanges(): void {
  try {
    indexedDB.deleteDatabase(changesDatabase)
  } catch {
    // Without a database nothing was stored.
  }
}
